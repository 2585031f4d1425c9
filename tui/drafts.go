package tui

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// draftRest is how long the person must not type before the text is saved.
const draftRest = time.Second

// drafts saves the text being written. Saves may overlap; a later text is never
// overwritten by an earlier one.
type drafts struct {
	seq  int // of the latest change
	save func(string) error

	mu      sync.Mutex
	written int    // seq of the text saved last
	saved   string // that text
}

type draftDueMsg struct{ seq int }

type draftSavedMsg struct{ err error }

// put saves the text of change seq, unless a later one was saved before.
func (d *drafts) put(seq int, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if seq < d.written || text == d.saved {
		return nil
	}
	if err := d.save(text); err != nil {
		return err
	}
	d.written, d.saved = seq, text
	return nil
}

// final saves the text at the end of the screen.
func (d *drafts) final(text string) error { return d.put(d.seq+1, text) }

// draftChanged saves what is written once the person rests.
func (m *model) draftChanged() tea.Cmd {
	m.drafts.seq++
	return m.after(draftRest, draftDueMsg{m.drafts.seq})
}

func (m *model) draftDue(msg draftDueMsg) tea.Cmd {
	if msg.seq != m.drafts.seq {
		return nil // typed since
	}
	return m.saveDraft()
}

// saveDraft saves what is written now.
func (m *model) saveDraft() tea.Cmd {
	m.drafts.seq++
	d, seq, text := &m.drafts, m.drafts.seq, m.composer.Text()
	return func() tea.Msg { return draftSavedMsg{d.put(seq, text)} }
}

func (m *model) draftSaved(msg draftSavedMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	return m.tell(warned, "The text being written could not be saved: "+msg.err.Error())
}
