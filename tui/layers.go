package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/tui/card"
	"planmode/tui/overlay"
	"planmode/tui/theme"
)

// dialog is what the parts draw over the composer. Some also have a cursor, take
// pastes, or are armed only after a while.
type dialog interface {
	View(width, height int) []string
	SetTheme(*theme.Theme)
}

type pasteable interface{ Paste(string) }

// layer is a dialog in the stack and what becomes of its answer.
type layer struct {
	dialog dialog
	req    *request                          // of the desk; nil for a dialog of the screen's own
	press  func(tea.KeyPressMsg) (any, bool) // the answer, and whether there is one
	then   func(answer any) tea.Cmd          // for a dialog of the screen's own; may be nil
	act    func(answer any) tea.Cmd          // likewise, for what it answers while it stays; may be nil
}

// settle is how long a dialog that comes back into sight takes no key but Esc:
// the key may have been meant for the one that was above it.
const settle = overlay.ArmDelay

// dialogFor makes the dialog of a spec; false for what is not a dialog.
func (m *model) dialogFor(spec any) (layer, bool) {
	now := m.opts.Now
	switch s := spec.(type) {
	case session.Card:
		d := card.New(s, m.th, now)
		return layer{dialog: d, press: answers(d.Key)}, true
	case session.Question:
		d := overlay.NewChooser(s, m.th, now)
		return layer{dialog: d, press: answers(d.Key)}, true
	case session.QuestionSet:
		d := overlay.NewQuestions(s, m.th, now)
		return layer{dialog: d, press: answers(d.Key)}, true
	case session.Permit:
		d := overlay.NewPermission(s, m.th, now)
		return layer{dialog: d, press: answers(d.Key)}, true
	case session.Confirmation:
		d := overlay.NewConfirm(s, m.th, now)
		return layer{dialog: d, press: answers(d.Key)}, true
	}
	return layer{}, false
}

func answers[T any](key func(tea.KeyPressMsg) (T, bool)) func(tea.KeyPressMsg) (any, bool) {
	return func(k tea.KeyPressMsg) (any, bool) {
		v, done := key(k)
		return v, done
	}
}

// open shows a text to read.
func (m *model) open(title, body string) {
	v := overlay.NewViewer(title, body, m.th)
	m.raise(layer{dialog: v, press: func(k tea.KeyPressMsg) (any, bool) { return nil, v.Key(k) }})
}

func (m *model) raise(l layer) tea.Cmd {
	m.layers = append(m.layers, l)
	m.presses.Reset()
	return m.arm()
}

// armedMsg says that the dialog on top may be armed by now.
type armedMsg struct{}

// arm draws again when the dialog on top becomes armed.
func (m *model) arm() tea.Cmd {
	if len(m.layers) == 0 {
		return nil
	}
	waiter, ok := m.layers[len(m.layers)-1].dialog.(interface{ Wait() time.Duration })
	if !ok {
		return nil
	}
	if d := waiter.Wait(); d > 0 {
		return m.after(d, armedMsg{})
	}
	return nil
}

// layerKey gives a key to the dialog on top. Ctrl+C is its Esc, and so is the
// pair of Esc that some terminals deliver as one key.
func (m *model) layerKey(msg tea.KeyPressMsg) tea.Cmd {
	if name := msg.String(); name == "ctrl+c" || name == "alt+esc" {
		msg = tea.KeyPressMsg{Code: tea.KeyEscape}
	}
	if msg.String() != "esc" && m.opts.Now().Before(m.settled) {
		return nil
	}
	top := m.layers[len(m.layers)-1]
	answer, done := top.press(msg)
	if !done && top.act != nil {
		return tea.Batch(top.act(answer), m.arm())
	}
	if !done {
		return m.arm()
	}
	m.lower(len(m.layers) - 1)
	if top.req != nil {
		m.opts.Desk.resolve(top.req, answer)
		return m.arm()
	}
	if top.then != nil {
		return tea.Batch(top.then(answer), m.arm())
	}
	return m.arm()
}

// lower takes layer i off the stack.
func (m *model) lower(i int) {
	m.layers = append(m.layers[:i:i], m.layers[i+1:]...)
	m.settled = m.opts.Now().Add(settle)
	m.presses.Reset()
}

// deskMsg reports that the requests on the desk have changed.
type deskMsg struct{}

func (m *model) awaitDesk() tea.Cmd {
	ctx, d := m.ctx, m.opts.Desk
	return func() tea.Msg {
		select {
		case <-d.wake:
			return deskMsg{}
		case <-ctx.Done():
			return nil
		}
	}
}

// deskChanged follows the desk and waits for its next change.
func (m *model) deskChanged() tea.Cmd { return tea.Batch(m.awaitDesk(), m.followDesk()) }

// followDesk makes the stack follow the desk: dialogs whose request is gone are
// taken away, new requests are shown on top, in the order they came.
func (m *model) followDesk() tea.Cmd {
	pending := m.opts.Desk.pending()
	waits := map[*request]bool{}
	for _, r := range pending {
		waits[r] = true
	}
	var cmds []tea.Cmd
	for i := len(m.layers) - 1; i >= 0; i-- {
		if r := m.layers[i].req; r != nil && !waits[r] {
			m.lower(i)
			cmds = append(cmds, m.arm()) // for the one below, which may never have been in sight
		}
	}
	for _, r := range pending {
		if !m.shown(r) {
			cmds = append(cmds, m.show(r))
		}
	}
	return tea.Batch(cmds...)
}

func (m *model) shown(r *request) bool {
	if r == m.reviewing {
		return true
	}
	for _, l := range m.layers {
		if l.req == r {
			return true
		}
	}
	return false
}

func (m *model) show(r *request) tea.Cmd {
	alert := m.alert(r.spec)
	if l, ok := m.dialogFor(r.spec); ok {
		l.req = r
		return tea.Batch(m.raise(l), alert)
	}
	return tea.Sequence(alert, m.review(r))
}
