package document

import (
	"strings"
	"unicode/utf8"

	"planmode/plan"
	"planmode/plan/text"
)

// Title is what the document calls itself: its first heading that is none of the
// nine sections. It is empty when there is none, and never longer than a title
// may be.
func (d *Document) Title() string {
	for _, h := range d.headings {
		if _, section := sectionKeys[key(h.Text)]; !section && text.Line(h.Text) != "" {
			return short(h.Text)
		}
	}
	return ""
}

// FirstLine is the first line of the document that is neither blank nor a
// heading, without the signs of a list or a quotation, short enough for a title.
func (d *Document) FirstLine() string {
	headings := map[int]bool{}
	for _, h := range d.headings {
		headings[h.Line] = true
	}
	first, n := "", 0
	for line := range strings.Lines(d.text) {
		n++
		s := text.Line(strings.TrimLeft(text.Line(line), "#>*+- \t"))
		if s == "" {
			continue
		}
		if !headings[n] {
			return short(s)
		}
		if first == "" {
			first = s
		}
	}
	if first == "" {
		first = "Plan"
	}
	return short(first)
}

// short cuts a line to the length of a title.
func short(s string) string {
	s = strings.Join(strings.Fields(text.Line(s)), " ")
	if utf8.RuneCountInString(s) <= plan.MaxTitleChars {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:plan.MaxTitleChars-1])) + "…"
}
