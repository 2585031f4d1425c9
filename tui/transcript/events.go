package transcript

import (
	"fmt"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// eventLines draws an event of the law; ok is false for every other kind.
func eventLines(p pen, n *node) (lines []string, ok bool) {
	ev, ok, err := tree.Event(n.item)
	if !ok {
		return nil, false
	}
	if err != nil {
		return degraded(p, n.item.Kind), true
	}
	switch e := ev.(type) {
	case plan.PlanApproved:
		return approved(p, e), true
	case plan.WorkCompleted:
		return p.lifecycle(p.labelled(p.t.Success, p.t.Glyphs.Check+" PLAN COMPLETED", e.Title, revision(e.Ref.Revision)), e), true
	case plan.WorkAbandoned:
		return p.lifecycle(p.labelled(p.t.Warning, p.t.Glyphs.Bang+" PLAN ABANDONED", e.Title, revision(e.Ref.Revision)),
			plan.WorkCompleted{Ref: e.Ref, By: e.By, Summary: e.Summary}), true
	case plan.WorkAdopted:
		head := p.labelled(p.t.Success, p.t.Glyphs.Check+" PLAN ADOPTED", e.Title, revision(e.Ref.Revision), "from session "+e.From)
		return []string{head}, true
	case plan.WorkRecovered:
		head := p.labelled(p.t.Warning, p.t.Glyphs.Bang+" PLAN RECOVERED", revision(e.Ref.Revision), e.Reason)
		return []string{head}, true
	}
	return short(p, n, ev), true
}

// short draws the events that only need a muted line.
func short(p pen, n *node, ev plan.Event) []string {
	switch e := ev.(type) {
	case plan.PlanningEntered:
		if e.Continue {
			return p.note("%s", p.join("Plan mode on", "continuing the draft"))
		}
		return p.note("Plan mode on")
	case plan.RevisionAttached:
		return p.note("%s", p.join("Plan mode on", "working from "+revision(e.Ref.Revision)))
	case plan.RevisionSubmitted:
		if e.Author == plan.ByUser {
			return p.note("%s", p.join("Your edits are "+revision(e.Ref.Revision), e.Title))
		}
		if n.called || e.Author != plan.ByAgent {
			return nil
		}
		return p.note("%s", p.join("Plan saved as "+revision(e.Ref.Revision), e.Title))
	case plan.ChangesRequested:
		if e.Count > 0 {
			return p.note("%s", p.join("Changes requested", text.Count(e.Count, "annotation"), e.Text))
		}
		return p.note("%s", p.join("Changes requested", e.Text))
	case plan.ReviewClosed:
		return reviewClosed(p, e)
	case plan.PlanningLeft:
		if n.parked > 0 {
			return p.note("%s", p.join("Plan mode off", "draft "+revision(n.parked)+" parked"))
		}
		return p.note("Plan mode off")
	case plan.DraftDetached:
		if e.Discarded {
			return p.note("%s", p.join("Draft "+revision(e.Ref.Revision)+" discarded", "its files are kept"))
		}
		return p.note("Draft %s put aside; it is kept in the plan store", revision(e.Ref.Revision))
	}
	return nil
}

func reviewClosed(p pen, e plan.ReviewClosed) []string {
	word := map[plan.Outcome]string{
		plan.OutcomeKept:        "kept as draft",
		plan.OutcomeCancelled:   "cancelled",
		plan.OutcomeFailed:      "failed",
		plan.OutcomeVoided:      "void, nothing was decided",
		plan.OutcomeInterrupted: "interrupted, nothing was decided",
		plan.OutcomeStale:       "void, the plan had changed",
	}[e.Outcome]
	if word == "" {
		word = string(e.Outcome)
	}
	if e.Outcome == plan.OutcomeKept || e.Outcome == plan.OutcomeCancelled {
		reason := "" // the person's own act, and told to the agent in these words
		if p.expanded {
			reason = e.Reason
		}
		return p.note("%s", p.join("Review "+word, reason))
	}
	line := p.join("Review "+word, e.Reason)
	return []string{p.line(p.t.Warning.Render(p.t.Glyphs.Bang + " " + line))}
}

func approved(p pen, e plan.PlanApproved) []string {
	option := ""
	if e.Option != nil {
		option = fmt.Sprintf("approach %d", *e.Option+1)
		if e.Choice != "" {
			option += ": " + e.Choice
		}
	}
	style, label := p.t.Success, p.t.Glyphs.Check+" PLAN APPROVED"
	if e.By == plan.ByAuto {
		style, label = p.t.Warning, p.t.Glyphs.Bang+" PLAN AUTO-APPROVED"
	}
	out := []string{p.labelled(style, label, e.Title, revision(e.Ref.Revision), text.Count(e.Steps, "step"), option)}
	if e.By == plan.ByAuto { // on a line of its own, which no width cuts away
		out = append(out, p.under(p.t.Warning, plan.AutoApproved))
	}
	if e.Notes != "" {
		out = append(out, p.under(p.t.Muted, "notes: "+e.Notes))
	}
	return out
}

// lifecycle draws the end of work; expanded, with all that is known of it.
func (p pen) lifecycle(head string, e plan.WorkCompleted) []string {
	out := append([]string{head}, p.reach(e)...)
	if !p.expanded {
		return out
	}
	out = append(out, p.field("Summary", e.Summary)...)
	for _, v := range e.Verification {
		out = append(out, p.field("Verified", v)...)
	}
	out = append(out, p.field("Plan ID", string(e.Ref.Plan))...)
	out = append(out, p.field("Approved hash", string(e.Ref.Hash))...)
	return append(out, p.field("Source", source(e.By))...)
}

func source(by plan.Actor) string {
	switch by {
	case plan.ByUser:
		return "you"
	case plan.ByAgent:
		return "the agent"
	}
	return string(by)
}

// degraded is an event whose details cannot be read: what happened is still
// said, nothing else is guessed.
func degraded(p pen, k plan.Kind) []string {
	g := p.t.Glyphs
	switch k {
	case plan.KindPlanApproved:
		return []string{p.line(p.t.Success.Render(g.Check + " PLAN APPROVED"))}
	case plan.KindWorkCompleted:
		return []string{p.line(p.t.Success.Render(g.Check + " PLAN COMPLETED"))}
	case plan.KindWorkAbandoned:
		return []string{p.line(p.t.Warning.Render(g.Bang + " PLAN ABANDONED"))}
	}
	return []string{p.line(p.t.Warning.Render(g.Bang + " " + text.Line("PLAN LIFECYCLE "+g.Dot+" "+string(k))))}
}
