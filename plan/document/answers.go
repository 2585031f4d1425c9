package document

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"planmode/plan"
	"planmode/plan/text"
)

// AnswersHeading is the section in which a plan answers the notes of the last
// review, one numbered item for each, in a language of plans.
func AnswersHeading(language string) string {
	if language == Chinese {
		return "对评审的回答"
	}
	return "Answers to review"
}

// answersKeys are headings that are understood as that section, folded as key
// does.
var answersKeys = func() map[string]bool {
	keys := map[string]bool{}
	for _, h := range []string{
		"Answers to review", "Answers to the review", "Answers to review notes", "Review answers", "Answers to annotations",
		"Responses to review", "Response to review", "Review responses", "Answers to feedback", "Response to feedback",
		"对评审的回答", "评审回答", "对评审的回复", "评审回复", "对批注的回答", "对批注的回复", "批注回复", "评审意见回复",
	} {
		keys[key(h)] = true
	}
	return keys
}()

const (
	maxAnswer   = 2000 // bytes of an answer that are kept
	leastQuoted = 4    // letters of a note by which an item may quote it
	quotedRunes = 40
)

// Answers finds what d, the revision after the one that notes were written on,
// says about each of them: an item of the section for answers, by its number or
// because it quotes the note, or an item anywhere else that quotes the note. An
// answer that is not found is empty.
func Answers(d *Document, notes []plan.Annotation) []string {
	out := make([]string, len(notes))
	if len(notes) == 0 {
		return out
	}
	all := d.items(1, d.lineCount())
	section := d.answers()
	for i, n := range notes {
		said := quotable(n)
		if out[i] = quoting(section, said); out[i] == "" {
			out[i] = quoting(all, said)
		}
	}
	for _, it := range section {
		if i := it.number - 1; i >= 0 && i < len(notes) && out[i] == "" {
			out[i] = bounded(it.text)
		}
	}
	return out
}

// answerItem is a list item as one line of plain text. Number is 0 in a list
// without numbers.
type answerItem struct {
	number int
	text   string
}

// answers are the items of the section for answers.
func (d *Document) answers() []answerItem {
	for i, h := range d.headings {
		if !answersKeys[key(h.Text)] {
			continue
		}
		end := d.lineCount()
		for _, next := range d.headings[i+1:] {
			if next.Level <= h.Level {
				end = next.Line - 1
				break
			}
		}
		return d.items(h.Line+1, end)
	}
	return nil
}

var itemStart = regexp.MustCompile(`^\s{0,12}(?:[-*+]|(\d{1,4})[.)、])\s+(\S.*)$`)

// items are the list items that begin between two lines, each with the lines that
// go on with it.
func (d *Document) items(first, last int) []answerItem {
	var out []answerItem
	open := false
	for n := first; n <= last; n++ {
		line := d.Line(n)
		m := itemStart.FindStringSubmatch(line)
		switch {
		case m != nil:
			number, _ := strconv.Atoi(m[1]) // 0 without one
			out, open = append(out, answerItem{number, text.Line(m[2])}), true
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
			open = false
		case open && len(out[len(out)-1].text) < 2*maxAnswer:
			out[len(out)-1].text += " " + text.Line(line)
		}
	}
	return out
}

// quotable is the beginning of a note as an item would quote it.
func quotable(n plan.Annotation) string {
	runes := []rune(text.Line(n.Body))
	letters := 0
	for _, r := range runes {
		if letterOrDigit(r) {
			letters++
		}
	}
	if letters < leastQuoted {
		return ""
	}
	return string(runes[:min(len(runes), quotedRunes)])
}

// quoting is what the last of the items that quote said says after the quotation.
// The last one counts since later answers are added below earlier ones.
func quoting(items []answerItem, said string) string {
	if said == "" {
		return ""
	}
	for i := len(items) - 1; i >= 0; i-- {
		at := strings.Index(items[i].text, said)
		if at < 0 {
			continue
		}
		quoted := at > 0 && strings.ContainsRune(openQuotes, lastRune(items[i].text[:at]))
		rest := items[i].text[at+len(said):]
		if end := strings.IndexAny(rest, closeQuotes); quoted && end >= 0 {
			rest = rest[end:]
		} else if !quoted {
			end := strings.IndexAny(rest, ":：—→")
			if end < 0 {
				continue
			}
			rest = rest[end:]
		}
		rest = strings.TrimLeftFunc(rest, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(closeQuotes+":：—–-→,，.。", r)
		})
		if rest != "" {
			return bounded(rest)
		}
	}
	return ""
}

const (
	openQuotes  = "\"“「『«‘'`"
	closeQuotes = "\"”」』»’'`"
)

func lastRune(s string) rune {
	runes := []rune(s)
	return runes[len(runes)-1]
}

func bounded(s string) string {
	if len(s) <= maxAnswer {
		return s
	}
	return strings.ToValidUTF8(s[:maxAnswer], "") + "…"
}
