package overlay

import (
	"fmt"
	"strings"

	"planmode/tui/theme"
)

// Panel is the layout of every dialog: a rule with a title, a body that scrolls,
// rows that stay in sight, and a hint.
type Panel struct {
	Title  string
	Body   []string // wrapped to the width
	Scroll int      // lines of the body above the window
	Rows   []string
	Focus  int // the row that must be in sight
	Hint   string
}

// Layout is a drawn panel.
type Layout struct {
	Lines    []string
	Scroll   int // as far as the body really scrolls
	BodyRows int // lines of the body in sight
	RowsTop  int // the line of the first visible row
	First    int // the first visible row
}

// Draw lays the panel out in at most height lines of exactly width cells. In
// little room the rows are windowed and the hint and the title are given up
// before the last line of the body.
func (p Panel) Draw(th *theme.Theme, width, height int) Layout {
	if width <= 0 || height <= 0 {
		return Layout{}
	}
	least := min(len(p.Body), max(height/4, min(height-1, 1)))
	rows := min(len(p.Rows), max(height-2-least, 1))
	rest := height - rows
	body := min(len(p.Body), max(least, rest-2), rest)
	rest -= body
	var l Layout
	l.BodyRows = body
	l.Scroll = min(max(p.Scroll, 0), len(p.Body)-body)
	if rest > 0 {
		l.Lines = append(l.Lines, th.Rule(p.Title, width))
		rest--
	}
	for _, line := range p.Body[l.Scroll : l.Scroll+body] {
		l.Lines = append(l.Lines, th.Fit(line, width))
	}
	// With room to spare the answers stand apart from what they are about.
	if body > 0 && rows > 0 && rest > 1 {
		l.Lines = append(l.Lines, th.Fit("", width))
		rest--
	}
	l.RowsTop = len(l.Lines)
	if rows > 0 {
		l.First = min(max(p.Focus-rows+1, 0), len(p.Rows)-rows)
		for _, row := range p.Rows[l.First : l.First+rows] {
			l.Lines = append(l.Lines, th.Fit(row, width))
		}
	}
	if rest > 0 {
		l.Lines = append(l.Lines, th.Spread(th.Dim.Render(th.Cut(p.Hint, width)), p.more(th, l, width), width))
	}
	return l
}

// more says how much of the body is out of sight.
func (p Panel) more(th *theme.Theme, l Layout, width int) string {
	above, below := l.Scroll, len(p.Body)-l.Scroll-l.BodyRows
	if above+below == 0 {
		return ""
	}
	var parts []string
	if above > 0 {
		parts = append(parts, fmt.Sprintf("%s %d", th.Glyphs.Up, above))
	}
	if below > 0 {
		parts = append(parts, fmt.Sprintf("%s %d more", th.Glyphs.Down, below))
	}
	text := strings.Join(parts, " ") + " (PgDn)"
	if theme.Width(text)+10 > width {
		text = strings.Join(parts, " ")
	}
	return th.Warning.Render(text)
}
