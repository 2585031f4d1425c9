package card

import (
	"fmt"

	"planmode/plan/text"
	"planmode/revdiff/brief"
	"planmode/tui/overlay"
	"planmode/tui/theme"
)

// gatePending is the question what becomes of notes when the person approves without
// saying so. Where the caller cannot hear of them that is the warning before they
// would be lost to it.
type gatePending struct {
	menu    overlay.Menu
	choices []brief.GateVerdict
}

func (g *Gate) askPending() {
	n := text.Count(len(g.data.Notes), "note")
	p := &gatePending{menu: overlay.NewMenu(g.theme, g.now)}
	p.menu.Title = fmt.Sprintf("What becomes of your %s?", n)
	p.menu.Hint = g.theme.Signs("Enter choose · Esc back")
	carries := g.data.Carries
	p.menu.Body = func(width int) []string {
		lines := noteLinesOn(g.data.Subject, g.theme, g.data.Notes, width)
		if !carries {
			for _, l := range g.theme.Wrap("The caller hears of an approval only, not of notes with it.", width) {
				lines = append(lines, g.theme.Warning.Render(l))
			}
		}
		return lines
	}
	add := func(row overlay.Row, v brief.GateVerdict) {
		p.menu.Rows = append(p.menu.Rows, row)
		p.choices = append(p.choices, v)
	}
	add(overlay.Row{Key: "s", Label: "Send them as feedback", Detail: "nothing is approved"}, brief.GateVerdict{Row: brief.GateSend, Notes: true})
	if carries {
		add(overlay.Row{Key: "n", Label: "Approve, and send them along"}, brief.GateVerdict{Row: brief.GateApprove, Notes: true})
	}
	add(overlay.Row{Key: "d", Label: "Approve without them", Detail: "they are kept here only"}, brief.GateVerdict{Row: brief.GateApprove})
	g.pending = p
}

// pendingKey answers the question; Esc goes back to the card.
func (g *Gate) pendingKey(name string) (brief.GateVerdict, bool) {
	p := g.pending
	switch p.menu.Key(name) {
	case overlay.Cancelled:
		g.pending = nil
	case overlay.Chosen:
		g.pending = nil
		return p.choices[p.menu.Selected], true
	}
	return brief.GateVerdict{}, false
}

// gateBody is what the card says above its rows, the most important first.
func gateBody(th *theme.Theme, d GateData, width int) []string {
	lines := []string{th.Spread(th.Strong.Render(th.Cut(text.Line(d.Title), width)), th.Muted.Render(text.Line(d.Hash.Short())), width)}
	add := func(render func(...string) string, s string) {
		if s = text.Line(s); s == "" {
			return
		}
		for _, line := range th.Wrap(s, width) {
			lines = append(lines, render(line))
		}
	}
	outcome := th.Text.Render
	if d.Broken {
		outcome = th.Warning.Render
	}
	add(outcome, d.Outcome)
	lines = append(lines, noteLinesOn(d.Subject, th, d.Notes, width)...)
	if d.Asker != "" {
		add(th.Muted.Render, "Asked by "+d.Asker)
	}
	add(th.Muted.Render, th.Signs(d.Compared))
	if d.Reviewer != "" {
		add(th.Dim.Render, "Reviewed with "+d.Reviewer)
	}
	return lines
}
