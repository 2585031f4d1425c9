package plan

import "errors"

// The reasons of the law. They are shown to people and models, so each says what
// stands in the way.
var (
	errPlanning     = errors.New("plan mode is on")
	errNotPlanning  = errors.New("plan mode is off")
	errOpenWork     = errors.New("an approved plan is still open")
	errNoOpenWork   = errors.New("no approved plan is open")
	errOtherWork    = errors.New("it names another revision than the open work")
	errNoDraft      = errors.New("no draft is attached")
	errOtherDraft   = errors.New("a different draft is attached")
	errUnnamedDraft = errors.New("a draft is attached and the submission does not name it")
	errNamedNothing = errors.New("no draft is attached, so no plan id may be given")
	errSameBytes    = errors.New("the bytes are those of the current revision")
	errBadRef       = errors.New("it names no revision")
	errReviewOpen   = errors.New("a review is open")
	errNoReview     = errors.New("no review is open")
	errOtherReview  = errors.New("it answers another review")
	errNotShown     = errors.New("it does not name what was shown")
	errNobody       = errors.New("it does not say who decided")
)

func (r Ref) valid() bool {
	_, idErr := ParseID(string(r.Plan))
	_, hashErr := ParseHash(string(r.Hash))
	return idErr == nil && hashErr == nil && r.Revision >= 1
}

func canEnterPlanning(s State, e PlanningEntered) error {
	switch {
	case s.IsPlanning():
		return errPlanning
	case s.OpenWork() != nil:
		return errOpenWork
	case e.Continue && s.Planning == nil:
		return errNoDraft
	}
	return nil
}

func enterPlanning(s State, e PlanningEntered, _ At) State {
	s.Mode = ModePlanning
	if !e.Continue {
		s.Planning, s.Submission = nil, ""
	}
	return s
}

func canAttach(s State, e RevisionAttached) error {
	switch {
	case !e.Ref.valid():
		return errBadRef
	case s.Review != nil:
		return errReviewOpen
	case s.Planning != nil && *s.Planning != e.Ref:
		return errOtherDraft
	}
	return nil
}

func attach(s State, e RevisionAttached, at At) State {
	s.Mode = ModePlanning
	if s.Planning == nil {
		s.Planning, s.Submission = &e.Ref, at.Entry
	}
	return s
}

func canSubmit(s State, e RevisionSubmitted) error {
	switch {
	case !s.IsPlanning():
		return errNotPlanning
	case s.Review != nil:
		return errReviewOpen
	case !e.Ref.valid():
		return errBadRef
	case s.Planning == nil && e.Named != "":
		return errNamedNothing
	case s.Planning == nil && e.Ref.Revision != 1:
		return errBadRef
	case s.Planning == nil:
		return nil
	case e.Named == "":
		return errUnnamedDraft
	case e.Named != s.Planning.Plan || e.Ref.Plan != s.Planning.Plan:
		return errOtherDraft
	case e.Ref.Revision <= s.Planning.Revision:
		return errBadRef
	case e.Ref.Hash == s.Planning.Hash && !e.Reoffers:
		return errSameBytes
	}
	return nil
}

func submit(s State, e RevisionSubmitted, at At) State {
	s.Planning, s.Submission = &e.Ref, at.Entry
	return s
}

func canOpenReview(s State, e ReviewOpened) error {
	switch {
	case !s.IsPlanning():
		return errNotPlanning
	case s.Review != nil:
		return errReviewOpen
	case s.Planning == nil:
		return errNoDraft
	case *s.Planning != e.Ref:
		return errOtherDraft
	case e.Review == "":
		return errNoReview
	}
	return nil
}

func openReview(s State, e ReviewOpened, _ At) State {
	s.Review = &OpenReview{ID: e.Review, Ref: e.Ref, Submission: s.Submission, Round: e.Round}
	return s
}

// answers says whether review is the open one. The review is only ever open
// while planning, so the mode needs no check of its own.
func answers(s State, review ReviewID) error {
	switch {
	case s.Review == nil:
		return errNoReview
	case s.Review.ID != review:
		return errOtherReview
	}
	return nil
}

func canCloseReview(s State, e ReviewClosed) error { return answers(s, e.Review) }

func closeReview(s State, _ ReviewClosed, _ At) State {
	s.Review = nil
	return s
}

func canRequestChanges(s State, e ChangesRequested) error { return answers(s, e.Review) }

func requestChanges(s State, _ ChangesRequested, _ At) State {
	s.Review = nil
	return s
}

func canApprove(s State, e PlanApproved) error {
	if err := answers(s, e.Review); err != nil {
		return err
	}
	switch {
	case e.Ref != s.Review.Ref || e.Submission != s.Review.Submission:
		return errNotShown
	case s.Planning == nil || *s.Planning != e.Ref || s.Submission != e.Submission:
		return errOtherDraft
	case e.By != ByUser && e.By != ByAuto:
		return errNobody
	}
	return nil
}

func approve(s State, e PlanApproved, at At) State {
	return State{
		Mode: ModeNormal,
		Work: &Work{Ref: e.Ref, Status: Implementing, Since: at.Time},
	}
}

func canLeave(s State, _ PlanningLeft) error {
	if !s.IsPlanning() {
		return errNotPlanning
	}
	return nil
}

// leave parks the draft and voids an open review: its answer can no longer be
// used, because answers finds none open.
func leave(s State, _ PlanningLeft, _ At) State {
	s.Mode, s.Review = ModeNormal, nil
	return s
}

func canDetach(s State, e DraftDetached) error {
	switch {
	case s.Planning == nil:
		return errNoDraft
	case *s.Planning != e.Ref:
		return errOtherDraft
	case s.Review != nil:
		return errReviewOpen
	}
	return nil
}

func detach(s State, _ DraftDetached, _ At) State {
	s.Planning, s.Submission = nil, ""
	return s
}

func canComplete(s State, e WorkCompleted) error {
	return closesWork(s, e.Ref, e.By == ByUser || e.By == ByAgent)
}

func canAbandon(s State, e WorkAbandoned) error {
	return closesWork(s, e.Ref, e.By == ByUser || e.By == ByAgent || e.By == ByPlanmode)
}

func closesWork(s State, ref Ref, somebody bool) error {
	switch {
	case s.IsPlanning():
		return errPlanning
	case s.OpenWork() == nil:
		return errNoOpenWork
	case s.Work.Ref != ref:
		return errOtherWork
	case !somebody:
		return errNobody
	}
	return nil
}

func complete(s State, _ WorkCompleted, at At) State { return closeWork(s, Completed, at) }
func abandon(s State, _ WorkAbandoned, at At) State  { return closeWork(s, Abandoned, at) }

// closeWork also lets go of a draft of the same plan, so that the next planning
// never silently continues a plan that is done with.
func closeWork(s State, status WorkStatus, at At) State {
	s.Work = &Work{Ref: s.Work.Ref, Status: status, Since: at.Time}
	if s.Planning != nil && s.Planning.Plan == s.Work.Ref.Plan {
		s.Planning, s.Submission = nil, ""
	}
	return s
}

func canRecover(s State, e WorkRecovered) error {
	switch {
	case !e.Ref.valid():
		return errBadRef
	case s.OpenWork() != nil && s.Work.Ref.Plan != e.Ref.Plan && !s.reviews(e.Ref):
		return errOpenWork
	}
	return nil
}

// reviews says whether ref is what the open review shows. An approval that
// answered it would have replaced other work, so its recovery may as well.
func (s State) reviews(ref Ref) bool { return s.Review != nil && s.Review.Ref == ref }

// recoverWork leaves the mode as it is: a branch that was planning stays
// read-only until the person says otherwise.
func recoverWork(s State, e WorkRecovered, at At) State {
	s.Work = &Work{Ref: e.Ref, Status: Unknown, Since: at.Time}
	if s.Review != nil && s.Review.Ref == e.Ref {
		s.Review = nil
	}
	if s.Planning != nil && *s.Planning == e.Ref {
		s.Planning, s.Submission = nil, ""
	}
	return s
}

func canAdopt(s State, e WorkAdopted) error {
	switch {
	case s.IsPlanning():
		return errPlanning
	case s.OpenWork() != nil:
		return errOpenWork
	case !e.Ref.valid():
		return errBadRef
	}
	return nil
}

func adopt(s State, e WorkAdopted, at At) State {
	s.Work = &Work{Ref: e.Ref, Status: Implementing, Since: at.Time}
	return s
}
