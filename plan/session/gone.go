package session

import (
	"errors"
	"slices"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

// unreadable says whether there is no plan left to work on, as opposed to one
// whose text is no longer what was approved.
func unreadable(err error) bool {
	return errors.Is(err, store.ErrNoPlan) || errors.Is(err, plan.ErrManifest) || errors.Is(err, errForeign)
}

// letGo drops work whose plan is missing, damaged or another session's: there is
// nothing that could be completed, and no question should be asked about it. The
// approval stays in the log.
func (s *Session) letGo(w plan.Work, why error) bool {
	title := s.approvedTitle(w.Ref)
	if err := s.apply(plan.WorkAbandoned{Ref: w.Ref, By: plan.ByPlanmode, Title: title, Summary: why.Error()}); err != nil {
		return false
	}
	s.say(tree.Warning, "The approved plan %q r%d was let go: %v. Nothing was touched, and its approval stays on record here. If its files come back, planmode --adopt %s continues it.",
		title, w.Ref.Revision, why, w.Ref.Plan)
	return true
}

// approvedTitle is the title as it was approved or adopted, for a plan that
// cannot be read any more.
func (s *Session) approvedTitle(ref plan.Ref) string {
	for _, e := range slices.Backward(s.Items(0)) {
		switch ev, _, _ := tree.Event(e); ev := ev.(type) {
		case plan.PlanApproved:
			if ev.Ref == ref {
				return ev.Title
			}
		case plan.WorkAdopted:
			if ev.Ref == ref {
				return ev.Title
			}
		}
	}
	return s.titleOf(ref)
}
