package transcript

import (
	"strings"

	"charm.land/lipgloss/v2"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tree"
)

const (
	shellFolded   = 12  // lines of a command of the person, folded
	shellExpanded = 400 // and expanded
)

// shell draws a command of the person. Its output is what they asked for, so its
// end is shown folded as well.
func (p pen) shell(s session.Shell) []string {
	style, sign := p.t.Accent, p.t.Muted
	if s.Error {
		style, sign = p.t.Error, p.t.Error
	}
	head := style.Render("!") + " " + p.t.Strong.Render(text.Line(s.Command))
	outcome := outcomeOf(tree.ToolResult{Text: s.Text, Error: s.Error, Details: s.Details})
	out := []string{p.t.Spread(head, p.t.Muted.Render(outcome), p.width)}
	limit := shellFolded
	if p.expanded {
		limit = shellExpanded
	}
	lines := strings.Split(strings.TrimRight(s.Text, "\n"), "\n")
	if cut := len(lines) - limit; cut > 0 {
		lines = lines[cut:]
		out = append(out, p.line("    "+p.t.Dim.Render(text.Count(cut, "earlier line"))))
	}
	return append(out, p.listing(strings.Join(lines, "\n"), limit, func(string) lipgloss.Style { return sign })...)
}
