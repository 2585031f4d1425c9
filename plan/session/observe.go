package session

import (
	"context"

	"planmode/revdiff"
)

// Observer is told what a session is doing, for whoever watches it from outside
// the terminal. It is called with locks held, so it returns at once and never
// calls back.
type Observer interface {
	Working() // a turn or a review began
	Idle()    // nothing runs any more
	// Blocked says that the person is needed until clear is called. The label is
	// one of those below.
	Blocked(label string) (clear func())
}

// What the person is needed for. These leave the machine's user interface for
// other programs, so they name no plan, path or text.
const (
	labelReview    = "plan review"
	labelApproval  = "plan approval"
	labelLifecycle = "plan lifecycle decision"
	labelComplete  = "plan completion confirmation"
	labelAbandon   = "plan abandonment confirmation"
	labelDiscard   = "plan discard confirmation"
	labelAdopt     = "plan take-over confirmation"
	labelConfirm   = "confirmation"
	labelPermit    = "permission"
	labelMode      = "permission mode"
	labelQuestions = "questions"
)

// unobserved is the observer of a session that nobody watches.
type unobserved struct{}

func (unobserved) Working() {}

func (unobserved) Idle() {}

func (unobserved) Blocked(string) func() { return func() {} }

// observedDesk tells the observer before the person is asked and, however that
// ends, after. So a review is reported before the reviewer has the terminal.
type observedDesk struct {
	desk     Desk
	observer Observer
}

var _ Desk = observedDesk{}

func (d observedDesk) Review(ctx context.Context, job *revdiff.Job) (revdiff.Exit, error) {
	defer d.observer.Blocked(labelReview)()
	return d.desk.Review(ctx, job)
}

func (d observedDesk) Decide(ctx context.Context, card Card) (Verdict, error) {
	defer d.observer.Blocked(labelApproval)()
	return d.desk.Decide(ctx, card)
}

func (d observedDesk) Ask(ctx context.Context, q Question) (int, error) {
	defer d.observer.Blocked(labelLifecycle)()
	return d.desk.Ask(ctx, q)
}

func (d observedDesk) Questions(ctx context.Context, q QuestionSet) (Answers, error) {
	defer d.observer.Blocked(labelQuestions)()
	return d.desk.Questions(ctx, q)
}

func (d observedDesk) Permit(ctx context.Context, p Permit) (Grant, error) {
	defer d.observer.Blocked(labelPermit)()
	return d.desk.Permit(ctx, p)
}

func (d observedDesk) Confirm(ctx context.Context, c Confirmation) (bool, error) {
	label := c.label
	if label == "" {
		label = labelConfirm
	}
	defer d.observer.Blocked(label)()
	return d.desk.Confirm(ctx, c)
}
