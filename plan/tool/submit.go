package tool

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"planmode/plan"
	"planmode/plan/document"
)

const (
	submitName   = "submit_plan"
	completeName = "complete_plan"
)

type submitTool struct{ planner Planner }

func (submitTool) Spec() Spec {
	return Spec{
		Name: submitName,
		Description: "Hand the whole plan to the person for review. Only in Plan Mode, after exploring, and as the only call of its message. " +
			"Always give the complete Markdown text, never just what changed. Give planId only to revise the plan that is attached. The person " +
			"reads it, and approves it or sends notes: only they decide.",
		Schema: schema[SubmitArgs](),
		Effect: Managed,
	}
}

func (submitTool) validate(raw []byte) error {
	_, err := decode[SubmitArgs](raw)
	return err
}

// Run checks what can be checked without a session and passes the rest on. An
// error ends nothing: the agent can correct itself and submit again.
func (t submitTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[SubmitArgs](call.Args)
	if err != nil {
		return refused(call, PlanDetails{Kind: DetailInvalid, Reason: err.Error()})
	}
	if t.planner == nil {
		return refused(call, PlanDetails{Kind: DetailUnavailable, Reason: "plans cannot be submitted here"})
	}
	args.Title = strings.TrimSpace(args.Title)
	if args.Markdown != "" && !strings.HasSuffix(args.Markdown, "\n") {
		args.Markdown += "\n"
	}
	details := PlanDetails{Kind: DetailInvalid, Title: args.Title}
	if details.Reason = submitFault(args); details.Reason != "" {
		return refused(call, details)
	}
	if args.PlanID != "" {
		if _, err := plan.ParseID(args.PlanID); err != nil {
			details.Kind, details.Reason = DetailInvalidPlanID, fmt.Sprintf("planId %s is not a plan id; copy it exactly, or leave it out for a new plan", clip(args.PlanID))
			return refused(call, details)
		}
	}
	return t.planner.SubmitPlan(ctx, call, args)
}

// submitFault says what is wrong with the text of a submission, or nothing.
func submitFault(args SubmitArgs) string {
	switch n := utf8.RuneCountInString(args.Title); {
	case args.Title == "":
		return "the title is empty"
	case n > plan.MaxTitleChars:
		return fmt.Sprintf("the title is %d characters long; at most %d are accepted", n, plan.MaxTitleChars)
	case strings.ContainsFunc(args.Title, unicode.IsControl):
		return "the title holds a line break or another control character; write one plain line"
	case strings.TrimSpace(args.Markdown) == "":
		return "the plan is empty; give its whole Markdown text as markdown"
	case len(args.Markdown) > plan.MaxPlanBytes:
		return fmt.Sprintf("the plan is %d bytes long; at most %d are accepted, the final newline included", len(args.Markdown), plan.MaxPlanBytes)
	}
	if err := document.CheckOptions(args.Offered()); err != nil {
		return err.Error()
	}
	return ""
}

func refused(call Call, d PlanDetails) Result {
	r := failed(call, fmt.Errorf("%s was refused: %s. Nothing was changed; correct it and call again", call.Name, d.Reason))
	if d.Kind == DetailUnavailable {
		r.Text = fmt.Sprintf("%s is not available: %s.", call.Name, d.Reason)
	}
	r.Details = Marshal(d)
	return r
}
