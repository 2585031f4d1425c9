package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"planmode/plan"
)

// AnchorStatus says what became of an annotated passage in a later revision.
type AnchorStatus string

// The statuses.
const (
	AnchorUnchanged   AnchorStatus = "unchanged"
	AnchorTextChanged AnchorStatus = "text_changed"
	AnchorGone        AnchorStatus = "gone"
)

const (
	contextRunes    = 40      // of the text before and after a passage
	maxContextBytes = 400     // where they are looked for, blanks included
	maxQuoteBytes   = 4 << 10 // a longer passage is quoted up to a line before this
	threshold       = 0.6     // similarity of a passage that was rewritten
)

// Anchor fills quote, prefix, suffix and headings of a from d, which must be
// the document that its lines count in. A comment on the whole plan, or on a
// line that d does not have, is anchored to nothing.
func Anchor(d *Document, a plan.Annotation) plan.Annotation {
	a.Quote, a.Prefix, a.Suffix, a.Headings = "", "", "", nil
	if a.Line < 1 || a.Line > d.lineCount() {
		return a
	}
	last := min(max(a.Line, a.End), d.lineCount())
	quote := d.lines(a.Line, last)
	if len(quote) > maxQuoteBytes {
		quote = shorten(quote)
	}
	a.Quote, a.Headings = strings.ToValidUTF8(quote, "\ufffd"), d.HeadingAt(a.Line)
	a.Prefix, a.Suffix = d.around(a.Line, last)
	return a
}

// shorten keeps whole lines, or whole characters of a single endless line.
func shorten(s string) string {
	cut := maxQuoteBytes
	if n := strings.LastIndexByte(s[:cut], '\n'); n > 0 {
		return s[:n]
	}
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

// around returns the text that touches the lines first to last.
func (d *Document) around(first, last int) (before, after string) {
	at := d.starts[first-1]
	from := max(0, at-maxContextBytes)
	for from < at && !utf8.RuneStart(d.text[from]) {
		from++
	}
	before = strings.TrimSpace(d.text[from:at])
	if last < d.lineCount() {
		at = d.starts[last]
		after = strings.TrimSpace(d.text[at:min(at+maxContextBytes, len(d.text))])
	}
	if runes := []rune(before); len(runes) > contextRunes {
		before = string(runes[len(runes)-contextRunes:])
	}
	if runes := []rune(after); len(runes) > contextRunes {
		after = string(runes[:contextRunes])
	}
	return strings.ToValidUTF8(before, "\ufffd"), strings.ToValidUTF8(after, "\ufffd")
}

// Reanchor finds the passage of an anchored annotation in a later revision. The
// line is 0 for a comment on the whole plan and for a passage that is gone.
func Reanchor(old plan.Annotation, d *Document) (line int, status AnchorStatus) {
	if old.Line < 1 {
		return 0, AnchorUnchanged
	}
	home := d.underHeading(old.Headings)
	if at := d.exact(old, home); at > 0 {
		return at, AnchorUnchanged
	}
	if strings.TrimSpace(old.Quote) == "" {
		return 0, AnchorGone
	}
	for _, where := range [][]span{home, {{1, d.lineCount()}}} {
		if at := d.similar(old, where); at > 0 {
			return d.begins(old, at), AnchorTextChanged
		}
	}
	if at := d.grown(old, home); at > 0 {
		return at, AnchorTextChanged
	}
	return 0, AnchorGone
}

// span is a range of lines, both ends included.
type span struct{ first, last int }

// underHeading returns the lines between each heading with this path and the
// next heading. If no path is the same, the nearest heading's text must do,
// since the title above it may have been reworded. No headings means the lines
// above the first one.
func (d *Document) underHeading(path []string) []span {
	if len(path) == 0 {
		return d.between(-1, nil)
	}
	var same, alike []span
	for i, h := range d.headings {
		if h.Text != path[len(path)-1] {
			continue
		}
		alike = d.between(i, alike)
		if slices.Equal(d.path(i), path) {
			same = d.between(i, same)
		}
	}
	if len(same) > 0 {
		return same
	}
	return alike
}

// between appends the lines from heading i, or the top, to the next heading.
func (d *Document) between(i int, to []span) []span {
	s := span{1, d.lineCount()}
	if i >= 0 {
		s.first = d.headings[i].Line
	}
	if i+1 < len(d.headings) {
		s.last = d.headings[i+1].Line - 1
	}
	if s.last < s.first {
		return to
	}
	return append(to, s)
}

// exact returns the line of the only place in spans that reads like the quote.
// Of several, the only one with the same neighbours counts.
func (d *Document) exact(old plan.Annotation, spans []span) int {
	quote := strings.Split(old.Quote, "\n")
	found, places, framed, frames := 0, 0, 0, 0
	for _, s := range spans {
		for at := s.first; at <= s.last; at++ {
			if !d.reads(at, quote) {
				continue
			}
			found, places = at, places+1
			if before, after := d.around(at, at+len(quote)-1); before == old.Prefix && after == old.Suffix {
				framed, frames = at, frames+1
			}
		}
	}
	switch {
	case places == 1 && (strings.TrimSpace(old.Quote) != "" || frames == 1):
		return found
	case frames == 1:
		return framed
	}
	return 0
}

// reads says whether the lines from at on are these.
func (d *Document) reads(at int, lines []string) bool {
	if at+len(lines)-1 > d.lineCount() {
		return false
	}
	for i, want := range lines {
		if d.Line(at+i) != want {
			return false
		}
	}
	return true
}

// begins moves a passage of several lines that was found at a line to where its
// first line now stands, when that is one place nearby: a section to which text
// was added still begins with its heading.
func (d *Document) begins(old plan.Annotation, at int) int {
	first, rest, more := strings.Cut(old.Quote, "\n")
	if !more || strings.TrimSpace(first) == "" {
		return at
	}
	height := strings.Count(rest, "\n") + 2
	found := 0
	for line := max(1, at-height); line <= min(at+height, d.lineCount()); line++ {
		if d.Line(line) != first {
			continue
		}
		if found > 0 {
			return at
		}
		found = line
	}
	if found > 0 {
		return found
	}
	return at
}
