package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
)

// flashFor is how long a passing remark stays when nothing is typed.
const flashFor = 6 * time.Second

// tone is how a passing remark is meant.
type tone int

const (
	said tone = iota
	warned
	failed
)

// flash is one passing remark above the composer. What must not pass is a notice
// of the session instead.
type flash struct {
	text string
	tone tone
	seq  int
	keys int // pressed since it appeared
}

type flashOverMsg struct{ seq int }

// tell shows a remark. It goes after a while, or when the person types on.
func (m *model) tell(t tone, s string) tea.Cmd { return m.tellFor(flashFor, t, s) }

// tellFor shows a remark that is true for as long as d.
func (m *model) tellFor(d time.Duration, t tone, s string) tea.Cmd {
	m.flash = flash{text: text.Line(s), tone: t, seq: m.flash.seq + 1}
	return m.after(d, flashOverMsg{m.flash.seq})
}

// pressed notes a key: a few keys on, a remark has been read.
func (f *flash) pressed() {
	if f.keys++; f.keys > 3 || f.tone == said && f.keys > 1 {
		f.text = ""
	}
}

func (m *model) flashOver(msg flashOverMsg) {
	if msg.seq == m.flash.seq {
		m.flash.text = ""
	}
}

func (m *model) flashLine() string {
	g := m.th.Glyphs
	switch m.flash.tone {
	case warned:
		return m.th.Warning.Render(g.Bang + " " + m.flash.text)
	case failed:
		return m.th.Error.Render(g.Cross + " " + m.flash.text)
	}
	return m.th.Muted.Render(m.flash.text)
}
