package prompt

import (
	"strings"

	"planmode/plan"
)

// Choice is the approach that the person chose of several, and those they
// thereby rejected.
type Choice struct {
	Chosen   plan.Option
	Rejected []plan.Option
}

// Handoff gives an approved plan to the model: its exact text, the notes of the
// approval, and the chosen approach if the plan offered several.
func Handoff(r Reference, notes string, approach *Choice) string {
	return handoff(r, notes, approach, false)
}

// HandoffAgain gives an approved plan, and what was approved with it, to a model
// that may have lost it: after a resume, or when earlier messages were shortened.
func HandoffAgain(r Reference, notes string, approach *Choice) string {
	return handoff(r, notes, approach, true)
}

func handoff(r Reference, notes string, approach *Choice, again bool) string {
	return fill("handoff.md", struct {
		Plan     Reference
		Notes    string
		Approach *Choice
		Again    bool
	}{r, strings.TrimSpace(notes), approach, again}) + "\n"
}
