package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// annotate shows a file for notes, which the agent is told.
func (m *model) annotate(name string) tea.Cmd {
	if m.opts.Plans == nil || m.opts.Plans.Annotate == nil {
		return m.tell(warned, "Files cannot be annotated here")
	}
	return m.planning(func(ctx context.Context) error { return m.opts.Plans.Annotate(ctx, name) })
}

// annotateLast does so with the last answer.
func (m *model) annotateLast() tea.Cmd {
	if m.opts.Plans == nil || m.opts.Plans.AnnotateLast == nil {
		return m.tell(warned, "Answers cannot be annotated here")
	}
	return m.planning(m.opts.Plans.AnnotateLast)
}
