package plan

import (
	"errors"
	"fmt"
	"time"
)

// ErrRefused is wrapped by every error of Apply: the event is not allowed in
// this state and nothing changed.
var ErrRefused = errors.New("not allowed now")

// At is where and when an event was recorded; Apply needs it because a
// submission is named by its entry and work by the time it began.
type At struct {
	Entry EntryID
	Time  time.Time
}

// rule is one row of the law: when the event is allowed, and what it results in.
type rule struct {
	when func(State, Event) error
	then func(State, Event, At) State
}

// law is the whole of it, a row for each event.
var law = map[Kind]rule{
	KindPlanningEntered:   {on(canEnterPlanning), do(enterPlanning)},
	KindRevisionAttached:  {on(canAttach), do(attach)},
	KindRevisionSubmitted: {on(canSubmit), do(submit)},
	KindReviewOpened:      {on(canOpenReview), do(openReview)},
	KindReviewClosed:      {on(canCloseReview), do(closeReview)},
	KindChangesRequested:  {on(canRequestChanges), do(requestChanges)},
	KindPlanApproved:      {on(canApprove), do(approve)},
	KindPlanningLeft:      {on(canLeave), do(leave)},
	KindDraftDetached:     {on(canDetach), do(detach)},
	KindWorkCompleted:     {on(canComplete), do(complete)},
	KindWorkAbandoned:     {on(canAbandon), do(abandon)},
	KindWorkRecovered:     {on(canRecover), do(recoverWork)},
	KindWorkAdopted:       {on(canAdopt), do(adopt)},
}

// Apply is the only way a State changes. It returns the state after e, or s
// itself and an error that wraps ErrRefused and says why.
func Apply(s State, e Event, at At) (State, error) {
	r, ok := law[e.Kind()]
	if !ok {
		return s, fmt.Errorf("%w: unknown event %q", ErrRefused, e.Kind())
	}
	from := s
	if from.Mode == "" {
		from.Mode = ModeNormal
	}
	if err := r.when(from, e); err != nil {
		return s, fmt.Errorf("%w: %s: %w", ErrRefused, e.Kind(), err)
	}
	return r.then(from, e, at), nil
}

// on and do let a row name functions of its own event type.
func on[E Event](f func(State, E) error) func(State, Event) error {
	return func(s State, e Event) error {
		own, ok := e.(E)
		if !ok {
			return fmt.Errorf("event has type %T", e)
		}
		return f(s, own)
	}
}

func do[E Event](f func(State, E, At) State) func(State, Event, At) State {
	return func(s State, e Event, at At) State { return f(s, e.(E), at) }
}
