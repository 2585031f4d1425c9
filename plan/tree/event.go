package tree

import "planmode/plan"

// decoders turns the body of an entry into the event of its kind.
var decoders = map[plan.Kind]func(Entry) (plan.Event, error){
	plan.KindPlanningEntered:   event[plan.PlanningEntered],
	plan.KindRevisionAttached:  event[plan.RevisionAttached],
	plan.KindRevisionSubmitted: event[plan.RevisionSubmitted],
	plan.KindReviewOpened:      event[plan.ReviewOpened],
	plan.KindReviewClosed:      event[plan.ReviewClosed],
	plan.KindChangesRequested:  event[plan.ChangesRequested],
	plan.KindPlanApproved:      event[plan.PlanApproved],
	plan.KindPlanningLeft:      event[plan.PlanningLeft],
	plan.KindDraftDetached:     event[plan.DraftDetached],
	plan.KindWorkCompleted:     event[plan.WorkCompleted],
	plan.KindWorkAbandoned:     event[plan.WorkAbandoned],
	plan.KindWorkRecovered:     event[plan.WorkRecovered],
	plan.KindWorkAdopted:       event[plan.WorkAdopted],
}

func event[E plan.Event](e Entry) (plan.Event, error) {
	v, err := Decode[E](e)
	return v, err
}

// IsEvent says whether entries of a kind are events of the law.
func IsEvent(kind plan.Kind) bool { return decoders[kind] != nil }

// Event returns the event that e records; ok is false for every other kind.
func Event(e Entry) (ev plan.Event, ok bool, err error) {
	decode, ok := decoders[e.Kind]
	if !ok {
		return nil, false, nil
	}
	ev, err = decode(e)
	return ev, true, err
}
