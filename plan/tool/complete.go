package tool

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"planmode/plan"
)

type completeTool struct{ planner Planner }

func (completeTool) Spec() Spec {
	return Spec{
		Name: completeName,
		Description: "Report that the approved plan is implemented. Only when all of it is done and checked, never for partial or failing work, " +
			"as the last call and the only one of its message, with the exact planId and revision that were approved.",
		Schema: schema[CompleteArgs](),
		Effect: Managed,
	}
}

func (completeTool) validate(raw []byte) error {
	_, err := decode[CompleteArgs](raw)
	return err
}

// Run checks the arguments and passes them on, trimmed and without blank items.
func (t completeTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[CompleteArgs](call.Args)
	if err != nil {
		return refused(call, PlanDetails{Kind: DetailInvalid, Reason: err.Error()})
	}
	if t.planner == nil {
		return refused(call, PlanDetails{Kind: DetailUnavailable, Reason: "plans cannot be completed here"})
	}
	args.Summary = strings.TrimSpace(args.Summary)
	given := args.Verification
	args.Verification = nil
	for _, item := range given {
		if item = strings.TrimSpace(item); item != "" {
			args.Verification = append(args.Verification, item)
		}
	}
	if _, err := plan.ParseID(args.PlanID); err != nil {
		return refused(call, PlanDetails{
			Kind: DetailInvalidPlanID, Reason: fmt.Sprintf("planId %s is not a plan id; copy that of the approved plan exactly", clip(args.PlanID)),
		})
	}
	if fault := completeFault(args, len(given)); fault != "" {
		return refused(call, PlanDetails{Kind: DetailInvalid, Plan: plan.ID(args.PlanID), Revision: args.Revision, Reason: fault})
	}
	return t.planner.CompletePlan(ctx, call, args)
}

func completeFault(args CompleteArgs, given int) string {
	switch n := utf8.RuneCountInString(args.Summary); {
	case args.Revision < 1:
		return fmt.Sprintf("revision %d does not exist; revisions count from 1", args.Revision)
	case n == 0:
		return "the summary is empty"
	case n > plan.MaxSummaryChars:
		return fmt.Sprintf("the summary is %d characters long; at most %d are accepted", n, plan.MaxSummaryChars)
	case given > plan.MaxVerifications:
		return fmt.Sprintf("verification has %d items; at most %d are accepted", given, plan.MaxVerifications)
	case len(args.Verification) == 0:
		return "verification is empty; list at least one check that was done"
	}
	for i, item := range args.Verification {
		if n := utf8.RuneCountInString(item); n > plan.MaxVerificationChar {
			return fmt.Sprintf("verification item %d is %d characters long; at most %d are accepted", i+1, n, plan.MaxVerificationChar)
		}
	}
	return ""
}
