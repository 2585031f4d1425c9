package overlay

import (
	"fmt"
	"strings"
	"time"

	"planmode/plan/text"
	"planmode/tui/theme"
)

// Row is one answer of a menu.
type Row struct {
	Key      string // the letter that chooses it, if any
	KeyLabel string // how the key is shown, if not as the letter
	Label    string
	Detail   string
	MoveOnly bool // the letter only goes to the row
}

// Act is what a key did to a menu.
type Act int

// The acts.
const (
	Nothing   Act = iota // the key is not for the menu, or came before it was armed
	Moved                // only the view changed
	Chosen               // the selected row is the answer
	Cancelled            // Esc
)

// Menu is a body with answers below it, armed as Arming says. Up, Down and the
// digits move; Enter and letters answer when armed; Esc always cancels.
type Menu struct {
	Title    string
	Body     func(width int) []string // styled, clean, wrapped; nil for none
	Rows     []Row
	Hint     string
	Selected int
	Arming   Arming

	theme    *theme.Theme
	now      func() time.Time
	scroll   int
	page     int
	cached   []string
	cachedAt int
}

// NewMenu makes a menu; the clock is asked when it is drawn and at every key.
func NewMenu(th *theme.Theme, now func() time.Time) Menu {
	return Menu{theme: th, now: now}
}

// SetTheme changes the appearance.
func (m *Menu) SetTheme(th *theme.Theme) { m.theme, m.cached = th, nil }

// Wait is how long until the menu must be drawn again because it is armed then.
func (m *Menu) Wait() time.Duration { return m.Arming.Wait(m.now()) }

// Key handles the name of a key.
func (m *Menu) Key(name string) Act {
	armed := m.Arming.Key(m.now())
	switch name {
	case "esc":
		return Cancelled
	case "up", "ctrl+p":
		return m.move(m.Selected - 1)
	case "down", "ctrl+n", "tab":
		return m.move(m.Selected + 1)
	case "home":
		return m.move(0)
	case "end":
		return m.move(len(m.Rows) - 1)
	case "pgup", "shift+up":
		return m.scrollBy(-max(m.page-1, 1))
	case "pgdown", "shift+down":
		return m.scrollBy(max(m.page-1, 1))
	case "enter":
		if armed && len(m.Rows) > 0 {
			return Chosen
		}
		return Nothing
	}
	if len(name) == 1 && name[0] >= '1' && name[0] <= '9' {
		if n := int(name[0] - '1'); n < len(m.Rows) {
			return m.move(n)
		}
		return Nothing
	}
	return m.letter(name, armed)
}

// letter also takes the capital, which Caps Lock makes of it.
func (m *Menu) letter(name string, armed bool) Act {
	if len(name) == 1 {
		name = strings.ToLower(name)
	}
	for i, row := range m.Rows {
		if row.Key != name || !armed {
			continue
		}
		m.Selected = i
		if row.MoveOnly {
			return Moved
		}
		return Chosen
	}
	return Nothing
}

func (m *Menu) move(to int) Act {
	m.Selected = min(max(to, 0), max(len(m.Rows)-1, 0))
	return Moved
}

func (m *Menu) scrollBy(n int) Act {
	m.scroll = max(min(m.scroll+n, len(m.cached)-m.page), 0)
	return Moved
}

// View draws the menu in at most height lines of exactly width cells.
func (m *Menu) View(width, height int) []string {
	now := m.now()
	m.Arming.Drawn(now)
	p := m.Panel(width)
	p.Focus, p.Hint = m.Selected, m.Hint
	armed := m.Arming.Armed(now)
	for i, row := range m.Rows {
		p.Rows = append(p.Rows, m.row(i, row, armed, width))
	}
	return m.Draw(p, width, height).Lines
}

// Panel is the panel of the menu without rows and hint, for a dialog that shows
// something else in their place.
func (m *Menu) Panel(width int) Panel {
	if m.Body != nil && (m.cached == nil || m.cachedAt != width) {
		m.cached, m.cachedAt = m.Body(width), width
	}
	return Panel{Title: m.Title, Body: m.cached, Scroll: m.scroll}
}

// Draw lays out a panel and keeps how far it scrolls.
func (m *Menu) Draw(p Panel, width, height int) Layout {
	l := p.Draw(m.theme, width, height)
	m.scroll, m.page = l.Scroll, l.BodyRows
	return l
}

func (m *Menu) row(i int, row Row, armed bool, width int) string {
	th := m.theme
	pointer := " "
	if i == m.Selected {
		pointer = th.Glyphs.Pointer
	}
	key := row.KeyLabel
	if key == "" {
		key = row.Key
	}
	if key != "" {
		key = " (" + key + ")"
	}
	head := fmt.Sprintf("%s %d ", pointer, i+1)
	room := max(width-theme.Width(head)-theme.Width(key), 1)
	line := head + text.TruncateWith(text.Line(row.Label), room, th.Glyphs.Ellipsis) + key
	detail := ""
	if row.Detail != "" {
		detail = "  " + text.Line(row.Detail)
	}
	switch {
	case !armed:
		return th.Dim.Render(th.Fit(line+detail, width))
	case i == m.Selected:
		return th.Selection.Render(th.Fit(line+detail, width))
	}
	return th.Fit(th.Text.Render(line)+th.Dim.Render(detail), width)
}
