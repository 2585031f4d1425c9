package tui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/overlay"
	"planmode/tui/transcript"
)

// maxRendered is the size up to which a plan is rendered while it is shown,
// which takes about 40 ms; a longer one is shown as it was written.
const maxRendered = 8 << 10

// planTextMsg brings the text of the plan for `/plan show`.
type planTextMsg struct {
	title, markdown string
	err             error
}

func (m *model) readPlan() tea.Cmd {
	ctx, read := m.ctx, m.opts.Show
	return func() tea.Msg {
		title, markdown, err := read(ctx)
		return planTextMsg{title, markdown, err}
	}
}

// showPlan opens the text to read; nothing can be decided there.
func (m *model) showPlan(msg planTextMsg) tea.Cmd {
	if errors.Is(msg.err, session.ErrNoPlan) {
		return m.noPlan()
	}
	if msg.err != nil {
		return m.tell(failed, "The plan cannot be shown: "+msg.err.Error())
	}
	render := func(width int) []string {
		if len(msg.markdown) <= maxRendered {
			return transcript.Markdown(m.th, msg.markdown, width)
		}
		return m.th.Wrap(strings.TrimRight(text.Clean(msg.markdown), "\n"), width)
	}
	v := overlay.NewRendered(msg.title, render, m.th)
	return m.raise(layer{dialog: v, press: func(k tea.KeyPressMsg) (any, bool) { return nil, v.Key(k) }})
}
