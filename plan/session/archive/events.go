package archive

import (
	"fmt"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// event writes what happened to a plan. The text of a revision is read from its
// file and verified; a transcript that showed other bytes would be worse than none.
func (x *exporter) event(e tree.Entry, ev plan.Event) {
	switch ev := ev.(type) {
	case plan.PlanningEntered:
		x.heading("Plan Mode on", e.At)
	case plan.PlanningLeft:
		x.heading("Plan Mode off", e.At)
	case plan.RevisionAttached:
		x.heading(fmt.Sprintf("Planning on %s r%d", inline(string(ev.Ref.Plan)), ev.Ref.Revision), e.At)
	case plan.RevisionSubmitted:
		x.revision(e.At, ev)
	case plan.ReviewOpened:
		x.heading(fmt.Sprintf("Review of r%d, round %d", ev.Ref.Revision, ev.Round), e.At)
	case plan.ReviewClosed:
		x.heading("Review closed: "+inline(string(ev.Outcome)), e.At)
		x.words(ev.Reason)
	case plan.ChangesRequested:
		what := "Changes requested"
		if ev.Count > 0 {
			what += ", " + text.Count(ev.Count, "note")
		}
		x.heading(what, e.At)
		x.words(ev.Text)
	case plan.PlanApproved:
		by := "by " + inline(string(ev.By))
		if ev.By == plan.ByAuto {
			by = plan.AutoApproved
		}
		x.heading(fmt.Sprintf("PLAN APPROVED: %s · r%d, %s", inline(ev.Title), ev.Ref.Revision, by), e.At)
		x.printf("Hash: %s\n\n", inline(string(ev.Ref.Hash)))
		if ev.Option != nil {
			x.printf("Approach %d: %s\n\n", *ev.Option+1, inline(ev.Choice))
		}
		x.words(ev.Notes)
	case plan.DraftDetached:
		what := "Draft kept in the store"
		if ev.Discarded {
			what = "Draft discarded"
		}
		x.heading(fmt.Sprintf("%s: r%d", what, ev.Ref.Revision), e.At)
	case plan.WorkCompleted:
		x.heading(fmt.Sprintf("Work completed: %s · r%d", inline(ev.Title), ev.Ref.Revision), e.At)
		x.words(ev.Summary)
		x.printf("\n")
		for _, v := range ev.Verification {
			x.printf("- %s\n", inline(v))
		}
		if ev.Touched != nil {
			r := Compare(ev.Named, *ev.Touched)
			x.printf("- Files changed since the approval: %s\n- Of these not named in the plan: %s\n- Named and not changed: %s\n",
				inline(Files(r.Touched, r.More)), inline(Files(r.Unplanned, 0)), inline(Files(r.Untouched, 0)))
		}
	case plan.WorkAbandoned:
		x.heading(fmt.Sprintf("Work abandoned: %s · r%d", inline(ev.Title), ev.Ref.Revision), e.At)
		x.words(ev.Summary)
	case plan.WorkRecovered:
		x.heading(fmt.Sprintf("Approval of r%d found again; its work is unknown", ev.Ref.Revision), e.At)
		x.words(ev.Reason)
	case plan.WorkAdopted:
		x.heading(fmt.Sprintf("Plan adopted: %s · r%d, from session %s", inline(ev.Title), ev.Ref.Revision, inline(ev.From)), e.At)
	}
}

// words quotes what somebody added, if anything.
func (x *exporter) words(s string) {
	if s != "" {
		x.quote(s)
	}
}

func (x *exporter) revision(at plan.Time, ev plan.RevisionSubmitted) {
	x.heading(fmt.Sprintf("Plan submitted: %s · r%d", inline(ev.Title), ev.Ref.Revision), at)
	x.printf("Plan: %s\nHash: %s\n\n", inline(string(ev.Ref.Plan)), inline(string(ev.Ref.Hash)))
	b, err := x.store.Revision(ev.Ref)
	if err != nil {
		x.printf("Its text cannot be shown: %s\n", inline(err.Error()))
		return
	}
	x.verbatim("markdown", string(b))
}
