package planbar

import (
	"fmt"

	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/tui/theme"
)

// Checklist is the checklist that the agent keeps of the work at hand. It is not
// the approved plan, and its steps complete nothing.
type Checklist struct {
	List     *tool.ChecklistDetails // nil draws nothing
	Expanded bool
	Rows     int    // rows of the terminal; they limit the steps shown
	Key      string // the key that expands and collapses, in words; may be empty
	Beside   bool   // a summary of a plan is above it, and names the key
}

// Lines draws it on lines of at most width cells: one with the step at hand or,
// expanded, the steps around it.
func (c Checklist) Lines(t *theme.Theme, width int) []string {
	if c.List == nil || width <= 0 {
		return nil
	}
	done, current := c.List.Progress()
	steps := c.List.Checklist
	head := t.Accent.Render(t.Glyphs.Bar+" CHECKLIST") + fmt.Sprintf("  %d/%d", done, len(steps))
	if !c.Expanded {
		if current >= 0 {
			s := steps[current]
			head += "  " + t.Muted.Render(t.Glyphs.Step(s.Status)+" "+text.Line(s.Step))
		}
		hint := drawing{t: t, Summary: Summary{Key: c.Key}}.hint("expand")
		if c.Beside || theme.Width(head)+theme.Width(hint)+2 > width { // the step counts for more than the key
			return []string{t.Cut(head, width)}
		}
		return []string{t.Spread(head, hint, width)}
	}
	out := []string{t.Cut(head, width)}
	shown := min(len(steps), maxSteps(c.Rows))
	if current < 0 {
		current = len(steps)
	}
	first := min(max(current-1, 0), len(steps)-shown)
	if first > 0 {
		out = append(out, t.Cut(t.Muted.Render(fmt.Sprintf("  %s %d before", t.Glyphs.Ellipsis, first)), width))
	}
	for _, s := range steps[first : first+shown] {
		style := t.Text
		if s.Status == tool.StepCompleted {
			style = t.Muted
		}
		out = append(out, t.Cut(style.Render("  "+t.Glyphs.Step(s.Status)+" "+text.Line(s.Step)), width))
	}
	if more := len(steps) - first - shown; more > 0 {
		out = append(out, t.Cut(t.Muted.Render(fmt.Sprintf("  %s +%d more", t.Glyphs.Ellipsis, more)), width))
	}
	return out
}
