package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// restartedMsg reports the end of `/mcp restart`.
type restartedMsg struct {
	name string
	err  error
}

// servers runs `/mcp`.
func (m *model) servers(arg string) tea.Cmd {
	action, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	switch {
	case m.opts.Servers == nil:
		return m.tell(warned, "MCP servers cannot be shown here")
	case arg == "":
		m.open("MCP servers", m.opts.Servers())
		return nil
	case action == "restart" && name != "" && m.opts.Restart != nil:
		restart := m.opts.Restart
		return tea.Batch(m.tell(said, "Connecting "+name+" again"), func() tea.Msg { return restartedMsg{name, restart(name)} })
	}
	return m.tell(warned, "Usage: /mcp, or /mcp restart NAME")
}

func (m *model) restarted(msg restartedMsg) tea.Cmd {
	if msg.err != nil {
		return m.tell(failed, msg.err.Error())
	}
	return m.tell(said, msg.name+" is starting; /mcp shows how it stands")
}
