package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/tui/branches"
)

// brancher is what the screen uses of a session's tree. Every method may wait for
// the disk, and all but Tree and Label for the person.
type brancher interface {
	Tree() (all []session.Item, leaf plan.EntryID)
	Move(ctx context.Context, to plan.EntryID) (again string, err error)
	Label(entry plan.EntryID, label string) error
	Fork(ctx context.Context, at plan.EntryID) (session string, err error)
	Compact(ctx context.Context, focus string) error
	MayLeave(ctx context.Context) bool
}

// actingMsg is a reply that knows itself what it changes.
type actingMsg interface{ act(*model) tea.Cmd }

// openTree reads the whole session and then shows its tree.
func (m *model) openTree() tea.Cmd {
	c := m.opts.Conductor
	return func() tea.Msg {
		all, leaf := c.Tree()
		return treeMsg{branches.Load(all, leaf)}
	}
}

// treeMsg brings the tree of the session.
type treeMsg struct{ source *branches.Source }

func (msg treeMsg) act(m *model) tea.Cmd {
	return m.browse(branches.New(msg.source, m.th, m.opts.Now()))
}

// browse shows the browser, or shows it again after it asked for something.
func (m *model) browse(b *branches.Browser) tea.Cmd {
	press := func(k tea.KeyPressMsg) (any, bool) {
		o := b.Key(k)
		return o, o.Do != branches.None
	}
	cmd := m.raise(layer{dialog: b, press: press, then: func(answer any) tea.Cmd {
		o, _ := answer.(branches.Outcome)
		return m.browsed(b, o)
	}})
	m.settled = time.Time{} // it was there before
	return cmd
}

// browsed does what the person chose in the tree.
func (m *model) browsed(b *branches.Browser, o branches.Outcome) tea.Cmd {
	c := m.opts.Conductor
	switch o.Do {
	case branches.Go:
		return m.moveTo(o.Entry)
	case branches.Fork:
		return m.fork(o.Entry)
	case branches.Label:
		return tea.Batch(m.browse(b), func() tea.Msg { return labelledMsg{b, o, c.Label(o.Entry, o.Text)} })
	case branches.Search:
		read := b.Haystack()
		return tea.Batch(m.browse(b), func() tea.Msg { return haystackMsg{b, read()} })
	}
	return nil
}

// haystackMsg brings what a search looks through.
type haystackMsg struct {
	browser *branches.Browser
	hay     branches.Haystack
}

func (msg haystackMsg) act(*model) tea.Cmd {
	msg.browser.Deliver(msg.hay)
	return nil
}

// labelledMsg says that a label is saved, or why not.
type labelledMsg struct {
	browser *branches.Browser
	outcome branches.Outcome
	err     error
}

func (msg labelledMsg) act(m *model) tea.Cmd {
	if msg.err != nil {
		return m.tell(failed, "The label was not saved: "+msg.err.Error())
	}
	msg.browser.Labelled(msg.outcome.Entry, msg.outcome.Text)
	return nil
}

// moveTo goes on from an entry. It may ask, so it waits its turn like a plan
// command.
func (m *model) moveTo(entry plan.EntryID) tea.Cmd {
	c := m.opts.Conductor
	var moved movedMsg
	return m.branching(func(ctx context.Context) error {
		var err error
		moved.again, err = c.Move(ctx, entry)
		return err
	}, func() actingMsg { return moved })
}

// movedMsg brings back what the person had said where they went.
type movedMsg struct{ again string }

func (msg movedMsg) act(m *model) tea.Cmd {
	if msg.again == "" {
		return nil
	}
	text := msg.again
	if !m.composer.Empty() {
		text += "\n\n" + m.composer.Text()
	}
	m.composer.SetText(text)
	return m.saveDraft()
}

// compact shortens what the agent is told.
func (m *model) compact(focus string) tea.Cmd {
	c := m.opts.Conductor
	return m.planning(func(ctx context.Context) error { return c.Compact(ctx, focus) })
}

// branching runs like a plan command and then gives the screen what came of it. A
// move to where the conversation is anyway is no failure.
func (m *model) branching(run planCommand, then func() actingMsg) tea.Cmd {
	ctx, result := m.ctx, make(chan actingMsg, 1)
	cmd := m.planning(func(ctx context.Context) error {
		defer close(result)
		err := run(ctx)
		if err == nil {
			result <- then()
		}
		return err
	})
	return tea.Batch(cmd, func() tea.Msg {
		select {
		case msg, ok := <-result:
			if ok {
				return msg
			}
		case <-ctx.Done():
		}
		return nil
	})
}

// here says in words that nothing had to be done.
func here(err error) (string, bool) {
	if !errors.Is(err, session.ErrHere) {
		return "", false
	}
	return strings.ToUpper(session.ErrHere.Error()[:1]) + session.ErrHere.Error()[1:], true
}
