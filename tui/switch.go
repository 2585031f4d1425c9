package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/tui/overlay"
)

// Next is where the person goes on after this screen: in the session of that id, in
// a new one, or nowhere.
type Next struct {
	Session string
	New     bool
}

// leaveFor closes this session for another one. What is being written is kept with
// this one; a turn that runs is asked about first.
func (m *model) leaveFor(next Next) tea.Cmd {
	c := m.opts.Conductor
	leave := leaveMsg{}
	return m.branching(func(ctx context.Context) error {
		if c.MayLeave(ctx) {
			leave.next = next
		}
		return nil
	}, func() actingMsg { return leave })
}

// leaveMsg ends the screen, if the person did not think better of it.
type leaveMsg struct{ next Next }

func (msg leaveMsg) act(m *model) tea.Cmd {
	if msg.next == (Next{}) {
		return nil
	}
	m.next = msg.next
	return tea.Quit
}

// fork goes on in a new session from an entry, or from the end.
func (m *model) fork(at plan.EntryID) tea.Cmd {
	c := m.opts.Conductor
	leave := leaveMsg{}
	return m.branching(func(ctx context.Context) (err error) {
		leave.next.Session, err = c.Fork(ctx, at)
		return err
	}, func() actingMsg { return leave })
}

// earlierMsg brings the sessions that can be resumed.
type earlierMsg struct {
	sessions   []Earlier
	everywhere bool
	err        error
}

func (m *model) listEarlier(everywhere bool) tea.Cmd {
	if m.opts.Earlier == nil {
		return m.tell(warned, "Earlier sessions cannot be listed here")
	}
	ctx, list := m.ctx, m.opts.Earlier
	return func() tea.Msg {
		s, err := list(ctx, everywhere)
		return earlierMsg{s, everywhere, err}
	}
}

func (msg earlierMsg) act(m *model) tea.Cmd {
	switch {
	case msg.err != nil:
		return m.tell(failed, "Earlier sessions could not be listed: "+msg.err.Error())
	case len(msg.sessions) == 0 && msg.everywhere:
		return m.tell(said, "There is no other session")
	case len(msg.sessions) == 0:
		return tea.Batch(m.tell(said, "There is no other session in this directory; these are of others"), m.listEarlier(true))
	}
	return m.chooseEarlier(msg)
}

// elsewhere stands for the key that lists the sessions of every directory.
const elsewhere = -2

// chooseEarlier shows the list. Tab goes between this directory and all.
func (m *model) chooseEarlier(msg earlierMsg) tea.Cmd {
	entries := make([]overlay.Found, len(msg.sessions))
	for i, e := range msg.sessions {
		entries[i] = overlay.Found{Label: e.Title, Detail: e.Detail, Text: e.ID + " " + e.Text}
	}
	title := "Resume a session of this directory " + m.th.Glyphs.Dot + " Tab lists all"
	if msg.everywhere {
		title = "Resume a session " + m.th.Glyphs.Dot + " Tab lists those of this directory"
	}
	d := overlay.NewFinder(title, entries, m.th)
	press := func(k tea.KeyPressMsg) (any, bool) {
		if k.String() == "tab" {
			return elsewhere, true
		}
		choice, done := d.Key(k)
		return choice, done
	}
	cmd := m.raise(layer{dialog: d, press: press, then: func(answer any) tea.Cmd {
		switch i, _ := answer.(int); {
		case i == elsewhere:
			return m.listEarlier(!msg.everywhere)
		case i >= 0:
			return m.leaveFor(Next{Session: msg.sessions[i].ID})
		}
		return nil
	}})
	m.settled = time.Time{} // Tab leads from one list to the other
	return cmd
}
