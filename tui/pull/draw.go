package pull

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"planmode/tui/theme"
)

// Look is how a board is drawn.
type Look struct {
	Theme *theme.Theme
	Still bool // nothing moves by itself
	Now   time.Time
}

const (
	nameColumn = 16 // cells of a name, where there is room
	narrow     = 60 // cells below which a row only has its time
)

// Lines draws the board in at most height lines of exactly width cells: a head, then
// the roles. When they do not fit, those that ended well or wait are counted instead.
func (b *Board) Lines(l Look, width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	out := []string{b.head(l, width)}
	for _, r := range b.fold(height - 1) {
		out = append(out, l.row(r, width))
	}
	return out[:min(len(out), height)]
}

func (b *Board) head(l Look, width int) string {
	t := l.Theme
	until := l.Now
	if !b.ended.IsZero() {
		until = b.ended
	}
	what := "Reviewing "
	if !b.ended.IsZero() {
		what = "Reviewed "
	}
	left := t.Strong.Render(what) + t.Accent.Render(b.title)
	if b.stage != "" {
		left += t.Muted.Render(" " + t.Glyphs.Dot + " " + b.stage)
	}
	return t.Spread(left, t.Muted.Render(l.figures(until.Sub(b.began).Truncate(l.step(until.Sub(b.began))), b, width)), width)
}

func (l Look) figures(took time.Duration, b *Board, width int) string {
	parts := Figures(took, b.Spent())
	if width < narrow {
		parts = parts[:1]
	}
	return strings.Join(parts, " "+l.Theme.Glyphs.Dot+" ")
}

// step is how often a clock moves. One that stands still is drawn when something else
// is, so it shows whole seconds then.
func (l Look) step(d time.Duration) time.Duration {
	if l.Still || d >= 10*time.Second {
		return time.Second
	}
	return 100 * time.Millisecond
}

// fold leaves out what matters least until the rows fit: first the roles that passed,
// then those that wait.
func (b *Board) fold(room int) []row {
	rows := b.rows
	for _, least := range []state{passed, waiting} {
		if len(rows) <= room {
			return rows
		}
		rows = counted(rows, least)
	}
	if room <= 0 {
		return nil
	}
	if len(rows) > room {
		hidden := len(rows) - room + 1
		rows = append(rows[:room-1:room-1], row{state: waiting, tries: hidden, line: fmt.Sprintf("and %d more", hidden)})
	}
	return rows
}

// counted puts one row that counts in the place of all rows of a state.
func counted(rows []row, s state) []row {
	var out []row
	at := -1
	for _, r := range rows {
		switch {
		case r.state != s:
			out = append(out, r)
		case at < 0:
			at = len(out)
			out = append(out, row{state: s, tries: 1})
		default:
			out[at].tries++
		}
	}
	if at >= 0 {
		word := "passed"
		if s == waiting {
			word = "waiting"
		}
		out[at].line = fmt.Sprintf("%d %s", out[at].tries, word)
	}
	return out
}

func (l Look) row(r row, width int) string {
	t := l.Theme
	sign, style := l.sign(r)
	if r.job == "" {
		return t.Fit(style.Render(sign)+" "+t.Muted.Render(r.line), width)
	}
	left := style.Render(sign) + " " + t.Text.Render(t.Fit(Role(r.job), min(nameColumn, max(width/3, 8)))) + " " + l.words(r)
	took := r.took
	if r.state == running {
		d := took + l.Now.Sub(r.began)
		took = d.Truncate(l.step(d))
	}
	if r.state == waiting || r.state == unreached {
		return t.Fit(left, width)
	}
	parts := Figures(took, sum(r.spent, r.now))
	if width < narrow {
		parts = parts[:1]
	}
	return t.Spread(left, t.Muted.Render(strings.Join(parts, " "+t.Glyphs.Dot+" ")), width)
}

func (l Look) words(r row) string {
	t := l.Theme
	switch r.state {
	case waiting:
		if r.job == "context" {
			return t.Dim.Render("begins with the facts")
		}
		return t.Dim.Render("waiting")
	case unreached:
		return t.Dim.Render("not reached")
	case passed:
		if r.tries > 1 {
			return t.Muted.Render(fmt.Sprintf("passed, after %d attempts", r.tries))
		}
		return t.Muted.Render("passed")
	case stopped:
		return t.Warning.Render("stopped")
	case refused:
		return t.Warning.Render("refused: ") + t.Muted.Render(r.line)
	case failed:
		return t.Error.Render("failed: ") + t.Muted.Render(r.line)
	}
	line := r.line
	if line == "" {
		line = "thinking"
	}
	if r.tries > 1 {
		line = "again, " + line
	}
	return t.Muted.Render(line)
}

func (l Look) sign(r row) (string, lipgloss.Style) {
	g := l.Theme.Glyphs
	switch r.state {
	case passed:
		return g.Check, l.Theme.Success
	case refused, stopped:
		return g.Bang, l.Theme.Warning
	case failed:
		return g.Cross, l.Theme.Error
	case running:
		if l.Still {
			return g.Bullet, l.Theme.Accent
		}
		return g.Spinner[int(l.Now.Sub(r.began)/(200*time.Millisecond))%len(g.Spinner)], l.Theme.Accent
	}
	return g.Dot, l.Theme.Dim
}
