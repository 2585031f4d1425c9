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

// Adopt continues, in this session, a plan that another one approved. The bytes
// are hashed again first, and work that another process holds open is taken over
// only when the person says so. What happened is logged as notices.
func (s *Session) Adopt(ctx context.Context, id plan.ID) error {
	s.command.Lock()
	defer s.command.Unlock()
	st := s.current()
	if st.IsPlanning() || st.OpenWork() != nil {
		return errors.New("this session already has an open plan or is planning; start a new session to adopt")
	}
	m, err := s.opt.Store.Manifest(id)
	if err != nil {
		return fmt.Errorf("adopt %s: %w", id, err)
	}
	approval := latestApproval(m)
	if approval == nil {
		return fmt.Errorf("adopt %s: no revision of it is approved", id)
	}
	ref := plan.Ref{Plan: id, Revision: approval.Revision, Hash: approval.Hash}
	if _, err := s.opt.Store.Revision(ref); err != nil {
		return fmt.Errorf("adopt %s: %w", ref, err)
	}
	if !s.mayTakeOver(ctx, m, ref) {
		s.say(tree.Info, "Not adopted; nothing was changed.")
		return nil
	}
	title := m.Revisions[ref.Revision-1].Title
	ev := plan.WorkAdopted{Ref: ref, From: approval.Session, Title: title}
	err = s.applyWith(ev, func(plan.EntryID) error {
		_, err := s.opt.Store.Adopt(id, s.opt.Session)
		return err
	})
	if err != nil {
		return fmt.Errorf("adopt %s: %w", ref, err)
	}
	s.markReinject()
	s.say(tree.Info, "Continuing %q r%d, approved in session %s. Its bytes match the approval. Say how to go on.", title, ref.Revision, approval.Session)
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

// mayTakeOver asks when the work was closed before, or when another process has
// a session of the plan open.
func (s *Session) mayTakeOver(ctx context.Context, m plan.Manifest, ref plan.Ref) bool {
	for _, other := range m.Sessions {
		if other == s.opt.Session {
			continue
		}
		holder, held := s.opt.Store.Holder(other)
		if !held {
			continue
		}
		yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
			Title: fmt.Sprintf("Take over %q r%d?", m.Title, ref.Revision),
			Body: fmt.Sprintf("Session %s is open in another planmode (process %d on %s, since %s). Two agents may then work on the same plan.",
				other, holder.PID, holder.Host, holder.Since.Local().Format("2006-01-02 15:04")),
			Yes: "Take over", No: "Leave it there", label: labelAdopt,
		})
		if err != nil || !yes {
			return false
		}
	}
	closed := closedAs(m, ref.Revision)
	if closed == "" {
		return true
	}
	yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
		Title: fmt.Sprintf("Open %q r%d again?", m.Title, ref.Revision),
		Body:  fmt.Sprintf("Its work was marked %s. Continuing opens it in this session; the earlier record stays.", closed),
		Yes:   "Continue it", No: "Leave it closed", label: labelAdopt,
	})
	return err == nil && yes
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
