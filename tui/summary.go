package tui

import (
	"fmt"
	"strings"

	"planmode/plan/text"
	"planmode/tui/planbar"
)

// Summary is what stays in the terminal after the screen is gone: how the plan
// stands, and how to come back. It is plain text, empty when there is nothing to
// come back to.
func (a *App) Summary() string {
	m := a.model
	if !m.ready || m.view.Session == "" || m.transcript.Entries() == 0 {
		return ""
	}
	var b strings.Builder
	if label, p, ok := planbar.Standing(m.view); ok {
		fmt.Fprintf(&b, "Plan: %s - r%d - %s\n", text.Line(p.Title), p.Ref.Revision, label)
	}
	fmt.Fprintf(&b, "Resume with: planmode --resume %s\n", text.Line(m.view.Session))
	return b.String()
}
