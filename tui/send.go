package tui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/image"
	"planmode/plan/session"
)

// outbox sends messages one after the other, in the order they were written.
type outbox struct {
	waiting []letter
	sending bool
}

// letter is a message on its way, with the images that it still only names.
type letter struct {
	text  string
	named []image.Named
}

type sentMsg struct {
	text string
	err  error
}

// submit acts on what was sent from the composer: a command or a message.
func (m *model) submit(text string, named []image.Named) tea.Cmd {
	m.said = append(m.said, text)
	isPath := len(named) > 0 && strings.HasPrefix(text, named[0].Raw)
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") && !isPath {
		return tea.Batch(m.command(image.Plain(text)), m.saveDraft())
	}
	m.transcript.List().Follow()
	if command, ok := strings.CutPrefix(text, "!"); ok && strings.TrimSpace(command) != "" {
		return tea.Batch(m.shell(text, image.Plain(command)), m.saveDraft())
	}
	m.outbox.waiting = append(m.outbox.waiting, letter{text, named})
	return tea.Batch(m.sendNext(), m.saveDraft())
}

// shell runs a command of the person's own. It does not wait for a turn, so that
// it runs when it was meant to or not at all.
func (m *model) shell(typed, command string) tea.Cmd {
	c := m.opts.Conductor
	return func() tea.Msg { return ranMsg{typed, c.Shell(command)} }
}

type ranMsg struct {
	typed string
	err   error
}

func (m *model) ran(msg ranMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	if m.composer.Empty() {
		m.composer.SetText(msg.typed)
	}
	return tea.Batch(m.draftChanged(), m.tell(failed, "The command did not run: "+msg.err.Error()))
}

func (m *model) sendNext() tea.Cmd {
	if m.outbox.sending || len(m.outbox.waiting) == 0 {
		return nil
	}
	l := m.outbox.waiting[0]
	m.outbox.waiting = m.outbox.waiting[1:]
	m.outbox.sending = true
	c := m.opts.Conductor
	return func() tea.Msg {
		text, err := showNamed(c, l)
		if err == nil {
			err = c.Send(text)
		}
		return sentMsg{l.text, err}
	}
}

// sent goes on with the next message. What could not be sent comes back for
// another try, unless the person already writes something else: then it is in
// the composer's history.
func (m *model) sent(msg sentMsg) tea.Cmd {
	m.outbox.sending = false
	next := m.sendNext()
	if msg.err == nil {
		return next
	}
	if m.composer.Empty() {
		m.composer.SetText(msg.text)
	}
	return tea.Batch(next, m.draftChanged(), m.tell(failed, "The message was not sent: "+msg.err.Error()))
}

// held is true when messages wait that nothing will send: a turn that was
// interrupted or that failed keeps what was queued behind it.
func (m *model) held() bool { return !m.view.Running && len(m.view.Queue) > 0 }

// sendHeld goes on with what waits. The last message is sent again, which puts it
// behind the others and lets the first one begin.
func (m *model) sendHeld() tea.Cmd {
	last, ok := m.opts.Conductor.Unqueue()
	if !ok {
		return nil
	}
	m.transcript.List().Follow()
	m.outbox.waiting = append(m.outbox.waiting, letter{text: last})
	return m.sendNext()
}

// unqueue takes the last queued message back into the composer.
func (m *model) unqueue() (tea.Cmd, bool) {
	text, ok := m.opts.Conductor.Unqueue()
	if !ok {
		return nil, false
	}
	m.composer.SetText(text)
	return m.saveDraft(), true
}

type planDoneMsg struct{ err error }

// toggle turns Plan Mode on or off.
func (m *model) toggle() tea.Cmd {
	c := m.opts.Conductor
	return m.planning(c.Toggle)
}

// plan runs `/plan` with its argument.
func (m *model) plan(arg string) tea.Cmd {
	switch {
	case arg == "steps":
		return m.toggleSteps()
	case arg == "show" && m.opts.Show != nil:
		return m.readPlan()
	}
	c := m.opts.Conductor
	return m.planning(func(ctx context.Context) error { return c.Plan(ctx, arg) })
}

// planCommand is a plan command to run; it may ask, and review.
type planCommand func(context.Context) error

// planning runs plan commands one after the other, in the order in which they
// were given: what was typed while the one before still writes is not lost.
func (m *model) planning(run planCommand) tea.Cmd {
	m.transcript.List().Follow() // the answer is at the end
	m.planned = append(m.planned, run)
	return m.planNext()
}

func (m *model) planNext() tea.Cmd {
	if m.busy || len(m.planned) == 0 {
		return nil
	}
	run := m.planned[0]
	m.planned = m.planned[1:]
	m.busy = true
	ctx := m.ctx
	return func() tea.Msg { return planDoneMsg{run(ctx)} }
}

func (m *model) planDone(msg planDoneMsg) tea.Cmd {
	m.busy = false
	next := m.planNext()
	if text, ok := here(msg.err); ok {
		return tea.Batch(next, m.tell(said, text))
	}
	switch {
	case msg.err == nil, errors.Is(msg.err, context.Canceled):
		return next
	case errors.Is(msg.err, session.ErrUsage), errors.Is(msg.err, session.ErrModeUsage):
		return tea.Batch(next, m.tell(warned, msg.err.Error()))
	}
	return tea.Batch(next, m.tell(failed, msg.err.Error()))
}

// toggleSteps expands or collapses the plan summary.
func (m *model) toggleSteps() tea.Cmd {
	if len(m.plans(max(m.width, 1), m.steps)) == 0 {
		return m.noPlan()
	}
	m.steps = !m.steps
	return nil
}

// noPlan says that there is no plan to show, and how one comes to be.
func (m *model) noPlan() tea.Cmd {
	if m.view.State.IsPlanning() {
		return m.tell(said, "No current Plan. Describe the goal, and one is written.")
	}
	return m.tell(said, "No current Plan. /plan on starts one.")
}
