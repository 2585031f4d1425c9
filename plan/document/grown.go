package document

import (
	"strings"
	"unicode"

	"planmode/plan"
)

const (
	minWords = 2   // that two lines must share before one can be the other, grown
	minRunes = 6   // and how many letters; fewer occur anywhere
	covered  = 0.8 // share of the shorter line's words that the longer one has, in order
	maxWords = 400 // of a line that are compared
)

// grown returns the line in spans that says what the quote says and much more, or
// only the beginning of it; for a quote of several lines the only line that
// reads like its first one. It is 0 when there is none. Such a passage shares too
// little with the quote to be alike, so only its own section is looked through.
func (d *Document) grown(old plan.Annotation, spans []span) int {
	first, _, more := strings.Cut(old.Quote, "\n")
	if more {
		if !telling(words(first)) && !strings.HasPrefix(first, "#") {
			return 0
		}
		return d.exact(plan.Annotation{Quote: first}, spans)
	}
	quote := words(old.Quote)
	if !telling(quote) {
		return 0
	}
	best, bestAt := 0.0, 0
	for _, s := range spans {
		for at := s.first; at <= s.last; at++ {
			share := coverage(quote, words(d.Line(at)))
			if share > best || share == best && best > 0 && abs(at-old.Line) < abs(bestAt-old.Line) {
				best, bestAt = share, at
			}
		}
	}
	if best < covered {
		return 0
	}
	return bestAt
}

// coverage is the share of the shorter line's words that the longer line has in
// the same order. Few words must stand together in it: three words in some order
// are found in any long sentence.
func coverage(a, b []string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if !telling(a) {
		return 0
	}
	if hasRun(b, a) {
		return 1
	}
	if len(a) < 2*minWords {
		return 0
	}
	return float64(common(a, b)) / float64(len(a))
}

// telling says whether words are enough to know a line by.
func telling(words []string) bool {
	n := 0
	for _, w := range words {
		n += len([]rune(w))
	}
	return len(words) >= minWords && n >= minRunes
}

func hasRun(in, run []string) bool {
	for i := 0; i+len(run) <= len(in); i++ {
		k := 0
		for k < len(run) && in[i+k] == run[k] {
			k++
		}
		if k == len(run) {
			return true
		}
	}
	return false
}

// common is the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, w := range a {
		before := 0
		for j, v := range b {
			here := row[j+1]
			if w == v {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j], here)
			}
			before = here
		}
	}
	return row[len(b)]
}

// words are the words of a line in lower case without what marks it as an item;
// of scripts that put no blanks between words, each letter is one.
func words(line string) []string {
	var out []string
	word := strings.Builder{}
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range unmarked(line) {
		switch {
		case !letterOrDigit(r):
			end()
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			end()
			out = append(out, string(r))
		default:
			word.WriteRune(unicode.ToLower(r))
		}
		if len(out) >= maxWords {
			return out
		}
	}
	end()
	return out
}

// unmarked is a line without the number of its list item.
func unmarked(line string) string {
	line = strings.TrimLeft(line, " \t")
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line && rest != "" && (rest[0] == '.' || rest[0] == ')') {
		return rest[1:]
	}
	return line
}
