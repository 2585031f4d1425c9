package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// errNoLongerAuto reports an automatic approval that was overtaken by a change of
// the permission mode.
var errNoLongerAuto = errors.New("the permission mode is no longer auto")

// unseen is what an agent is told beside an approval without a person.
const unseen = "No person has seen this plan, and its approval is no go signal beyond the original request: " +
	"where that asked for the work, it begins in the next turn; where it asked for a plan only, stop and say so."

// afterSubmission goes on with a revision that was just made durable: the person
// reviews it or, in auto mode, it is approved without one.
func (s *Session) afterSubmission(ctx context.Context, ref plan.Ref) tool.Result {
	if s.Permission() != plan.PermissionAuto || s.reviewAsked() {
		return s.review(ctx, ref, nil)
	}
	option, why := s.fitUnseen(ref)
	if why != "" {
		s.say(tree.Warning, "r%d is not approved automatically: %s. It is shown to you instead.", ref.Revision, why)
		return s.review(ctx, ref, nil)
	}
	sh, err := s.openShowing(ref)
	if err != nil {
		s.windUp()
		s.say(tree.Failure, "The plan is saved as r%d, but it could not be approved automatically: %v. Plan Mode is still on; /plan review shows it.", ref.Revision, err)
		return planResult("The plan is saved, but it was not approved: "+err.Error()+". The person has been told.",
			s.details(ref, tool.DetailError, err.Error()), true)
	}
	sh.auto = true
	return s.approveUnseen(ctx, sh, option)
}

// reviewAsked says whether what runs is a review that the person asked for.
func (s *Session) reviewAsked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.job != nil && s.job.asked
}

// fitUnseen says why a revision must be seen by a person all the same, and else
// which approach is taken of several: the recommended one.
func (s *Session) fitUnseen(ref plan.Ref) (option *int, why string) {
	raw, err := s.opt.Store.Revision(ref)
	if err != nil {
		return nil, err.Error()
	}
	m, err := s.opt.Store.Manifest(ref.Plan)
	if err != nil {
		return nil, err.Error()
	}
	r := m.Revisions[ref.Revision-1]
	missing := s.missingSections(raw)
	switch {
	case s.remarkOn(ref) != "":
		return nil, s.remarkOn(ref)
	case len(missing) > 0:
		return nil, "sections are missing: " + strings.Join(missing, ", ")
	case len(r.Steps) == 0:
		return nil, "it has no execution steps"
	case len(r.Options) < 2:
		return nil, ""
	}
	for i, o := range r.Options {
		if o.Recommended {
			return &i, ""
		}
	}
	return nil, "it offers several approaches and recommends none"
}

// approveUnseen is approve without a person: the same order, the same checks, and
// a record that says so.
func (s *Session) approveUnseen(ctx context.Context, sh *showing, option *int) tool.Result {
	if ctx.Err() != nil {
		return s.voided(sh)
	}
	choice, err := chosen(sh.options, option)
	if err != nil {
		return s.notApproved(sh, "", err)
	}
	ev := plan.PlanApproved{
		Review: sh.id, Ref: sh.ref, Submission: sh.entry, By: plan.ByAuto,
		Title: sh.title, Steps: len(sh.steps), Option: choice.index(), Choice: choice.label(),
	}
	head := s.head(ctx)
	var used plan.EntryID
	err = s.applyWith(ev, func(id plan.EntryID) error {
		if s.Permission() != plan.PermissionAuto { // it cannot change while this runs
			return errNoLongerAuto
		}
		used = id
		return s.decided(sh, id, plan.Decision{Kind: plan.DecidedAutoApproved, By: plan.ByAuto, Option: choice.index(), Head: head})
	})
	switch {
	case errors.Is(err, errNoLongerAuto):
		return s.showAfterAll(ctx, sh)
	case err != nil:
		return s.notApproved(sh, used, err)
	}
	s.planningEnded()
	s.queueHandoff(sh, Verdict{}, choice)
	s.say(tree.Warning, "%q r%d is %s. /plan review lets you look at it; /plan revise reopens it.", sh.title, sh.ref.Revision, plan.AutoApproved)
	d := s.details(sh.ref, tool.DetailAutoApproved, "")
	d.Option, d.Choice = choice.index(), choice.label()
	taken := ""
	if d.Choice != "" {
		taken = fmt.Sprintf(" Of its approaches the recommended one is taken, %q: only that one.", text.Line(d.Choice))
	}
	return planResult(fmt.Sprintf("r%d, %s, is %s.%s %s", sh.ref.Revision, sh.ref.Hash, plan.AutoApproved, taken, unseen), d, true)
}

// showAfterAll reviews what the person, by changing the mode, asked to see.
func (s *Session) showAfterAll(ctx context.Context, sh *showing) tool.Result {
	if err := s.apply(plan.ReviewClosed{Review: sh.id, Outcome: plan.OutcomeVoided, Reason: errNoLongerAuto.Error()}); err != nil {
		return s.notApproved(sh, "", err)
	}
	return s.review(ctx, sh.ref, nil)
}

// autoApproved says whether a revision was approved without a person.
func (s *Session) autoApproved(ref plan.Ref) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.views[ref]
	return v != nil && v.Auto
}

// unreviewed is what is added to the name of a revision that nobody reviewed.
func (s *Session) unreviewed(ref plan.Ref) string {
	if s.autoApproved(ref) {
		return " · " + plan.AutoApproved
	}
	return ""
}

// reviewUnseen shows the person a plan that was approved without them. Planning is
// on meanwhile, since they may want it otherwise; approving it is then their own
// act on it.
func (s *Session) reviewUnseen(ref plan.Ref) {
	if s.View().Running {
		s.say(tree.Info, "The agent is still running. Interrupt it first (Esc Esc), or wait until it stops.")
		return
	}
	if !s.canPlan() {
		return
	}
	s.overtake(func() { s.attach(ref) })
	if st := s.current(); st.IsPlanning() && st.Planning != nil && *st.Planning == ref {
		s.reviewByCommand(ref, s.unsent(ref))
	}
}
