package tui

import (
	"fmt"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/tui/planbar"
)

// leastTitle is what is left of the title of a plan in a narrow window.
const leastTitle = 16

// happened says whether an entry is more than a remark of planmode's own: a
// session with none is not kept.
func happened(e session.Item) bool {
	return e.Kind != tree.KindNotice && e.Kind != tree.KindPermissionMode
}

// Summary is what stays in the terminal after the screen is gone: how the plan
// stands, and how to come back. It is plain text, empty when there is nothing to
// come back to.
func (a *App) Summary() string {
	m := a.model
	if !m.ready || m.view.Session == "" || !slices.ContainsFunc(m.opts.Conductor.Items(0), happened) {
		return ""
	}
	var b strings.Builder
	if label, p, ok := planbar.Standing(m.view); ok {
		standing := fmt.Sprintf(" - r%d - %s", p.Ref.Revision, label)
		if p.Auto {
			standing += " (" + plan.AutoApproved + ")"
		}
		title := text.Line(p.Title)
		if m.width > 0 {
			title = m.th.Cut(title, max(m.width-len("Plan: ")-len(standing), leastTitle))
		}
		fmt.Fprintf(&b, "Plan: %s%s\n", title, standing)
	}
	fmt.Fprintf(&b, "Resume with: planmode --resume %s\n", text.Line(m.view.Session))
	return b.String()
}
