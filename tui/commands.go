package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/tui/composer"
	"planmode/tui/keymap"
	"planmode/tui/overlay"
)

// commands are the slash commands in the order of completion.
func commands() []composer.Command {
	return []composer.Command{
		composer.PlanCommand(),
		composer.ModeCommand(),
		{Name: "/plans", Does: "every stored plan: read, compare, continue here, discard"},
		{Name: "/resume", Does: "continue an earlier session"},
		{Name: "/copy", Does: "copy the last answer"},
		{Name: "/mcp", Does: "the MCP servers and their tools"},
		{Name: "/keys", Does: "what the keys do, and what this terminal delivers"},
		{Name: "/help", Does: "commands and how planning works"},
		{Name: "/quit", Does: "leave; the session is kept"},
	}
}

// command runs a slash command. One that is unknown stays in the composer.
func (m *model) command(line string) tea.Cmd {
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	arg := strings.ToLower(rest)
	switch strings.ToLower(name) {
	case "/plan":
		return m.plan(arg)
	case "/mode":
		return m.permission(arg)
	case "/plans":
		return m.openPlans()
	case "/resume":
		return m.listEarlier()
	case "/copy":
		return m.copyAnswer()
	case "/mcp":
		return m.servers(rest)
	case "/keys":
		m.openKeys()
		return nil
	case "/help":
		m.open("Help", m.helpText())
		return nil
	case "/quit", "/exit":
		return tea.Quit
	}
	m.composer.SetText(line)
	return m.tell(warned, fmt.Sprintf("%s is not a command; /help lists them", text.Truncate(text.Line(name), 24)))
}

func (m *model) copyAnswer() tea.Cmd {
	answer, ok := m.transcript.LastAnswer()
	if !ok {
		return m.tell(said, "There is no answer to copy yet")
	}
	return tea.Batch(tea.SetClipboard(answer), m.tell(said, "The last answer was given to the clipboard"))
}

// earlierMsg brings the sessions that can be resumed.
type earlierMsg struct {
	sessions []Earlier
	err      error
}

func (m *model) listEarlier() tea.Cmd {
	if m.opts.Earlier == nil {
		return m.tell(warned, "Earlier sessions cannot be listed here")
	}
	ctx, list := m.ctx, m.opts.Earlier
	return func() tea.Msg {
		s, err := list(ctx)
		return earlierMsg{s, err}
	}
}

func (m *model) earlier(msg earlierMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return m.tell(failed, "Earlier sessions could not be listed: "+msg.err.Error())
	case len(msg.sessions) == 0:
		return m.tell(said, "There is no other session in this directory")
	}
	entries := make([]overlay.Found, len(msg.sessions))
	for i, e := range msg.sessions {
		entries[i] = overlay.Found{Label: e.Title, Detail: e.Detail, Text: e.ID}
	}
	return m.find("Resume a session", entries, func(i int) tea.Cmd {
		m.next = msg.sessions[i].ID
		return tea.Quit
	})
}

func (m *model) helpText() string {
	var b strings.Builder
	b.WriteString("Say what you want done. With Plan Mode on the agent only reads, and writes a plan; " +
		"you review it, ask for changes, and approve exactly what you saw. Then it is implemented.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "%-10s %s\n", c.Name, c.Does)
		for _, a := range c.Args {
			fmt.Fprintf(&b, "  %-10s %s\n", a.Name, a.Does)
		}
	}
	b.WriteString("\n@ completes file names. !command runs a command of your own, also while planning.\n/keys lists the keys.\n")
	if hint := m.keys.Hint(keymap.PlanToggle); hint != "" {
		b.WriteString(hint + " turns Plan Mode on and off.\n")
	}
	return b.String()
}

// openKeys shows the keys. What the terminal delivers is followed while it is
// open, for that is where the person tries a key.
func (m *model) openKeys() {
	v := overlay.NewRendered("Keys", func(width int) []string { return m.th.Wrap(m.keysText(), width) }, m.th)
	m.raise(layer{dialog: v, press: func(k tea.KeyPressMsg) (any, bool) {
		closed := v.Key(k)
		v.Refresh()
		return nil, closed
	}})
}

func (m *model) keysText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The last keys this terminal delivered: %s\n", strings.Join(m.delivered(), ", "))
	b.WriteString("A key that is not in this list when you press it does not reach planmode.\n\n")
	for _, k := range m.keys.Bindings() {
		shown := make([]string, len(k.Keys))
		for i, name := range k.Keys {
			shown[i] = keymap.Display(name)
		}
		if len(shown) == 0 {
			shown = []string{"not bound"}
		}
		fmt.Fprintf(&b, "%-*s %s\n", keyColumn, strings.Join(shown, ", "), k.Does)
	}
	return b.String()
}

// keyColumn holds the longest default: three ways to break a line.
const keyColumn = 31

// delivered writes the last keys the way hints do.
func (m *model) delivered() []string {
	out := make([]string, len(m.seen))
	for i, name := range m.seen {
		if out[i] = name; utf8.RuneCountInString(name) > 1 { // a letter is shown as it was typed
			out[i] = keymap.Display(name)
		}
	}
	return out
}
