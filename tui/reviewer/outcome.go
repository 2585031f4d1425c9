package reviewer

import (
	"os"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/store"
)

type (
	flushedMsg struct {
		notes int
		err   error
	}
	signalMsg struct{ signal os.Signal }
)

// snapshot copies what is written, the text in the box included.
func (m *Model) snapshot() snapshot {
	m.keeper.snapshots++
	s := snapshot{seq: m.keeper.snapshots, notes: m.notes.sorted(), typed: m.notes.sortedDrafts(), marks: m.marks(), card: m.cardTyped}
	if p, ok := m.placeAt(m.list.Selected()); ok && p.op != opRemoved {
		s.line = p.line
	}
	if m.box == nil {
		return s
	}
	d := m.box.note()
	if m.box.untouched() || d.empty() || d.says(m.notes.notes[d.place]) {
		return s
	}
	typed := []note{d}
	for _, n := range s.typed {
		if n.place != d.place {
			typed = append(typed, n)
		}
	}
	s.typed = typed
	return s
}

// flush writes the output now and goes on.
func (m *Model) flush() tea.Cmd {
	if m.opts.Output == "" {
		m.message = "no output file was given; q prints the notes"
		return nil
	}
	raw, n := m.output(), m.notes.count()
	if n == 0 {
		m.message = "there are no notes to hand over"
		return nil
	}
	return func() tea.Msg { return flushedMsg{n, store.ReplaceFile(m.opts.Output, raw)} }
}

func (m *Model) flushed(msg flushedMsg) {
	m.message = text.Count(msg.notes, "note") + " handed over"
	if msg.err != nil {
		m.message = text.Line(msg.err.Error())
	}
}

// signalled ends the review without a result.
func (m *Model) signalled(msg signalMsg) tea.Cmd {
	m.signal = msg.signal
	return m.end(endSignal)
}
