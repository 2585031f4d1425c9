package tui

import (
	tea "charm.land/bubbletea/v2"

	"planmode/tui/composer"
	"planmode/tui/keymap"
)

// key is the ladder of focus: a dialog first, then keys that act anywhere, then
// the composer.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	m.remember(name)
	m.lastKey = m.opts.Now()
	if m.keys.Has(name, keymap.Suspend) {
		return tea.Suspend
	}
	if len(m.layers) > 0 {
		return m.layerKey(msg)
	}
	if cmd, ok := m.absorb(msg, name); ok {
		return cmd
	}
	if m.burst.text.Len() > 0 { // a key that is no text ends it
		return tea.Batch(m.flushBurst(), m.act(msg, name))
	}
	return m.act(msg, name)
}

// act does what a key means while no dialog is open.
func (m *model) act(msg tea.KeyPressMsg, name string) tea.Cmd {
	m.flash.pressed()
	popup := m.composer.PopupOpen()
	if pair := m.presses.Press(name, m.opts.Now()); pair != "" && !popup {
		if cmd, ok := m.pair(pair); ok {
			return cmd
		}
	}
	if popup && name == "esc" {
		m.presses.Reset()
	}
	if cmd, ok := m.anywhere(name); ok {
		return cmd
	}
	return m.write(msg, name)
}

// remember keeps the last keys as this terminal delivered them, for /keys.
func (m *model) remember(name string) {
	m.seen = append(m.seen, name)
	if extra := len(m.seen) - 8; extra > 0 {
		m.seen = m.seen[extra:]
	}
}

// pair acts on a key pressed twice.
func (m *model) pair(pair string) (tea.Cmd, bool) {
	switch m.keys.Action(pair) {
	case keymap.Interrupt:
		return m.interrupt(), true
	case keymap.Quit:
		return tea.Quit, true
	}
	return nil, false
}

// interrupting is said until what runs has ended.
const interrupting = "Interrupting"

func (m *model) interrupt() tea.Cmd {
	if !m.view.Running {
		return nil
	}
	c := m.opts.Conductor
	return tea.Batch(m.tell(said, interrupting), func() tea.Msg {
		c.Interrupt()
		return nil
	})
}

// anywhere acts on the keys that mean the same wherever the cursor is.
func (m *model) anywhere(name string) (tea.Cmd, bool) {
	list := m.transcript.List()
	switch m.keys.Action(name) {
	case keymap.PlanToggle:
		return m.toggle(), true
	case keymap.PlanSteps:
		return m.toggleSteps(), true
	case keymap.Expand:
		m.transcript.SetExpanded(!m.transcript.Expanded())
	case keymap.Interrupt:
		return m.interrupt(), true
	case keymap.Redraw:
		return tea.ClearScreen, true
	case keymap.Editor:
		return m.openEditor(), true
	case keymap.PasteImage:
		return m.pasteImage(), true
	case keymap.History:
		return m.findSaid(), true
	case keymap.Find:
		return m.findEntry(), true
	case keymap.EventPrev:
		return m.step(true), true
	case keymap.EventNext:
		return m.step(false), true
	case keymap.QueueEdit:
		return m.unqueue()
	case keymap.Quit:
		return tea.Quit, true
	case keymap.ScrollUp:
		list.ScrollBy(-1)
	case keymap.ScrollDown:
		list.ScrollBy(1)
	case keymap.PageUp:
		list.PageUp()
	case keymap.PageDown:
		list.PageDown()
	case keymap.ScrollTop:
		list.Top()
	case keymap.ScrollBottom:
		list.Follow()
	default:
		return nil, false
	}
	list.FollowAtBottom()
	return nil, true
}

// write gives the key to the composer.
func (m *model) write(msg tea.KeyPressMsg, name string) tea.Cmd {
	if m.composer.Empty() {
		switch {
		case m.keys.Has(name, keymap.HistoryPrev) && len(m.view.Queue) > 0:
			cmd, _ := m.unqueue()
			return cmd
		case m.keys.Has(name, keymap.Submit) && m.held():
			return m.sendHeld()
		case m.keys.Has(name, keymap.Clear):
			return m.hintQuit()
		}
	}
	return m.wrote(m.composer.Key(msg))
}

// paste takes pasted text. Like a key it breaks a pair: what a second Ctrl+C
// would quit over was not there at the first.
func (m *model) paste(s string) tea.Cmd {
	m.presses.Reset()
	if n := len(m.layers); n > 0 {
		if p, ok := m.layers[n-1].dialog.(pasteable); ok {
			p.Paste(s)
		}
		return nil
	}
	cmd := m.flushBurst()
	m.burst.last, m.burst.pasted = m.opts.Now(), true
	return tea.Batch(cmd, m.wrote(m.composer.Paste(s)))
}

// wrote acts on what the composer made of a key.
func (m *model) wrote(out composer.Outcome) tea.Cmd {
	switch out.Kind {
	case composer.Submitted:
		return m.submit(out.Text, out.Attach)
	case composer.Quit:
		return tea.Quit
	case composer.Refused:
		return m.tellFor(2*flashFor, warned, out.Text)
	case composer.Cleared:
		return tea.Batch(m.draftChanged(), m.hintQuit())
	case composer.Changed:
		return tea.Batch(m.draftChanged(), m.files(out.Query), m.attach(out.Attach))
	}
	return nil
}

// hintQuit says what the second press of a pair would do.
func (m *model) hintQuit() tea.Cmd {
	if !m.keys.Has("ctrl+c ctrl+c", keymap.Quit) {
		return nil
	}
	return m.tellFor(keymap.QuitWindow, said, keymap.Display("ctrl+c")+" again quits")
}

// filesMsg answers a completion query.
type filesMsg struct {
	seq   int
	paths []string
}

func (m *model) files(q *composer.Query) tea.Cmd {
	if q == nil || m.opts.Files == nil {
		return nil
	}
	ctx, find, seq, prefix := m.ctx, m.opts.Files, q.Seq, q.Prefix
	return func() tea.Msg { return filesMsg{seq, find(ctx, prefix)} }
}
