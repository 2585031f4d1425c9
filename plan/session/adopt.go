package session

import (
	"context"
	"errors"
	"fmt"

	"planmode/plan"
	"planmode/plan/tree"
)

// ErrNoPlan reports that no plan is attached or open.
var ErrNoPlan = errors.New("no plan is attached")

// Adopt continues, in this session, a plan of another one: the work of an approved
// revision, or a draft. The bytes are hashed again first, and a plan that another
// process holds open is taken over only when the person says so. What happened is
// logged as notices; an error means that nothing was changed.
func (s *Session) Adopt(ctx context.Context, id plan.ID) error {
	if err := s.readOnly(); err != nil {
		return fmt.Errorf("adopt %s: the session can only be read: %w", id, err)
	}
	if !s.command.TryLock() {
		return fmt.Errorf("adopt %s: another command still waits for an answer", id)
	}
	defer s.command.Unlock()
	if st := s.current(); st.IsPlanning() || st.OpenWork() != nil {
		return fmt.Errorf("adopt %s: this session already has an open plan or is planning; close it, or adopt in a new session (/new)", id)
	}
	m, err := s.opt.Store.Manifest(id)
	if err != nil {
		return fmt.Errorf("adopt %s: %w", id, err)
	}
	a, err := s.adoptable(ctx, m)
	if err == nil && a.ref.Plan != "" && (!s.mayTakeOver(ctx, m, a) || !s.mayEndTurn(ctx, "Continue the plan here?")) {
		a = adoption{}
	}
	switch {
	case err != nil:
		return fmt.Errorf("adopt %s: %w", id, err)
	case a.ref.Plan == "":
		s.say(tree.Info, "Not adopted; nothing was changed.")
		return nil
	}
	s.overtake(func() { err = s.adopt(a) })
	if err != nil {
		return fmt.Errorf("adopt %s: %w", a.ref, err)
	}
	return nil
}

// adoption is what goes on in this session.
type adoption struct {
	ref   plan.Ref
	title string
	from  string // the session that approved it; empty for a draft
	draft bool
}

// adoptable chooses what of a plan goes on: its newest draft or its approved work.
// The person is asked when there are both; the zero adoption is their no.
func (s *Session) adoptable(ctx context.Context, m plan.Manifest) (adoption, error) {
	work, draft := adoptableWork(m), adoptableDraft(m)
	if work.ref.Plan != "" && draft.ref.Plan != "" {
		i, err := s.opt.Desk.Ask(ctx, Question{
			Title: fmt.Sprintf("Continue which part of %q?", m.Title),
			Choices: []Choice{
				{Label: fmt.Sprintf("The approved r%d", work.ref.Revision), Detail: "its work goes on here"},
				{Label: fmt.Sprintf("The draft r%d", draft.ref.Revision), Detail: "Plan Mode turns on"},
				{Label: "Cancel"},
			},
			Cancel: 2,
		})
		switch {
		case err != nil || i > 1:
			return adoption{}, nil
		case i == 0:
			draft = adoption{}
		default:
			work = adoption{}
		}
	}
	a := work
	if draft.ref.Plan != "" {
		a = draft
	}
	if a.ref.Plan == "" {
		return a, errors.New("it has no revision")
	}
	if st := s.current(); a.draft && st.Planning != nil && *st.Planning != a.ref {
		return a, fmt.Errorf("another draft is parked in this session (%q r%d); let go of it with /plan discard, or adopt in a new session (/new)", s.titleOf(*st.Planning), st.Planning.Revision)
	}
	if reason := s.disabledReason(); a.draft && reason != "" {
		return a, fmt.Errorf("its newest revision is a draft, and Plan Mode is disabled: %s", reason)
	}
	_, err := s.opt.Store.Revision(a.ref)
	return a, err
}

// adoptableWork is the newest approved revision, open or closed.
func adoptableWork(m plan.Manifest) adoption {
	approval := latestApproval(m)
	if approval == nil {
		return adoption{}
	}
	return adoption{
		ref:  plan.Ref{Plan: m.PlanID, Revision: approval.Revision, Hash: approval.Hash},
		from: approval.Session, title: m.Revisions[approval.Revision-1].Title,
	}
}

// adoptableDraft is the newest revision when nobody approved it.
func adoptableDraft(m plan.Manifest) adoption {
	if len(m.Revisions) == 0 {
		return adoption{}
	}
	r := m.Revisions[len(m.Revisions)-1]
	if m.Approval(r.Revision) != nil {
		return adoption{}
	}
	return adoption{ref: plan.Ref{Plan: m.PlanID, Revision: r.Revision, Hash: r.Hash}, title: r.Title, draft: true}
}

// adopt lists this session in the plan's record and then begins.
func (s *Session) adopt(a adoption) error {
	var ev plan.Event = plan.WorkAdopted{Ref: a.ref, From: a.from, Title: a.title}
	if a.draft {
		ev = plan.RevisionAttached{Ref: a.ref}
	}
	err := s.applyWith(ev, func(plan.EntryID) error {
		_, err := s.opt.Store.Adopt(a.ref.Plan, s.opt.Session)
		return err
	})
	switch {
	case err != nil:
		return err
	case a.draft:
		s.planningBegan()
		s.say(tree.Info, "Continuing the draft %q r%d: Plan Mode is on, the agent can only read. Say what should change, or /plan review.", a.title, a.ref.Revision)
	default:
		s.markReinject()
		s.Look()
		s.say(tree.Info, "Continuing %q r%d, approved in session %s. Its bytes match the approval. Say how to go on.", a.title, a.ref.Revision, a.from)
	}
	return nil
}

// latestApproval is the newest decision that unlocked work.
func latestApproval(m plan.Manifest) *plan.Decision {
	for i := len(m.Decisions) - 1; i >= 0; i-- {
		if m.Decisions[i].Kind.Approves() {
			return &m.Decisions[i]
		}
	}
	return nil
}

// mayTakeOver asks when another process has a session of the plan open, and when
// the plan was done with before.
func (s *Session) mayTakeOver(ctx context.Context, m plan.Manifest, a adoption) bool {
	for _, other := range m.Sessions {
		if other == s.opt.Session {
			continue
		}
		holder, held := s.opt.Store.Holder(other)
		if !held {
			continue
		}
		yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
			Title: fmt.Sprintf("Take over %q r%d?", m.Title, a.ref.Revision),
			Body: fmt.Sprintf("Session %s is open in another planmode (%s). Two agents may then work on the same plan.",
				other, s.holderText(holder)),
			Yes: "Take over", No: "Leave it there", label: labelAdopt,
		})
		if err != nil || !yes {
			return false
		}
	}
	closed := doneAs(m, a)
	if closed == "" {
		return true
	}
	yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
		Title: fmt.Sprintf("Open %q r%d again?", m.Title, a.ref.Revision),
		Body:  fmt.Sprintf("It was marked %s. Continuing opens it in this session; the earlier record stays.", closed),
		Yes:   "Continue it", No: "Leave it closed", label: labelAdopt,
	})
	return err == nil && yes
}

// doneAs says how what is adopted was done with, if it was.
func doneAs(m plan.Manifest, a adoption) plan.DecisionKind {
	if !a.draft {
		return closedAs(m, a.ref.Revision)
	}
	if m.StatusOf(a.ref.Revision) == plan.StatusDiscarded {
		return plan.DecidedDiscarded
	}
	return ""
}

// closedAs says how the work of a revision was closed after its last approval.
func closedAs(m plan.Manifest, revision int) plan.DecisionKind {
	var last plan.DecisionKind
	for _, d := range m.Decisions {
		if d.Revision != revision {
			continue
		}
		switch d.Kind {
		case plan.DecidedApproved, plan.DecidedAutoApproved:
			last = ""
		case plan.DecidedCompleted, plan.DecidedAbandoned:
			last = d.Kind
		}
	}
	return last
}

// mayEndTurn asks before something ends the turn or review that runs, since what
// it was about to do is then not done.
func (s *Session) mayEndTurn(ctx context.Context, title string) bool {
	s.mu.Lock()
	runs := s.job != nil && !s.job.ending
	s.mu.Unlock()
	if !runs {
		return true
	}
	yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
		Title: title, Body: "The agent is running, and would be ended first. What it did so far is kept.",
		Yes: "End it", No: "Let it run", label: labelConfirm,
	})
	return err == nil && yes
}
