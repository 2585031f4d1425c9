package reviewer

import (
	"errors"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
)

// retryAfter is how long a draft that could not be saved waits for the next try.
const retryAfter = time.Second

// keeper saves what is written as fast as the disk takes it: one save runs at a
// time, and what was typed meanwhile is saved right after it. What a kill can
// take is therefore what was typed during one write, some milliseconds.
type keeper struct {
	snapshots int
	running   bool
	again     bool  // something was written since the running save began
	failed    error // of the last save; what is written is in memory only
	notes     int   // how many the last good save holds: what the screen counts
}

type (
	savedMsg struct {
		err   error
		notes int
	}
	retryMsg struct{}
)

// save writes the notes away from the loop. It is called after every change.
func (m *Model) save() tea.Cmd {
	if m.keeper.running {
		m.keeper.again = true
		return nil
	}
	m.keeper.running, m.keeper.again = true, false
	s := m.snapshot()
	return func() tea.Msg { return savedMsg{m.saver.save(s), len(s.notes)} }
}

func (m *Model) saved(msg savedMsg) tea.Cmd {
	m.keeper.running = false
	before := m.keeper.failed
	if m.keeper.failed = msg.err; msg.err == nil {
		m.keeper.notes = msg.notes
	}
	switch {
	case msg.err != nil:
		m.layout()
		return tea.Tick(retryAfter, func(time.Time) tea.Msg { return retryMsg{} })
	case before != nil:
		m.message = "saved again; nothing was lost"
		m.layout()
	}
	if m.keeper.again {
		return m.save()
	}
	return nil
}

func (m *Model) retried() tea.Cmd {
	if m.keeper.failed == nil || m.keeper.running {
		return nil
	}
	return m.save()
}

// unsaved says what is wrong with the disk, or nothing.
func (m *Model) unsaved() string {
	if m.keeper.failed == nil {
		return ""
	}
	return "NOT SAVED (" + reason(m.keeper.failed) + "). Kept in memory, tried again each second"
}

// reason is why the system refused, without the path that is not what a person
// can help; the whole error if it was not the system.
func reason(err error) string {
	var refused syscall.Errno
	if errors.As(err, &refused) {
		return refused.Error()
	}
	return text.Line(err.Error())
}
