package reviewer

import (
	tea "charm.land/bubbletea/v2"
)

// confirm is a question that has the whole keyboard: y or the key that opened it
// once more does it, n and Esc go back, and every other key is ignored.
type confirm struct {
	question string
	verb     string
	act      func() tea.Cmd
	again    string
}

func (m *Model) ask(question, verb string, act func() tea.Cmd, again string) {
	m.confirm = &confirm{question, verb, act, again}
}

func (m *Model) confirmKey(name string) tea.Cmd {
	switch name {
	case "y", "Y", m.confirm.again:
		act := m.confirm.act
		m.confirm = nil
		return act()
	case "n", "N", "esc":
		m.confirm = nil
	}
	return nil
}
