package reviewer

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// target is what a note in the making is about.
type target struct {
	place
	end int
}

func (t target) String() string {
	switch {
	case t.line == 0:
		return "the whole file"
	case t.end > 0:
		return fmt.Sprintf("lines %d-%d", t.line, t.end)
	case t.op == opRemoved:
		return fmt.Sprintf("removed line %d", t.line)
	}
	return fmt.Sprintf("line %d", t.line)
}

// annotate opens the note on the cursor's line, or on the selected range.
func (m *Model) annotate() tea.Cmd {
	t, ok := m.selection()
	if !ok {
		m.message = "there is no line here"
		return nil
	}
	return m.open(t)
}

func (m *Model) annotateWhole() tea.Cmd { return m.open(target{place: wholeFile}) }

// selection is the target of the cursor. A range takes the lines of one side
// kind only: the added ones if there are any, else the unchanged, else the removed.
func (m *Model) selection() (target, bool) {
	cursor := m.list.Selected()
	if m.rangeFrom < 0 || m.rangeFrom == cursor {
		p, ok := m.placeAt(cursor)
		t := target{place: p}
		if n, noted := m.notes.notes[p]; noted {
			t.end = n.end
		} else if ok {
			t.end = m.covered(cursor, p)
		}
		return t, ok
	}
	from, to := min(m.rangeFrom, cursor), max(m.rangeFrom, cursor)
	var t target
	for i := from; i <= to; i++ {
		p, ok := m.placeAt(i)
		if !ok || p == wholeFile {
			continue
		}
		switch {
		case t.line == 0, rank(p.op) > rank(t.op):
			t = target{place: p}
		case p.op == t.op:
			t.end = p.line
		}
	}
	if p, ok := m.placeAt(to); ok && p.op == t.op {
		t.end = max(t.end, m.covered(to, p))
	}
	return t, t.line > 0
}

// rank orders the kinds of lines by how much a range that holds several is
// about them.
func rank(op byte) int {
	switch op {
	case opAdded:
		return 2
	case opSame:
		return 1
	}
	return 0
}

func (m *Model) inRange(i int) bool {
	if m.rangeFrom < 0 {
		return false
	}
	cursor := m.list.Selected()
	return i >= min(m.rangeFrom, cursor) && i <= max(m.rangeFrom, cursor)
}

func (m *Model) toggleRange() {
	if m.rangeFrom >= 0 {
		m.rangeFrom = -1
		return
	}
	m.rangeFrom = m.list.Selected()
	m.message = "move to the other end, then a; Esc cancels"
}

// extend starts a range if there is none and moves its end.
func (m *Model) extend(move func()) {
	if m.rangeFrom < 0 {
		m.rangeFrom = m.list.Selected()
	}
	move()
}

// keep puts a finished note into the notebook and has it saved.
func (m *Model) keep(n note) tea.Cmd {
	m.notes.set(n.clean())
	m.rangeFrom = -1
	if n.place == wholeFile {
		m.relayWhole()
		m.message = "note on the whole file kept; it stands at the top"
	}
	m.list.Show(m.list.Selected())
	return m.save()
}

// relayWhole makes the list anew after the note on the whole file came or went,
// which is the one note that is an item of its own.
func (m *Model) relayWhole() {
	if m.hasWhole() == (len(m.items) > 0 && m.items[0].edit == itemWhole) {
		return
	}
	m.relay()
}

func (m *Model) deleteNote() tea.Cmd {
	p, ok := m.placeAt(m.list.Selected())
	if !ok {
		return nil
	}
	return m.deleteAt(p)
}

func (m *Model) deleteAt(p place) tea.Cmd {
	_, typed := m.notes.drafts[p]
	switch {
	case m.notes.remove(p):
		m.message = "note deleted; u brings it back"
	case typed:
		m.notes.stash(note{place: p})
		m.message = "half-typed note dropped"
	default:
		m.message = "no note on this line"
		return nil
	}
	m.relayWhole()
	return m.save()
}

func (m *Model) undoNote() tea.Cmd {
	p, ok := m.notes.undo()
	if !ok {
		m.message = "nothing to bring back"
		return nil
	}
	m.relayWhole()
	m.reveal(p)
	m.message = "note is back"
	return m.save()
}
