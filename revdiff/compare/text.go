package compare

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"planmode/revdiff/record"
)

// Comparison is all that is known of two texts before anyone looks at words.
type Comparison struct {
	Edits []Edit
	Moves []Move
	Size  Size

	// JoinsOld and JoinsNew say of each line, from 0, that it goes on with the
	// paragraph of the line before.
	JoinsOld, JoinsNew []bool
}

// Text compares two Markdown texts line by line.
func Text(old, new []string) *Comparison {
	c := &Comparison{Edits: Lines(old, new), JoinsOld: joins(old), JoinsNew: joins(new)}
	c.Moves = moves(old, new, c.Edits)
	c.rewraps(old, new)
	c.Size = Count(c.Edits)
	return c
}

// joins finds the lines that go on with a paragraph. Code has none: its line
// ends mean something.
func joins(lines []string) []bool {
	out := make([]bool, len(lines))
	fence, before := "", "" // the run that opened the code, the line before
	for i, line := range lines {
		body := strings.TrimLeft(line, " \t")
		run := fenceRun(body)
		switch {
		case fence != "":
			if strings.HasPrefix(run, fence) && strings.TrimSpace(body[len(run):]) == "" {
				fence = ""
			}
			before = ""
			continue
		case run != "" && !(run[0] == '`' && strings.Contains(body[len(run):], "`")):
			fence, before = run, ""
			continue
		}
		out[i] = before != "" && prose(body) && !strings.HasSuffix(before, "  ") && !strings.HasSuffix(before, `\`)
		switch {
		case strings.TrimSpace(body) == "" || body[0] == '#' || body[0] == '|' || body[0] == '>' || body[0] == '<':
			before = ""
		default:
			before = line
		}
	}
	return out
}

func fenceRun(body string) string {
	if !strings.HasPrefix(body, "```") && !strings.HasPrefix(body, "~~~") {
		return ""
	}
	return body[:len(body)-len(strings.TrimLeft(body, body[:1]))]
}

// prose says that a line may go on with a paragraph: it begins nothing else.
func prose(body string) bool {
	if strings.TrimSpace(body) == "" || strings.IndexByte("#>|<=", body[0]) >= 0 {
		return false
	}
	if strings.IndexByte("-*+_", body[0]) >= 0 && (len(body) == 1 || body[1] == ' ' || body[1] == '\t' || body[1] == body[0]) {
		// A bullet, a rule or a line under a title; but bold text goes on.
		return body[0] == '*' && len(body) > 2 && body[1] == '*' && body[2] != '*' || body[0] == '_' && len(body) > 2 && body[1] == '_' && body[2] != '_'
	}
	digits := len(body) - len(strings.TrimLeft(body, "0123456789"))
	return digits == 0 || digits == len(body) || body[digits] != '.' && body[digits] != ')'
}

// rewraps marks the changes that are none but for blanks and line ends.
func (c *Comparison) rewraps(old, new []string) {
	for i := 0; i < len(c.Edits); {
		if c.Edits[i].Op == record.Context {
			i++
			continue
		}
		middle, end := i, i
		for middle < len(c.Edits) && c.Edits[middle].Op == record.Removed {
			middle++
		}
		for end = middle; end < len(c.Edits) && c.Edits[end].Op == record.Added; end++ {
		}
		if c.onlyWrapped(old, new, c.Edits[i:middle], c.Edits[middle:end]) {
			for k := i; k < end; k++ {
				c.Edits[k].Rewrapped = true
			}
		}
		i = end
	}
}

func (c *Comparison) onlyWrapped(old, new []string, gone, fresh []Edit) bool {
	if len(gone) == 0 || len(fresh) == 0 || slices.ContainsFunc(gone, Edit.moved) || slices.ContainsFunc(fresh, Edit.moved) {
		return false
	}
	a, b := old[gone[0].Old-1:gone[len(gone)-1].Old], new[fresh[0].New-1:fresh[len(fresh)-1].New]
	if !sameInk(a, b) {
		return false
	}
	left, right := units(linesOf(a, c.JoinsOld[gone[0].Old-1:])), units(linesOf(b, c.JoinsNew[fresh[0].New-1:]))
	if len(left) != len(right) {
		return false
	}
	for k := range left {
		if !left[k].wrapsTo(right[k]) {
			return false
		}
	}
	return true
}

func linesOf(text []string, joins []bool) []Line {
	out := make([]Line, len(text))
	for i, t := range text {
		out[i] = Line{t, joins[i]}
	}
	return out
}

// sameInk says that two texts are equal but for blanks and line ends. Most
// changes are told apart at their first characters.
func sameInk(a, b []string) bool {
	x, y := inkReader{lines: a}, inkReader{lines: b}
	for {
		p, q := x.next(), y.next()
		if p != q {
			return false
		}
		if p < 0 {
			return true
		}
	}
}

type inkReader struct {
	lines []string
	at    int
}

// next is the next character that is no blank, or -1 at the end.
func (r *inkReader) next() rune {
	for len(r.lines) > 0 {
		if r.at == len(r.lines[0]) {
			r.lines, r.at = r.lines[1:], 0
			continue
		}
		c, size := utf8.DecodeRuneInString(r.lines[0][r.at:])
		r.at += size
		if !unicode.IsSpace(c) {
			return c
		}
	}
	return -1
}
