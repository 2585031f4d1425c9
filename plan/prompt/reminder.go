package prompt

import "planmode/plan"

// Form is how much a reminder says. The strings are written to session logs.
type Form string

// The forms.
const (
	FormNone    Form = ""
	FormFull    Form = "full"    // all that holds while planning
	FormSparse  Form = "sparse"  // one line
	FormReentry Form = "reentry" // planning goes on, on a plan that is there
	FormExit    Form = "exit"    // planning has ended, and how
	FormNudge   Form = "nudge"   // the agent seems to go in circles
)

// How many messages of the model after a reminder the next one comes: a word
// first, all of it when it could have been forgotten.
const (
	sparseAfter = 2
	fullAfter   = 5
)

// Since is what happened since the model was last reminded of its mode, as far as
// it is still told of it.
type Since struct {
	Planning bool
	Draft    bool // a plan is attached
	Entered  bool // planning began after the last reminder
	Reminded bool // there is one that the model still sees
	Person   bool // the person said something
	Messages int  // messages of the model
	Left     bool // planning ended, and the model was reminded of it before
}

// Due says which reminder is due.
func Due(s Since) Form {
	switch {
	case !s.Planning && s.Left:
		return FormExit
	case !s.Planning:
		return FormNone
	case s.Entered && s.Draft:
		return FormReentry
	case s.Entered, !s.Reminded, s.Person, s.Messages >= fullAfter:
		return FormFull
	case s.Messages >= sparseAfter:
		return FormSparse
	}
	return FormNone
}

// Exit is how planning ended.
type Exit string

// The ways.
const (
	ExitApproved  Exit = "approved"
	ExitLeft      Exit = "left"      // without a plan
	ExitParked    Exit = "parked"    // the draft is kept for later
	ExitDiscarded Exit = "discarded" // the draft was let go of
)

// Reminder is the text of a reminder, in the words of planmode. A nudge is made by
// Nudge.
func Reminder(form Form, f Facts, exit Exit) string {
	return fill("reminder.md", struct {
		Facts
		Form Form
		Exit Exit
	}{f, form, exit})
}

// Loop is what a model does over and over.
type Loop struct {
	Calls    int    // calls in a row that brought nothing new, or all calls of the turn
	Tool     string // the tool of the last one
	Stale    bool   // they brought nothing new; else the turn is only very long
	Planning bool
	Facts    Facts
}

// Nudge tells a model that it goes in circles, and what to do instead.
func Nudge(l Loop) string { return fill("nudge.md", l) }

// Closed tells a model that the person closed the work it was doing.
func Closed(ref plan.Ref, status plan.WorkStatus) string {
	return fill("closed.md", struct {
		Ref    plan.Ref
		Status plan.WorkStatus
	}{ref, status})
}
