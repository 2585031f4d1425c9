package compare

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Line is one line of a change. Joins says that it goes on with the paragraph of
// the line before.
type Line struct {
	Text  string
	Joins bool
}

// Marks is what changed within the lines of one change: for each line the parts
// that the other side does not have. Kept lines have none, although their line
// ends moved: they are part of a paragraph whose other words changed.
type Marks struct {
	Gone, Fresh       [][]Span
	KeptOld, KeptNew  []bool
	PartnerOf, Paired []int // for each new line an old one it came from, and the other way round; or -1
}

// Prose compares removed lines with the added ones that took their place, by
// paragraphs, so that a paragraph that was wrapped anew is not all new.
func Prose(old, new []Line) Marks {
	m := Marks{
		Gone: make([][]Span, len(old)), Fresh: make([][]Span, len(new)),
		KeptOld: make([]bool, len(old)), KeptNew: make([]bool, len(new)),
		PartnerOf: none(len(new)), Paired: none(len(old)),
	}
	left, right := units(old), units(new)
	for i, k := range Pairs(texts(left), texts(right)) {
		if k >= 0 {
			m.compare(left[i], right[k])
		}
	}
	return m
}

func none(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

func texts(units []unit) []string {
	out := make([]string, len(units))
	for i, u := range units {
		out[i] = u.text
	}
	return out
}

func (m *Marks) compare(a, b unit) {
	for i := range min(len(a.starts), len(b.starts)) {
		m.Paired[a.first+i], m.PartnerOf[b.first+i] = b.first+i, a.first+i
	}
	gone, fresh, related := changedWords(a.text, b.text)
	if !related {
		return
	}
	a.spread(gone, m.Gone)
	b.spread(fresh, m.Fresh)
	if len(a.starts) == 1 && len(b.starts) == 1 && a.text != b.text || a.indent != b.indent {
		return
	}
	keep := func(u unit, spans [][]Span, kept []bool) {
		for i := range u.starts {
			kept[u.first+i] = len(spans[u.first+i]) == 0
		}
	}
	keep(a, m.Gone, m.KeptOld)
	keep(b, m.Fresh, m.KeptNew)
}

// unit is a paragraph of a change, or a line that is none: its lines as one.
type unit struct {
	first  int // index of its first line
	text   string
	starts []int // where each line begins in text
	trims  []int // how many bytes of each line are not part of text
	indent int
	breaks bool // it ends with a hard break
}

func units(lines []Line) []unit {
	var out []unit
	for i, l := range lines {
		trim := len(l.Text) - len(strings.TrimLeft(l.Text, " \t"))
		body := strings.TrimRight(l.Text[trim:], " \t")
		if i == 0 || !l.Joins {
			out = append(out, unit{first: i, indent: trim})
		}
		u := &out[len(out)-1]
		if u.text != "" && body != "" && !closed(u.text, body) {
			u.text += " "
		}
		u.starts, u.trims = append(u.starts, len(u.text)), append(u.trims, trim)
		u.text += body
		u.breaks = strings.HasSuffix(l.Text, "  ") && body != ""
	}
	return out
}

// closed says that no blank belongs between two lines, as between wide
// characters.
func closed(a, b string) bool {
	x, _ := utf8.DecodeLastRuneInString(a)
	y, _ := utf8.DecodeRuneInString(b)
	return wide(x) && wide(y)
}

func wide(r rune) bool {
	if r < 0x1100 {
		return false
	}
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// wrapsTo says that two units differ in line ends and blanks only.
func (u unit) wrapsTo(v unit) bool {
	return u.indent == v.indent && u.breaks == v.breaks && strings.Join(strings.Fields(u.text), " ") == strings.Join(strings.Fields(v.text), " ")
}

// spread shares spans of the text out to the lines they are in.
func (u unit) spread(spans []Span, out [][]Span) {
	for i, start := range u.starts {
		end := len(u.text)
		if i+1 < len(u.starts) {
			end = u.starts[i+1]
			if u.text[end-1] == ' ' && end > start {
				end--
			}
		}
		shift := u.trims[i] - start
		for _, s := range spans {
			if from, to := max(s.Start, start), min(s.End, end); from < to {
				out[u.first+i] = append(out[u.first+i], Span{from + shift, to + shift})
			}
		}
	}
}
