package planbar

import (
	"strings"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/tui/theme"
)

// Unasked is the sign of a permission mode in which tools run without asking:
// reversed, so that it is seen without colours and without reading. Empty for
// manual.
func Unasked(t *theme.Theme, p plan.Permission) string {
	if !p.Unasked() {
		return ""
	}
	style := t.Warning
	if p == plan.PermissionAuto {
		style = t.Error
	}
	return style.Reverse(true).Bold(true).Render(" " + strings.ToUpper(string(p)) + " ")
}

// unreviewed is what stands behind a plan that was approved without a person.
func (d drawing) unreviewed(p session.PlanView) string {
	if !p.Auto {
		return ""
	}
	return d.t.Muted.Render(" "+d.t.Glyphs.Dot+" ") + d.t.Warning.Render(plan.AutoApproved)
}
