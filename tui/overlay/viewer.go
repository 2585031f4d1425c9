package overlay

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/tui/theme"
)

const viewerHint = "Esc close"

// Viewer shows a text to read: the plan, the help, the keys.
type Viewer struct {
	theme  *theme.Theme
	title  string
	render func(width int) []string
	lines  []string
	width  int
	scroll int
	page   int
}

// NewViewer shows plain text, cleaned and wrapped.
func NewViewer(title, body string, th *theme.Theme) *Viewer {
	body = strings.TrimRight(text.Clean(body), "\n")
	v := NewRendered(title, nil, th)
	v.render = func(width int) []string { return v.theme.Wrap(body, width) }
	return v
}

// NewRendered shows lines that render gives for a width: styled, of clean text.
func NewRendered(title string, render func(width int) []string, th *theme.Theme) *Viewer {
	return &Viewer{theme: th, title: text.Line(title), render: render}
}

// Refresh renders again what has changed, at the same place.
func (v *Viewer) Refresh() { v.lines = nil }

// SetTheme changes the appearance.
func (v *Viewer) SetTheme(th *theme.Theme) { v.theme, v.lines = th, nil }

// Key handles a key and says whether the viewer is to be closed.
func (v *Viewer) Key(msg tea.KeyPressMsg) (closed bool) {
	switch msg.String() {
	case "esc", "q", "enter", "ctrl+c":
		return true
	case "up", "k", "shift+up":
		v.scroll--
	case "down", "j", "shift+down":
		v.scroll++
	case "pgup", "b", "ctrl+b":
		v.scroll -= max(v.page-1, 1)
	case "pgdown", "space", "ctrl+f":
		v.scroll += max(v.page-1, 1)
	case "home", "g":
		v.scroll = 0
	case "end", "G":
		v.scroll = len(v.lines)
	}
	v.scroll = max(min(v.scroll, len(v.lines)-v.page), 0)
	return false
}

// View draws at most height lines of exactly width cells.
func (v *Viewer) View(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	if v.lines == nil || v.width != width {
		if v.width > 0 && len(v.lines) > 0 {
			before := len(v.lines)
			v.lines = v.render(width)
			v.scroll = v.scroll * len(v.lines) / before
		} else {
			v.lines = v.render(width)
		}
		v.width = width
	}
	l := Panel{Title: v.title, Body: v.lines, Scroll: v.scroll, Hint: viewerHint}.Draw(v.theme, width, height)
	v.scroll, v.page = l.Scroll, l.BodyRows
	return l.Lines
}
