package card

import (
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/theme"
)

const (
	maxSteps = 6
	maxNotes = 4
)

// body is what the card says above its rows, the most important first, since a
// small screen shows only the beginning.
func body(th *theme.Theme, c session.Card, width int) []string {
	right := fmt.Sprintf("r%d %s %s", c.Ref.Revision, th.Glyphs.Dot, text.Line(c.Ref.Hash.Short()))
	lines := []string{th.Spread(th.Strong.Render(th.Cut(text.Line(c.Title), width)), th.Muted.Render(right), width)}
	add := func(render func(...string) string, s string) {
		if s = text.Line(s); s == "" {
			return
		}
		for _, line := range th.Wrap(s, width) {
			lines = append(lines, render(line))
		}
	}
	add(th.Text.Render, c.Outcome)
	if c.Doubt != "" {
		add(th.Warning.Render, th.Glyphs.Bang+" Look twice: "+c.Doubt)
	}
	if len(c.Missing) > 0 {
		add(th.Warning.Render, th.Glyphs.Bang+" Missing sections: "+strings.Join(c.Missing, ", "))
	}
	lines = append(lines, noteLines(th, c.Notes, width)...)
	add(th.Muted.Render, th.Signs(c.Compared))
	if len(c.Options) > 1 {
		add(th.Text.Render, fmt.Sprintf("The plan offers %d approaches. You approve exactly one; the others are not done.", len(c.Options)))
		for _, o := range c.Options {
			label := text.Line(o.Label)
			if o.Description != "" {
				label += ": "
			}
			add(th.Text.Render, th.Glyphs.Bullet+" "+label+recommended(o)+text.Line(o.Description))
		}
	}
	lines = append(lines, stepLines(th, c.Steps, width)...)
	if c.Reviewer != "" {
		add(th.Dim.Render, "Reviewed with "+c.Reviewer)
	}
	if len(c.Ref.Hash) <= width {
		add(th.Dim.Render, string(c.Ref.Hash))
	}
	return lines
}

func noteLines(th *theme.Theme, notes []plan.Annotation, width int) []string {
	return noteLinesOn("plan", th, notes, width)
}

// noteLinesOn lists notes on what is called subject.
func noteLinesOn(subject string, th *theme.Theme, notes []plan.Annotation, width int) []string {
	if len(notes) == 0 {
		return nil
	}
	lines := []string{th.Warning.Render(th.Cut(text.Count(len(notes), "pending note")+", not sent yet", width))}
	for _, n := range notes[:min(len(notes), maxNotes)] {
		where := n.Where()
		if n.Line == 0 {
			where = "whole " + text.Line(subject)
		}
		lines = append(lines, th.Cut("  "+where+": "+text.Line(n.Summary()), width))
	}
	return append(lines, rest(th, len(notes)-maxNotes, width)...)
}

func stepLines(th *theme.Theme, steps []string, width int) []string {
	if len(steps) == 0 {
		return []string{th.Muted.Render(th.Cut("No execution steps", width))}
	}
	shown := maxSteps
	if len(steps) == maxSteps+1 { // the line that says so can hold the step itself
		shown++
	}
	lines := []string{th.Muted.Render(th.Cut(text.Count(len(steps), "step"), width))}
	for i, s := range steps[:min(len(steps), shown)] {
		lines = append(lines, th.Cut(fmt.Sprintf("  %d. %s", i+1, text.Line(s)), width))
	}
	return append(lines, rest(th, len(steps)-shown, width)...)
}

func rest(th *theme.Theme, n, width int) []string {
	if n <= 0 {
		return nil
	}
	return []string{th.Dim.Render(th.Cut(fmt.Sprintf("  %s +%d more", th.Glyphs.Ellipsis, n), width))}
}

// recommended marks the approach that the agent would take. It is an advice, so
// nothing is selected by it.
func recommended(o plan.Option) string {
	if o.Recommended {
		return "(recommended) "
	}
	return ""
}
