package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planmode/plan/session"
	"planmode/revdiff"
)

// alerts remembers what the person was already called for, and how this terminal
// can call.
type alerts struct {
	reviewed bool // a review was announced; its card is the same event
	focused  bool // the terminal said that it has the focus
	terminal abilities
}

// learn takes what the terminal says of itself.
func (a *alerts) learn(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.EnvMsg:
		a.terminal = abilitiesOf(msg.Getenv)
	case tea.FocusMsg:
		a.focused = true
	case tea.BlurMsg:
		a.focused = false
	}
}

// alert rings once for a request that the person did not cause: with a plan
// command of their own running, they are looking at the screen. Texts are fixed:
// they leave the screen, and nothing of a plan may.
func (m *model) alert(spec any) tea.Cmd {
	what := "planmode needs you"
	switch spec.(type) {
	case *revdiff.Job:
		what = "A plan is ready for review"
		m.alerts.reviewed = true
	case session.Card:
		what = "A plan waits for your decision"
		if m.alerts.reviewed {
			m.alerts.reviewed = false
			return nil
		}
	case session.Permit:
		what = "The agent asks for permission"
	case session.QuestionSet:
		what = "The agent asks you something"
	case session.Question, session.Confirmation:
		what = "planmode has a question"
	}
	if m.busy || !m.opts.Notify {
		return nil
	}
	return tea.Raw("\a" + m.toast(what))
}

// toast is a notification of the desktop, or nothing where something else shows
// one or the person has the terminal before them. The bell rings all the same:
// having the focus does not mean that somebody looks.
func (m *model) toast(what string) string {
	if m.opts.BellOnly || m.alerts.focused {
		return ""
	}
	return m.alerts.terminal.toast(what)
}

// Leftovers puts back what a screen that could not end itself leaves on the
// terminal beside its modes: the title, and the state in the task bar.
func Leftovers(getenv func(string) string) string {
	reset := ansi.SetWindowTitle("")
	if abilitiesOf(getenv).progress {
		reset += ansi.ResetProgressBar
	}
	return reset
}

// standing is what goes on, for a title or a task bar.
type standing int

const (
	resting standing = iota
	working
	needed // the session waits for the person
)

func (m *model) standing() standing {
	for _, l := range m.layers {
		if l.req != nil {
			return needed
		}
	}
	if m.view.Running {
		return working
	}
	return resting
}

// progress is the state for the task bar and the tab, where the terminal shows
// one and the person wants to be told things.
func (m *model) progress() *tea.ProgressBar {
	if !m.opts.Notify || !m.alerts.terminal.progress {
		return nil
	}
	switch m.standing() {
	case needed:
		return tea.NewProgressBar(tea.ProgressBarWarning, 100)
	case working:
		if m.opts.Still {
			break // it pulses
		}
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	// Not nil, which writes nothing at the start: a run that was killed may have
	// left its state there.
	return tea.NewProgressBar(tea.ProgressBarNone, 0)
}
