package session

import (
	"context"
	"errors"
	"fmt"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tool"
	"planmode/store"
)

// SubmitPlan implements tool.Planner: check, save a revision, review it.
// Mistakes in what was submitted end nothing, so that the agent can correct
// itself.
func (s *Session) SubmitPlan(ctx context.Context, _ tool.Call, args tool.SubmitArgs) tool.Result {
	st := s.current()
	if !st.IsPlanning() {
		return planResult("Plan Mode is off, so no plan can be submitted. Only the person can turn it on.",
			tool.PlanDetails{Kind: tool.DetailUnavailable, Reason: "Plan Mode is off"}, true)
	}
	sub, refusal := s.checkSubmission(st, args)
	if refusal != nil {
		return s.refuseSubmission(*refusal)
	}
	return s.submit(ctx, st, sub, "", s.afterSubmission)
}

// afterwards goes on with a revision that was just made durable.
type afterwards func(context.Context, plan.Ref) tool.Result

// submit saves what was checked as a revision and goes on with it. doubt is what
// the person should know of it before they decide.
func (s *Session) submit(ctx context.Context, st plan.State, sub store.Submission, doubt string, next afterwards) tool.Result {
	if err := s.closeStaleReview(plan.OutcomeInterrupted); err != nil {
		return planResult("The plan was not saved: "+err.Error()+".",
			tool.PlanDetails{Kind: tool.DetailStorageError, Title: sub.Title, Reason: err.Error()}, true)
	}
	ref, err := s.saveRevision(st, sub, sub.Plan)
	switch {
	case errors.Is(err, store.ErrUnchanged):
		return s.refuseSubmission(tool.PlanDetails{
			Kind: tool.DetailUnchanged, Plan: sub.Plan, Revision: sub.BasedOn, Title: sub.Title,
			Reason: fmt.Sprintf("the text and its options are those of r%d, so no revision was made and no review was opened. Change the plan, or stop and ask the person", st.Planning.Revision),
		})
	case err != nil:
		return planResult("The plan was not saved: "+err.Error()+". The person has been told.",
			tool.PlanDetails{Kind: tool.DetailStorageError, Title: sub.Title, Reason: err.Error()}, true)
	}
	s.remark(ref, doubt)
	return next(ctx, ref)
}

// checkSubmission applies the contract of submit_plan to args.
func (s *Session) checkSubmission(st plan.State, args tool.SubmitArgs) (store.Submission, *tool.PlanDetails) {
	invalid := func(kind tool.DetailKind, format string, a ...any) (store.Submission, *tool.PlanDetails) {
		d := &tool.PlanDetails{Kind: kind, Title: args.Title, Reason: fmt.Sprintf(format, a...)}
		if st.Planning != nil {
			d.Plan, d.Revision = st.Planning.Plan, st.Planning.Revision
		}
		return store.Submission{}, d
	}
	title, err := document.CleanTitle(args.Title)
	if err != nil {
		return invalid(tool.DetailInvalid, "%v", err)
	}
	text, err := document.Normalise([]byte(args.Markdown))
	if err != nil {
		return invalid(tool.DetailInvalid, "%v", err)
	}
	switch {
	case st.Planning != nil && args.PlanID == "":
		return invalid(tool.DetailInvalidPlanID, "a draft is attached: give planId %q to revise it", st.Planning.Plan)
	case st.Planning != nil && args.PlanID != string(st.Planning.Plan):
		return invalid(tool.DetailInvalidPlanID, "the attached draft is planId %q, not %q", st.Planning.Plan, args.PlanID)
	case st.Planning == nil && args.PlanID != "":
		return invalid(tool.DetailInvalidPlanID, "no draft is attached: leave planId out to start a new plan")
	}
	doc := document.Parse(text)
	if err := doc.Check(s.opt.Config.ContentLanguage); err != nil {
		return invalid(tool.DetailInvalid, "%v", err)
	}
	if err := document.CheckOptions(args.Offered()); err != nil {
		return invalid(tool.DetailInvalid, "%v", err)
	}
	sub := store.Submission{
		Session: s.opt.Session, Cwd: s.opt.Dir, Title: title, Text: text,
		Author: plan.ByAgent, Language: doc.Language(), Steps: doc.Steps(), Options: args.Offered(),
	}
	if st.Planning != nil {
		sub.Plan, sub.BasedOn = st.Planning.Plan, st.Planning.Revision
	}
	return sub, nil
}

// refuseSubmission answers a submission that the agent can put right.
func (s *Session) refuseSubmission(d tool.PlanDetails) tool.Result {
	return planResult(fmt.Sprintf("The plan was not accepted: %s. Correct it and submit the whole plan again.", d.Reason), d, false)
}

// saveRevision makes the revision durable and then puts it under planning.
func (s *Session) saveRevision(st plan.State, sub store.Submission, named plan.ID) (plan.Ref, error) {
	_, ref, err := s.opt.Store.Submit(sub)
	if err != nil {
		return plan.Ref{}, err
	}
	ev := plan.RevisionSubmitted{
		Ref: ref, Named: named, Title: sub.Title, Author: sub.Author, Steps: len(sub.Steps), Options: len(sub.Options),
		Reoffers: st.Planning != nil && st.Planning.Hash == ref.Hash,
	}
	if st.Planning == nil {
		ev.Named = ""
	}
	if err := s.apply(ev); err != nil {
		return plan.Ref{}, fmt.Errorf("%s is saved but could not be attached: %w", ref, err)
	}
	return ref, nil
}

func planResult(text string, d tool.PlanDetails, stop bool) tool.Result {
	failed := false
	switch d.Kind {
	case tool.DetailUnavailable, tool.DetailInvalid, tool.DetailInvalidPlanID, tool.DetailStorageError,
		tool.DetailUnchanged, tool.DetailError, tool.DetailIntegrityError:
		failed = true
	}
	return tool.Result{Text: text, Error: failed, Details: tool.Marshal(d), Stop: stop}
}
