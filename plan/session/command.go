package session

import (
	"context"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// actions are the arguments of `/plan` and what each does. "steps" and "show"
// never come here: the screen does both.
var actions = map[string]func(*Session, context.Context){
	"":         func(s *Session, _ context.Context) { s.say(tree.Info, "%s", s.status()) },
	"status":   func(s *Session, _ context.Context) { s.say(tree.Info, "%s", s.status()) },
	"on":       (*Session).planOn,
	"off":      (*Session).planOff,
	"revise":   (*Session).planRevise,
	"complete": (*Session).planComplete,
	"abandon":  (*Session).planAbandon,
	"discard":  (*Session).planDiscard,
	"review":   (*Session).planReview,
	"take":     (*Session).planTake,
}

// looksOnly are the actions that change nothing.
var looksOnly = map[string]bool{"": true, "status": true}

// Plan runs `/plan` with the argument ("", "on", "off", "revise", …). It may ask
// through the desk and wait for the disk, so a screen calls it outside its event
// loop. What the person must know is logged as notices; the error is ErrUsage.
func (s *Session) Plan(ctx context.Context, arg string) error {
	name := strings.ToLower(strings.TrimSpace(arg))
	act, ok := actions[name]
	if !ok {
		return ErrUsage
	}
	if err := s.readOnly(); err != nil && !looksOnly[name] {
		s.sayReadOnly(err)
		return nil
	}
	if !s.command.TryLock() {
		s.say(tree.Info, "Another /plan command is still waiting for an answer.")
		return nil
	}
	defer s.command.Unlock()
	act(s, ctx)
	return nil
}

// Toggle turns planning on or off, as the key does.
func (s *Session) Toggle(ctx context.Context) error {
	if s.current().IsPlanning() {
		return s.Plan(ctx, "off")
	}
	return s.Plan(ctx, "on")
}

// planOff leaves planning. The running turn ends and a review in it is void: an
// answer to it can no longer approve anything.
func (s *Session) planOff(context.Context) {
	if !s.current().IsPlanning() {
		s.say(tree.Info, "Plan Mode is already off. %s", s.leadOn())
		return
	}
	s.overtake(s.leave)
}

func (s *Session) leave() {
	st := s.current()
	if st.Review != nil {
		s.keepSaved(*st.Review)
	}
	if !st.IsPlanning() {
		return // the turn that was ended had just left planning itself
	}
	if err := s.apply(plan.PlanningLeft{}); err != nil {
		s.say(tree.Failure, "Plan Mode is still on: leaving it could not be recorded (%v).", err)
		return
	}
	s.planningEnded()
	if st.Planning == nil {
		s.say(tree.Info, "Plan Mode is off; the normal tools are back.")
		return
	}
	s.say(tree.Info, "Plan Mode is off; the normal tools are back. The draft %q r%d is parked: /plan on offers it again.",
		s.titleOf(*st.Planning), st.Planning.Revision)
}

// planRevise attaches the approved revision of the latest work, open or closed.
func (s *Session) planRevise(context.Context) {
	st := s.current()
	if st.Work == nil {
		s.say(tree.Info, "There is no approved plan to revise. %s", s.leadOn())
		return
	}
	if st.Planning != nil && *st.Planning != st.Work.Ref {
		s.say(tree.Warning, "A different draft is attached: %q r%d. Finish it, or let go of it with /plan discard, before revising.",
			s.titleOf(*st.Planning), st.Planning.Revision)
		return
	}
	if s.canPlan() {
		s.overtake(func() { s.attach(st.Work.Ref) })
	}
}

// attach begins planning on an existing revision, after its bytes and its record
// were checked.
func (s *Session) attach(ref plan.Ref) {
	if err := s.checkRef(ref); err != nil {
		s.say(tree.Failure, "r%d cannot be attached: %v.", ref.Revision, err)
		return
	}
	if err := s.apply(plan.RevisionAttached{Ref: ref}); err != nil {
		s.say(tree.Failure, "r%d could not be attached: %v.", ref.Revision, err)
		return
	}
	s.planningBegan()
	s.say(tree.Info, "Plan Mode is on for %q r%d: the agent can only read. Say what should change.", s.titleOf(ref), ref.Revision)
}

func (s *Session) planComplete(ctx context.Context) {
	w, ok := s.closable("complete")
	if !ok {
		return
	}
	yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
		Title: fmt.Sprintf("Mark %q r%d as completed?", s.titleOf(w.Ref), w.Ref.Revision),
		Body:  "Only if everything in the plan is implemented and verified. The approved text is checked against its hash first.",
		Yes:   "Mark completed", No: "Not yet", label: labelComplete,
	})
	if err != nil || !yes {
		return
	}
	s.closeByPerson(w.Ref, plan.Completed)
}

func (s *Session) planAbandon(ctx context.Context) {
	w, ok := s.closable("abandon")
	if !ok {
		return
	}
	yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
		Title: fmt.Sprintf("Abandon %q r%d?", s.titleOf(w.Ref), w.Ref.Revision),
		Body:  "The plan and all its revisions stay on disk. It is no longer active, and nothing already done is undone.",
		Yes:   "Abandon", No: "Keep working", label: labelAbandon,
	})
	if err != nil || !yes {
		return
	}
	s.closeByPerson(w.Ref, plan.Abandoned)
}

// closable returns the open work if `/plan` can do what is asked to it now.
func (s *Session) closable(action string) (*plan.Work, bool) {
	st := s.current()
	switch {
	case st.OpenWork() == nil:
		s.say(tree.Info, "No approved plan is open. %s", s.leadOn())
		return nil, false
	case st.IsPlanning():
		s.say(tree.Warning, "Nothing was changed. Turn Plan Mode off first (/plan off), then /plan %s.", action)
		return nil, false
	}
	return st.OpenWork(), true
}

// closeByPerson closes the work that the person was asked about. The running
// turn ends first, since it works on what is closed.
func (s *Session) closeByPerson(ref plan.Ref, status plan.WorkStatus) bool {
	return s.closeBy(s.overtake, ref, status)
}

func (s *Session) closeBy(by changer, ref plan.Ref, status plan.WorkStatus) (closed bool) {
	by(func() { closed = s.closeAsked(ref, status) })
	return closed
}

func (s *Session) closeAsked(ref plan.Ref, status plan.WorkStatus) bool {
	if w := s.current().OpenWork(); w == nil || w.Ref != ref {
		s.say(tree.Info, "The plan was closed meanwhile.")
		return true
	}
	if err := s.closeWork(status, plan.ByUser, "", nil); err != nil {
		if isTampered(err) {
			s.say(tree.Failure, "Not marked %s: %v. The text on disk is not what was approved. /plan abandon closes it, /plan revise starts from what is recorded.", status, err)
		} else {
			s.say(tree.Failure, "Not marked %s: %v.", status, err)
		}
		return false
	}
	return true
}

// planDiscard lets go of the draft for good; its files are kept all the same.
func (s *Session) planDiscard(ctx context.Context) {
	st := s.current()
	if st.Planning == nil {
		s.say(tree.Info, "No draft is attached. %s", s.leadOn())
		return
	}
	c := Confirmation{
		Title: fmt.Sprintf("Discard the draft %q r%d?", s.titleOf(*st.Planning), st.Planning.Revision),
		Body:  "It is detached from this session. Its revisions stay on disk.",
		Yes:   "Discard", No: "Keep it", label: labelDiscard,
	}
	approved := s.isApprovedRef(*st.Planning)
	if approved {
		c.Title = fmt.Sprintf("Stop working from %q r%d?", s.titleOf(*st.Planning), st.Planning.Revision)
		c.Body = "It stays approved, and its revisions stay on disk. Only the planning that starts from it ends."
		c.Yes = "Let go of it"
	}
	yes, err := s.opt.Desk.Confirm(ctx, c)
	if err != nil || !yes {
		return
	}
	s.overtake(func() {
		if now := s.current().Planning; now == nil || *now != *st.Planning {
			s.say(tree.Warning, "Nothing was discarded: the draft changed while you were asked. Run /plan discard again.")
			return
		}
		switch {
		case !s.detach(!approved):
		case approved:
			s.say(tree.Info, "%q r%d is let go of and stays approved. %s", s.titleOf(*st.Planning), st.Planning.Revision, s.leadOn())
		default:
			s.say(tree.Info, "The draft %q is discarded; its files are kept.", s.titleOf(*st.Planning))
		}
	})
}

// detach lets go of the draft: kept in the list of plans, or marked discarded.
func (s *Session) detach(discarded bool) bool {
	st := s.current()
	if st.Planning == nil {
		return true
	}
	ref := *st.Planning
	err := s.closeStaleReview(plan.OutcomeVoided)
	if err == nil {
		err = s.applyWith(plan.DraftDetached{Ref: ref, Discarded: discarded}, func(id plan.EntryID) error {
			if !discarded || s.isApprovedRef(ref) {
				return nil
			}
			_, err := s.opt.Store.Decide(ref.Plan, plan.Decision{
				Revision: ref.Revision, Kind: plan.DecidedDiscarded, By: plan.ByUser, At: plan.Stamp(s.opt.Now()),
				Hash: ref.Hash, Session: s.opt.Session, Entry: id,
			})
			return err
		})
	}
	if err != nil {
		s.say(tree.Failure, "The draft is still attached: %v.", err)
		return false
	}
	return true
}

// planReview shows the attached revision again. It is interruptible and holds
// the session like a turn does.
func (s *Session) planReview(context.Context) {
	st := s.current()
	switch {
	case st.Planning == nil && !st.IsPlanning() && st.Work != nil && s.autoApproved(st.Work.Ref):
		s.reviewUnseen(st.Work.Ref)
		return
	case st.Planning == nil:
		s.say(tree.Info, "There is no draft to review. %s", s.leadOn())
		return
	case !st.IsPlanning():
		s.say(tree.Info, "The draft is parked. /plan on offers it again; then /plan review shows it.")
		return
	}
	notes := s.unsent(*st.Planning)
	if st.Review != nil {
		notes = s.keepSaved(*st.Review)
	}
	s.reviewByCommand(*st.Planning, notes)
}

// reviewByCommand reviews ref outside a turn. Notes start a turn of their own,
// an approval hands the plan over.
func (s *Session) reviewByCommand(ref plan.Ref, pending []plan.Annotation) {
	s.asReview(func(ctx context.Context) tool.Result { return s.review(ctx, ref, pending) })
}

// asReview runs a review that no turn asked for.
func (s *Session) asReview(review func(context.Context) tool.Result) {
	j, jctx, ok := s.beginNext("waiting for your review")
	if !ok {
		s.say(tree.Info, "The agent is still running. Interrupt it first (Esc Esc), or wait until it stops.")
		return
	}
	s.mu.Lock()
	j.asked = true
	s.mu.Unlock()
	err := s.closeStaleReview(plan.OutcomeInterrupted)
	if err != nil {
		s.end(j)
		s.say(tree.Failure, "The review could not be opened: %v.", err)
		return
	}
	result := review(jctx)
	s.mu.Lock()
	j.asked = false // turns may follow in the same job
	s.mu.Unlock()
	if jctx.Err() != nil || s.isClosing() {
		s.end(j) // notes that were just sent go with the next turn
		return
	}
	if f := s.feedback(result); f != nil {
		s.runFeedback(jctx, j, *f)
		return
	}
	s.spawn("turn", func() {
		if s.follow(j, true) {
			s.turns(jctx, j)
			return
		}
		s.end(j)
	})
}
