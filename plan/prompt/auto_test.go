package prompt

import (
	"testing"

	"planmode/plan"
)

func TestAnAutoApprovedPlanIsNeverCalledThePersonsDecision(t *testing.T) {
	r := reference()
	r.Auto = true
	approach := &Choice{Chosen: plan.Option{Label: "Small"}, Rejected: []plan.Option{{Label: "Large"}}}
	for name, got := range map[string]string{
		"handoff": Handoff(*r, Approval{}), "handoff with approaches": Handoff(*r, Approval{Approach: approach}),
		"again": HandoffAgain(*r, Approval{Approach: approach}), "system": System(Facts{Mode: plan.ModeNormal, Work: r}),
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, got, plan.AutoApproved, "!The person approved", "!person chose", "!They rejected", string(ref.Hash))
		})
	}
	holds(t, Handoff(*r, Approval{}), "no go signal beyond the person's original request", "Where the request asked for the work, implement the plan now.")
	holds(t, Handoff(*r, Approval{Approach: approach}), "Nobody chose; the recommended one is taken.", "Not taken is this one. Do none of it")
}
