package reviewer

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/tui/composer"
)

const (
	maxNote = 64 << 10
	boxRows = 8

	// maxTyped is what the box takes; longer notes come from the editor. The text
	// area lays out all of its text at every key.
	maxTyped = 16 << 10

	// pause is how long the keyboard rests before half-typed text is saved.
	pause = 300 * time.Millisecond
)

// noteBox is the text box of a note in the making.
type noteBox struct {
	*composer.Box
	target target
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
	m.box = &noteBox{Box: composer.NewBox(m.theme, ""), target: t}
	m.box.SetValue(body)
	m.notes.versions[t.place]++ // its half-typed text is not drawn while it is here
	m.layout()
	m.list.Show(m.list.Selected())
	return nil
}

func (m *Model) boxKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		t, body := m.box.target, m.box.Value()
		m.closeBox()
		return m.keep(t, body)
	case "esc":
		return m.stashBox()
	case "ctrl+e":
		return m.edit()
	case "alt+enter", "shift+enter", "ctrl+j":
		return m.boxInsert("\n")
	}
	if msg.Text != "" {
		return m.boxInsert(msg.Text)
	}
	return m.boxChange(func() { m.box.Key(msg) })
}

// boxInsert puts text at the cursor as far as the box takes it.
func (m *Model) boxInsert(s string) tea.Cmd {
	s = text.Clean(s)
	if room := max(maxTyped-len(m.box.Value()), 0); len(s) > room {
		m.message = fmt.Sprintf("the box takes %d KiB, the rest was left out; Ctrl+E opens your editor for more", maxTyped>>10)
		s = strings.ToValidUTF8(s[:room], "")
	}
	return m.boxChange(func() { m.box.Insert(s) })
}

// boxChange changes the text and has it saved once the keyboard rests.
func (m *Model) boxChange(change func()) tea.Cmd {
	before := m.box.Value()
	change()
	if m.box.Value() == before {
		return nil
	}
	m.box.edits++
	m.layout()
	edits := m.box.edits
	return tea.Tick(pause, func(time.Time) tea.Msg { return pauseMsg{edits} })
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
	return note{place: b.target.place, end: b.target.end, body: strings.TrimRight(b.Value(), "\n")}
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
	for line := range strings.SplitSeq(m.box.Value(), "\n") {
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
	rows := m.box.View(max(m.width-2, 1), m.boxHeight())
	for row := range m.boxHeight() {
		line := ""
		if row < len(rows) {
			line = " " + rows[row]
		}
		out = append(out, m.theme.Fit(line, m.width))
	}
	x, y := m.box.Cursor()
	return out, tea.NewCursor(x+1, y+1)
}

// boxHints are the keys of the box.
func (m *Model) boxHints() []string {
	return []string{"Enter keep", "Esc set aside", "Alt+Enter new line", "Ctrl+E editor"}
}
