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

// Change is a run of removed lines and the added ones that took their place. The
// words of a paragraph are compared when one of its lines is asked for.
type Change struct {
	// Paired is, for each removed line, the added line that stands for it, or -1;
	// PartnerOf is the other way round. Pairs do not cross.
	Paired, PartnerOf []int

	old, new side
	done     []bool
}

// side is what is known of the lines of one text.
type side struct {
	units []unit
	of    []int32 // the unit of each line
	spans [][]Span
	kept  []bool
	unit  []int // the unit of the other text for each unit, or -1
}

// Prose compares removed lines with added ones by paragraphs, so that a paragraph
// that was wrapped anew is not all new.
func Prose(old, new []Line) *Change {
	c := &Change{Paired: none(len(old)), PartnerOf: none(len(new)), old: sideOf(old), new: sideOf(new)}
	c.done = make([]bool, len(c.old.units))
	c.old.unit = Pairs(texts(c.old.units), texts(c.new.units))
	c.new.unit = none(len(c.new.units))
	for i, k := range c.old.unit {
		if k < 0 {
			continue
		}
		c.new.unit[k] = i
		a, b := c.old.units[i], c.new.units[k]
		for n := range min(len(a.starts), len(b.starts)) {
			c.Paired[a.first+n], c.PartnerOf[b.first+n] = b.first+n, a.first+n
		}
	}
	return c
}

func sideOf(lines []Line) side {
	s := side{units: units(lines), of: make([]int32, len(lines)), spans: make([][]Span, len(lines)), kept: make([]bool, len(lines))}
	for i, u := range s.units {
		for n := range u.starts {
			s.of[u.first+n] = int32(i)
		}
	}
	return s
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

// Old says which parts of a removed line are gone. A kept line lost none,
// although its line end moved: it is part of a paragraph that changed elsewhere.
func (c *Change) Old(line int) (gone []Span, kept bool) {
	c.look(int(c.old.of[line]))
	return c.old.spans[line], c.old.kept[line]
}

// New says which parts of an added line are new, and likewise.
func (c *Change) New(line int) (fresh []Span, kept bool) {
	if i := c.new.unit[c.new.of[line]]; i >= 0 {
		c.look(i)
	}
	return c.new.spans[line], c.new.kept[line]
}

// look compares the words of one paragraph, once.
func (c *Change) look(i int) {
	k := c.old.unit[i]
	if c.done[i] || k < 0 {
		return
	}
	c.done[i] = true
	a, b := c.old.units[i], c.new.units[k]
	gone, fresh, related := changedWords(a.text, b.text)
	if !related {
		return
	}
	a.spread(gone, c.old.spans)
	b.spread(fresh, c.new.spans)
	if len(a.starts) == 1 && len(b.starts) == 1 && a.text != b.text || a.indent != b.indent {
		return
	}
	c.old.keep(a)
	c.new.keep(b)
}

func (s *side) keep(u unit) {
	for n := range u.starts {
		s.kept[u.first+n] = len(s.spans[u.first+n]) == 0
	}
}

// unit is a paragraph of a change, or a line that is none: its lines as one. One
// whose words are not compared anyway is cut.
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
	var joined []byte // the text of the last unit, when it has several lines
	end := func() {
		if n := len(out); n > 0 && len(out[n-1].starts) > 1 {
			out[n-1].text = string(joined)
		}
	}
	for i, l := range lines {
		trim := len(l.Text) - len(strings.TrimLeft(l.Text, " \t"))
		body := strings.TrimRight(l.Text[trim:], " \t")
		if i == 0 || !l.Joins || len(joined) > maxWordLine {
			end()
			joined = append(joined[:0], body...)
			out = append(out, unit{first: i, indent: trim, text: body, starts: []int{0}, trims: []int{trim}})
		} else {
			u := &out[len(out)-1]
			if len(joined) > 0 && body != "" && !closed(joined, body) {
				joined = append(joined, ' ')
			}
			u.starts, u.trims = append(u.starts, len(joined)), append(u.trims, trim)
			joined = append(joined, body...)
		}
		out[len(out)-1].breaks = strings.HasSuffix(l.Text, "  ") && body != ""
	}
	end()
	return out
}

// closed says that no blank belongs between two lines, as between wide
// characters.
func closed(a []byte, b string) bool {
	y, _ := utf8.DecodeRuneInString(b)
	if !wide(y) {
		return false
	}
	x, _ := utf8.DecodeLastRune(a)
	return wide(x)
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
