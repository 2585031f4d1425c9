package tui

import (
	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/tui/overlay"
)

// offerFork asks how to go on with a session that another process has open. Only
// reading is what Escape stands for: it touches nothing.
func (m *model) offerFork() tea.Cmd {
	const look, fork = 0, 1
	q := session.Question{
		Title: "This session is open in another planmode",
		Body: "It is open in " + m.opts.Held + ". Only one can write, so that nothing is lost. " +
			"A fork is a session of your own that goes on from here; the other one stays as it is.",
		Choices: []session.Choice{
			{Label: "Read it here", Detail: "nothing can be sent or decided"},
			{Label: "Go on in a fork", Detail: "/fork does it later, too"},
		},
		Cancel: look,
	}
	d := overlay.NewChooser(q, m.th, m.opts.Now)
	return m.raise(layer{dialog: d, press: answers(d.Key), then: func(answer any) tea.Cmd {
		if answer == fork {
			return m.fork("")
		}
		return nil
	}})
}
