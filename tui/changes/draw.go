package changes

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"planmode/tui/theme"
)

// Plain writes the changes as a unified diff without a head; words are not marked.
func (d Diff) Plain() string {
	var b strings.Builder
	for _, h := range d.Hunks {
		fmt.Fprintf(&b, "%s\n", h.where())
		for _, l := range h.Lines {
			fmt.Fprintf(&b, "%s%s\n", l.Op, l.Text)
		}
	}
	return b.String()
}

// where is the @@ line of a hunk.
func (h Hunk) where() string {
	side := func(sign string, number func(Line) int) string {
		first, count := 0, 0
		for _, l := range h.Lines {
			if n := number(l); n > 0 {
				if count++; first == 0 {
					first = n
				}
			}
		}
		return fmt.Sprintf("%s%d,%d", sign, first, count)
	}
	return "@@ " + side("-", func(l Line) int { return l.Old }) + " " + side("+", func(l Line) int { return l.New }) + " @@"
}

// Styled is Plain with colours and the changed words marked, unwrapped.
func (d Diff) Styled(th *theme.Theme) []string {
	var out []string
	for _, h := range d.Hunks {
		out = append(out, th.Hunk.Render(h.where()))
		for _, l := range h.Lines {
			out = append(out, l.styled(th))
		}
	}
	return out
}

// Draw is Styled, wrapped to width.
func (d Diff) Draw(th *theme.Theme, width int) []string {
	var out []string
	for _, line := range d.Styled(th) {
		out = append(out, th.Wrap(line, width)...)
	}
	return out
}

func (l Line) styled(th *theme.Theme) string {
	line, word := th.Text, th.Text
	switch l.Op {
	case "-":
		line, word = th.Removed, th.RemovedWord
	case "+":
		line, word = th.Added, th.AddedWord
	}
	var b strings.Builder
	b.WriteString(render(line, l.Op))
	at := 0
	for _, c := range l.Changed {
		b.WriteString(render(line, l.Text[at:c[0]]))
		b.WriteString(render(word, l.Text[c[0]:c[1]]))
		at = c[1]
	}
	b.WriteString(render(line, l.Text[at:]))
	return b.String()
}

// render leaves nothing for an empty text, where a style would still draw.
func render(style lipgloss.Style, s string) string {
	if s == "" {
		return ""
	}
	return style.Render(s)
}
