package reviewer

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"planmode/plan/text"
	"planmode/tui/theme"
)

const (
	maxNote = 64 << 10
	boxRows = 8

	// pause is how long the keyboard rests before half-typed text is saved.
	pause = 300 * time.Millisecond
)

// noteBox is the text box of a note in the making.
type noteBox struct {
	target target
	area   textarea.Model
	edits  int // counts changes, so that an old timer saves nothing
}

// pauseMsg says that a pause after a change of the box is over.
type pauseMsg struct{ edits int }

func (m *Model) open(t target) tea.Cmd {
	body := ""
	if n, ok := m.notes.notes[t.place]; ok {
		body = n.body
	}
	if n, ok := m.notes.drafts[t.place]; ok {
		body = n.body
		if t.end == 0 {
			t.end = n.end
		}
	}
	area := textarea.New()
	area.Prompt, area.ShowLineNumbers, area.CharLimit = "", false, maxNote
	area.MaxHeight = 0
	area.SetVirtualCursor(false)
	area.KeyMap.InsertNewline.SetKeys("alt+enter", "shift+enter", "ctrl+j")
	area.KeyMap.Paste.SetEnabled(false) // the terminal pastes; no program is run for it
	area.SetValue(body)
	m.box = &noteBox{target: t, area: area}
	m.box.style(m.theme)
	m.notes.versions[t.place]++ // its half-typed text is not drawn while it is here
	focus := m.box.area.Focus()
	m.layout()
	m.list.Show(m.list.Selected())
	return focus
}

func (b *noteBox) style(t *theme.Theme) {
	plain := textarea.StyleState{
		Base: lipgloss.NewStyle(), Text: t.Text, LineNumber: t.Dim, CursorLineNumber: t.Dim, CursorLine: t.Text,
		EndOfBuffer: t.Dim, Placeholder: t.Dim, Prompt: t.Prompt, Selection: t.Selection,
	}
	b.area.SetStyles(textarea.Styles{Focused: plain, Blurred: plain})
	b.area.EndOfBufferCharacter = ' '
}

func (m *Model) boxKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		t, body := m.box.target, m.box.area.Value()
		m.closeBox()
		return m.keep(t, body)
	case "esc":
		return m.stashBox()
	case "ctrl+e":
		return m.edit()
	}
	return m.boxChange(func(area *textarea.Model) tea.Cmd {
		var cmd tea.Cmd
		*area, cmd = area.Update(msg)
		return cmd
	})
}

func (m *Model) boxPaste(content string) tea.Cmd {
	return m.boxChange(func(area *textarea.Model) tea.Cmd {
		area.InsertString(text.Clean(content))
		return nil
	})
}

// boxChange changes the text and has it saved once the keyboard rests.
func (m *Model) boxChange(change func(*textarea.Model) tea.Cmd) tea.Cmd {
	before := m.box.area.Value()
	cmd := change(&m.box.area)
	if m.box.area.Value() == before {
		return cmd
	}
	m.box.edits++
	m.layout()
	edits := m.box.edits
	return tea.Batch(cmd, tea.Tick(pause, func(time.Time) tea.Msg { return pauseMsg{edits} }))
}

func (m *Model) paused(msg pauseMsg) tea.Cmd {
	if m.box == nil || m.box.edits != msg.edits {
		return nil
	}
	return m.save()
}

// stashBox closes the box and keeps what was typed as unfinished, unless it says
// what the note says already.
func (m *Model) stashBox() tea.Cmd {
	n := m.box.draft()
	m.closeBox()
	if m.notes.notes[n.place].body == n.body {
		n.body = ""
	}
	m.notes.stash(n)
	m.relayWhole()
	if n.body != "" {
		m.message = "kept as a half-typed note; a goes on with it"
	}
	return m.save()
}

func (b *noteBox) draft() note {
	return note{place: b.target.place, end: b.target.end, body: strings.TrimRight(b.area.Value(), "\n")}
}

func (m *Model) closeBox() {
	m.notes.versions[m.box.target.place]++
	m.box = nil
	m.layout()
}

// boxHeight is the rows of the text in the box.
func (m *Model) boxHeight() int {
	if m.box == nil {
		return 0
	}
	rows := 0
	for line := range strings.SplitSeq(m.box.area.Value(), "\n") {
		rows += 1 + text.Width(line)/max(m.width-2, 1)
		if rows >= boxRows {
			break
		}
	}
	return max(1, min(max(rows, 2), boxRows, m.height/2-1))
}

// boxView draws the box with its title, and gives the cursor inside it.
func (m *Model) boxView() ([]string, *tea.Cursor) {
	title := "Note on " + m.box.target.String()
	out := []string{m.theme.Rule(title, m.width)}
	for _, line := range strings.Split(m.box.area.View(), "\n") {
		out = append(out, m.theme.Fit(" "+line, m.width))
	}
	c := m.box.area.Cursor()
	if c != nil {
		c.X++
		c.Y++
	}
	return out, c
}
