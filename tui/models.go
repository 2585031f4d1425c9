package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/session"
	"planmode/tui/overlay"
)

// picker is what the screen uses of a session whose agent runs on models. All
// of it may read and write the disk.
type picker interface {
	Offers() []agent.Offer
	ChooseModel(name string, mode plan.Mode) error
	ChooseEffort(effort string, mode plan.Mode) error
}

var _ picker = (*session.Session)(nil)

// offersMsg brings what turns can run on.
type offersMsg struct{ offers []agent.Offer }

// chosenMsg reports the end of a choice; what was chosen is an entry of the
// conversation.
type chosenMsg struct{ err error }

// chooseModel runs `/model`: bare it lists what there is.
func (m *model) chooseModel(name string) tea.Cmd {
	c, ok := m.opts.Conductor.(picker)
	if !ok {
		return m.tell(warned, "There is no model to choose here")
	}
	if name != "" {
		return m.askScope(name)
	}
	return func() tea.Msg { return offersMsg{c.Offers()} }
}

// offers shows the models by provider, what can run first.
func (m *model) offers(msg offersMsg) tea.Cmd {
	if len(msg.offers) == 0 {
		return m.tell(warned, "There is no model to choose here")
	}
	entries := make([]overlay.Found, len(msg.offers))
	for i, o := range msg.offers {
		entries[i] = overlay.Found{Label: offerName(o), Detail: m.offerDetail(o)}
	}
	return m.find("Model", entries, func(i int) tea.Cmd { return m.askScope(offerName(msg.offers[i])) })
}

func offerName(o agent.Offer) string {
	if o.Model == "" {
		return o.Agent
	}
	return o.Model
}

func (m *model) offerDetail(o agent.Offer) string {
	var parts []string
	if offerName(o) == offerName(agent.Offer{Agent: m.view.Agent, Model: m.view.Model}) {
		parts = append(parts, "in use")
	}
	switch {
	case o.Problem != "":
		short, _, _ := strings.Cut(o.Problem, ":") // the rest is said when it is chosen
		parts = append(parts, short)
	case o.Model == "":
		parts = append(parts, "no model: a script that needs no key")
	default:
		if o.Window > 0 {
			parts = append(parts, tokens(o.Window))
		}
		if o.Images {
			parts = append(parts, "images")
		}
	}
	return strings.Join(parts, " "+m.th.Glyphs.Dot+" ")
}

// tokens writes a window the way people say it.
func tokens(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%dM tokens", n/1_000_000)
	}
	return fmt.Sprintf("%dk tokens", n/1000)
}

// scopes are where a choice can hold, beginning with the likeliest.
func (m *model) scopes() []overlay.Found {
	return []overlay.Found{
		{Label: "Everywhere in this session"},
		{Label: "While planning", Detail: "only in Plan Mode"},
		{Label: "In normal mode", Detail: "only outside Plan Mode"},
	}
}

// askScope asks in which mode a model is to be used.
func (m *model) askScope(name string) tea.Cmd {
	modes := []plan.Mode{"", plan.ModePlanning, plan.ModeNormal}
	return m.find("Use "+name, m.scopes(), func(i int) tea.Cmd {
		c, ok := m.opts.Conductor.(picker)
		if !ok {
			return nil
		}
		return func() tea.Msg { return chosenMsg{c.ChooseModel(name, modes[i])} }
	})
}

// chooseEffort runs `/effort`: for the mode the person is in, and for no other.
func (m *model) chooseEffort(level string) tea.Cmd {
	c, ok := m.opts.Conductor.(picker)
	mode := m.view.State.Mode
	switch {
	case !ok:
		return m.tell(warned, "There is no model to choose here")
	case level == "":
		entries := make([]overlay.Found, len(session.Efforts))
		for i, e := range session.Efforts {
			if entries[i].Label = e; e == m.view.Effort {
				entries[i].Detail = "in use"
			}
		}
		title := "Effort in normal mode"
		if m.view.State.IsPlanning() {
			title = "Effort while planning"
		}
		return m.find(title, entries, func(i int) tea.Cmd { return m.chooseEffort(session.Efforts[i]) })
	case !slices.Contains(session.Efforts, level):
		return m.tell(warned, "Usage: /effort ["+strings.Join(session.Efforts, "|")+"]")
	}
	return func() tea.Msg { return chosenMsg{c.ChooseEffort(level, mode)} }
}

func (m *model) chosen(msg chosenMsg) tea.Cmd {
	if msg.err != nil {
		return m.tell(failed, msg.err.Error())
	}
	if m.view.Running {
		return m.tell(said, "It holds from the next turn on")
	}
	return nil
}
