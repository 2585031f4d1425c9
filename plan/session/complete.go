package session

import (
	"context"
	"errors"
	"fmt"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/store"
)

// isTampered says whether bytes on disk are no longer those that were approved
// or shown.
func isTampered(err error) bool { return errors.Is(err, store.ErrTampered) }

// CompletePlan implements tool.Planner. Completing is a declaration of the
// agent, bound to the exact revision and to bytes that are hashed again.
func (s *Session) CompletePlan(_ context.Context, _ tool.Call, args tool.CompleteArgs) tool.Result {
	st := s.current()
	w := st.OpenWork()
	if st.IsPlanning() || w == nil {
		return planResult("There is no open plan to complete in normal mode.",
			tool.PlanDetails{Kind: tool.DetailUnavailable, Reason: "no open plan in normal mode"}, false)
	}
	if args.PlanID != string(w.Ref.Plan) || args.Revision != w.Ref.Revision {
		reason := fmt.Sprintf("the open plan is planId %q revision %d", w.Ref.Plan, w.Ref.Revision)
		return planResult("Not completed: "+reason+".", s.details(w.Ref, tool.DetailInvalidPlanID, reason), false)
	}
	if err := s.closeWork(plan.Completed, plan.ByAgent, args.Summary, args.Verification); err != nil {
		return planResult("Not completed: "+err.Error()+".", s.details(w.Ref, tool.DetailIntegrityError, err.Error()), false)
	}
	d := s.details(w.Ref, tool.DetailCompleted, "")
	d.Summary, d.Verification = args.Summary, args.Verification
	text := fmt.Sprintf("Completed %s r%d.\n\n%s\n", w.Ref.Plan, w.Ref.Revision, args.Summary)
	for _, v := range args.Verification {
		text += "\n- " + v
	}
	return planResult(text, d, true)
}

// closeWork closes the open work: the manifest first, then the log. Only
// completing needs the approved bytes; abandoning is the way out of a plan whose
// files are damaged or gone, so there a manifest that cannot be written is told
// and no more.
func (s *Session) closeWork(status plan.WorkStatus, by plan.Actor, summary string, checks []string) error {
	err := s.recordClosed(status, by, summary, checks)
	if err == nil {
		s.restorePermission()
	}
	return err
}

func (s *Session) recordClosed(status plan.WorkStatus, by plan.Actor, summary string, checks []string) error {
	w := s.current().OpenWork()
	if w == nil {
		return errors.New("no approved plan is open")
	}
	d := plan.Decision{
		Revision: w.Ref.Revision, Hash: w.Ref.Hash, By: by, At: plan.Stamp(s.opt.Now()),
		Session: s.opt.Session, Notes: summary,
	}
	title := s.titleOf(w.Ref)
	if status == plan.Completed {
		d.Kind = plan.DecidedCompleted
		ev := plan.WorkCompleted{Ref: w.Ref, By: by, Title: title, Summary: summary, Verification: checks}
		if a, ok := s.approvalOf(w.Ref); ok {
			d.Touched = s.touched(a, w.Ref.Plan)
			ev.Named, ev.Touched = a.Named, d.Touched
		}
		return s.applyWith(ev, func(id plan.EntryID) error {
			d.Entry = id
			_, err := s.opt.Store.Decide(w.Ref.Plan, d)
			return err
		})
	}
	d.Kind = plan.DecidedAbandoned
	var unrecorded error
	err := s.applyWith(plan.WorkAbandoned{Ref: w.Ref, By: by, Title: title, Summary: summary}, func(id plan.EntryID) error {
		d.Entry = id
		_, unrecorded = s.opt.Store.Decide(w.Ref.Plan, d)
		return nil
	})
	if err == nil && unrecorded != nil {
		s.say(tree.Warning, "Abandoned in this session, but the plan's own record could not be written: %v.", unrecorded)
	}
	return err
}
