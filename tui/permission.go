package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/tree"
)

// permission runs `/mode` with its argument, in line with the plan commands.
func (m *model) permission(arg string) tea.Cmd {
	c := m.opts.Conductor
	return m.planning(func(ctx context.Context) error { return c.SetPermission(ctx, arg) })
}

// begun says whether anything happened in the session: the permission mode that
// it began with is said by the welcome, too.
func (m *model) begun() bool {
	switch m.transcript.Entries() {
	case 0:
		return false
	case 1:
		items := m.opts.Conductor.Items(0)
		return len(items) == 0 || items[0].Kind != tree.KindPermissionMode
	}
	return true
}
