package reviewer

import (
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/store"
)

type (
	savedMsg   struct{ err error }
	flushedMsg struct {
		notes int
		err   error
	}
	signalMsg struct{ signal os.Signal }
)

// snapshot copies the notes, the text in the box included.
func (m *Model) snapshot() snapshot {
	m.snapshots++
	s := snapshot{seq: m.snapshots, notes: m.notes.sorted(), typed: m.notes.sortedDrafts()}
	if m.box == nil {
		return s
	}
	d := m.box.draft()
	if d.body == "" || d.body == m.notes.notes[d.place].body {
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

// save writes the notes away from the loop. It is called after every change.
func (m *Model) save() tea.Cmd {
	s := m.snapshot()
	return func() tea.Msg { return savedMsg{m.saver.save(s)} }
}

func (m *Model) saved(msg savedMsg) {
	if msg.err != nil {
		m.message = text.Line(fmt.Sprintf("the draft was not saved: %v", msg.err))
	}
}

// flush writes the output now and goes on.
func (m *Model) flush() tea.Cmd {
	if m.opts.Output == "" {
		m.message = "no output file was given; q prints the notes"
		return nil
	}
	raw, n := m.notes.format(m.subject.key), len(m.notes.notes)
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
