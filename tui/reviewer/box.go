package reviewer

import (
	"fmt"
	"strings"

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
)

// noteBox is the text box of a note in the making. It holds one part of the note,
// the comment or the suggested text; rest has the other.
type noteBox struct {
	*composer.Box
	target   target
	rest     note
	suggests bool   // the box holds the suggested text
	was      string // what it held when it was opened on the lines themselves
	edits    int    // counts changes, so that an old timer saves nothing
}

// open opens the comment of the note at a place.
func (m *Model) open(t target) tea.Cmd {
	n := m.begin(&t)
	m.openBox(&noteBox{target: t, rest: n}, n.body)
	return nil
}

// begin is the note that a box on t goes on with.
func (m *Model) begin(t *target) note {
	n := m.notes.at(t.place)
	if _, typed := m.notes.drafts[t.place]; typed && t.end == 0 {
		t.end = n.end
	}
	n.end = t.end
	return n
}

func (m *Model) openBox(b *noteBox, value string) {
	b.Box = composer.NewBox(m.theme, "")
	b.SetValue(value)
	m.box = b
	m.notes.versions[b.target.place]++ // its half-typed text is not drawn while it is here
	m.layout()
	m.list.Show(m.list.Selected())
}

func (m *Model) boxKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		n := m.box.note()
		m.closeBox()
		return m.keep(n)
	case "esc":
		return m.stashBox()
	case "ctrl+e":
		return m.edit()
	case "ctrl+l":
		return m.boxChange(m.nextLabel)
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

// boxChange changes the text and has it saved.
func (m *Model) boxChange(change func()) tea.Cmd {
	before, label := m.box.Value(), m.box.rest.label
	change()
	if m.box.Value() == before && m.box.rest.label == label {
		return nil
	}
	m.box.edits++
	m.layout()
	return m.save()
}

// stashBox closes the box and keeps what was typed as unfinished, unless it says
// what the note says already.
func (m *Model) stashBox() tea.Cmd {
	n, untouched := m.box.note(), m.box.untouched()
	m.closeBox()
	if before := m.notes.notes[n.place]; untouched || before.says(n) {
		n = note{place: n.place}
	}
	m.notes.stash(n)
	m.relayWhole()
	if !n.empty() {
		m.message = "kept as a half-typed note; a goes on with it"
		if n.suggests {
			m.message = "kept as a half-typed suggestion; c goes on with it"
		}
	}
	return m.save()
}

// note is the note as it stands in the box.
func (b *noteBox) note() note {
	n := b.rest
	n.place, n.end = b.target.place, b.target.end
	typed := strings.TrimRight(b.Value(), "\n")
	switch {
	case !b.suggests:
		n.body = typed
	case b.untouched():
		n.suggests, n.with = false, ""
	default:
		n.suggests, n.with = true, typed
	}
	return n
}

// untouched says whether a suggestion still reads as the lines do.
func (b *noteBox) untouched() bool { return b.suggests && b.was != "" && b.Value() == b.was }

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
	title := m.box.title()
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

// title says what the box is for.
func (b *noteBox) title() string {
	label := ""
	if b.rest.label != "" {
		label = " [" + text.Line(b.rest.label) + "]"
	}
	if b.suggests {
		return "Suggested text for " + b.target.String() + label
	}
	return "Note on " + b.target.String() + label
}

// boxHints are the keys of the box.
func (m *Model) boxHints() []string {
	hints := []string{"Enter keep", "Esc set aside", "Alt+Enter new line", "Ctrl+E editor"}
	if len(m.labels) > 0 {
		hints = append(hints, "Ctrl+L label")
	}
	return hints
}
