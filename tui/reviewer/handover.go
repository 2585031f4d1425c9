package reviewer

import (
	tea "charm.land/bubbletea/v2"

	"planmode/store"
)

// handedMsg reports whether the notes are in the output.
type handedMsg struct{ err error }

// handOver writes the notes while the screen is still there. A disk that is full
// is then something the person can put right; after the end the notes would be
// gone with the program. Without notes, or with standard output as the place for
// them, there is nothing to wait for.
func (m *Model) handOver() tea.Cmd {
	raw := m.output()
	if len(raw) == 0 || m.opts.Output == "" {
		return m.end(endDone)
	}
	m.handing = true
	path, told := m.opts.Output, m.writeOutcome
	return func() tea.Msg {
		if err := told(); err != nil {
			return handedMsg{err}
		}
		return handedMsg{store.ReplaceFile(path, raw)}
	}
}

// handed ends the review, or goes on with it when the notes could not be written.
func (m *Model) handed(msg handedMsg) tea.Cmd {
	m.handing = false
	if msg.err != nil {
		m.message, m.urgent = "NOT handed over ("+reason(msg.err)+"). q tries again, Q leaves without the notes", true
		return nil
	}
	m.delivered = true
	return m.end(endDone)
}
