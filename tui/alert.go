package tui

import (
	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/revdiff"
)

// alerts remembers what the person was already called for.
type alerts struct {
	reviewed bool // a review was announced; its card is the same event
}

// alert rings once for a request that the person did not cause: with a plan
// command of their own running, they are looking at the screen.
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
	case session.Question, session.Confirmation:
		what = "planmode has a question"
	}
	if m.busy || !m.opts.Notify {
		return nil
	}
	return tea.Raw("\a\x1b]9;" + what + "\a")
}
