package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
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
		{Name: "/diff", Does: "what changed since the plan was approved, in the reviewer"},
		{Name: "/annotate", Does: "make notes on a file, a folder or a page for the agent"},
		{Name: "/annotate-last", Does: "make notes on the last answer"},
		{Name: "/model", Does: "what the agent runs on, in normal mode and while planning"},
		{Name: "/effort", Does: "how hard it thinks in this mode: low, medium or high"},
		{Name: "/resume", Does: "continue an earlier session"},
		{Name: "/new", Does: "begin a new session; this one is kept"},
		{Name: "/tree", Does: "go back to any point of this session, or on from it"},
		{Name: "/fork", Does: "go on in a new session that has all of this one"},
		{Name: "/compact", Does: "shorten what the agent is told; say what to keep"},
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
	case "/diff":
		return m.diff()
	case "/annotate":
		return m.annotate(rest)
	case "/annotate-last":
		return m.annotateLast()
	case "/model":
		return m.chooseModel(rest)
	case "/effort":
		return m.chooseEffort(arg)
	case "/resume":
		return m.listEarlier(false)
	case "/new":
		return m.leaveFor(Next{New: true})
	case "/tree":
		return m.openTree()
	case "/fork":
		return m.fork(plan.EntryID(arg))
	case "/compact":
		return m.compact(rest)
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
	b.WriteString("\n@ completes file names; an image named so is shown to the agent, as is one pasted by its path. !command runs a command of your own, also while planning.\n/keys lists the keys.\n")
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
