package tree

import "planmode/plan"

// StatusOn is the document status of a revision as one branch has it, given in
// one or more pieces: what was decided on another branch does not count. known is
// false when the branch says nothing of the revision but that it was attached.
func StatusOn(ref plan.Ref, branch ...[]Entry) (status plan.Status, known bool) {
	status = plan.StatusDraft
	reviews := map[plan.ReviewID]bool{} // of the revision
	for _, piece := range branch {
		for _, e := range piece {
			ev, ok, err := Event(e)
			if !ok || err != nil {
				continue
			}
			switch ev := ev.(type) {
			case plan.RevisionSubmitted:
				known = known || ev.Ref == ref
			case plan.ReviewOpened:
				if ev.Ref == ref {
					reviews[ev.Review] = true
				}
			default:
				if s, says := decidedBy(ev, ref, reviews); says {
					if s == plan.StatusApproved {
						return s, true
					}
					status, known = s, true
				}
			}
		}
	}
	return status, known
}

// decidedBy is what an event makes of the status of a revision.
func decidedBy(ev plan.Event, ref plan.Ref, reviews map[plan.ReviewID]bool) (plan.Status, bool) {
	switch ev := ev.(type) {
	case plan.PlanApproved:
		return plan.StatusApproved, ev.Ref == ref
	case plan.WorkAdopted:
		return plan.StatusApproved, ev.Ref == ref
	case plan.WorkRecovered:
		return plan.StatusApproved, ev.Ref == ref
	case plan.ChangesRequested:
		return plan.StatusChangesRequested, reviews[ev.Review]
	case plan.ReviewClosed:
		return plan.StatusDraft, reviews[ev.Review] && (ev.Outcome == plan.OutcomeKept || ev.Outcome == plan.OutcomeCancelled)
	case plan.DraftDetached:
		return plan.StatusDiscarded, ev.Ref == ref && ev.Discarded
	}
	return "", false
}
