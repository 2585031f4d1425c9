package prompt

import (
	"strings"

	"planmode/plan"
)

// Approval is what came with the approval of a plan.
type Approval struct {
	Notes    string
	Approach *Choice // if the plan offered several
	Clean    bool    // the model sees nothing of what came before
}

// Choice is the approach that the person chose of several, and those they
// thereby rejected.
type Choice struct {
	Chosen   plan.Option
	Rejected []plan.Option
}

// Handoff gives an approved plan to the model: its exact text and what came with
// the approval.
func Handoff(r Reference, a Approval) string { return handoff(r, a, false) }

// HandoffAgain gives an approved plan, and what was approved with it, to a model
// that may have lost it: after a resume, or when earlier messages were shortened.
func HandoffAgain(r Reference, a Approval) string { return handoff(r, a, true) }

func handoff(r Reference, a Approval, again bool) string {
	a.Notes = strings.TrimSpace(a.Notes)
	return fill("handoff.md", struct {
		Approval
		Plan  Reference
		Again bool
	}{a, r, again}) + "\n"
}
