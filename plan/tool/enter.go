package tool

import (
	"context"
	"fmt"
)

// EnterArgs are the arguments of enter_plan_mode.
type EnterArgs struct {
	Reason string `json:"reason,omitempty" max:"500" doc:"Why this should be planned first, in a sentence for the person."`
}

// EnterDetails is the Details of an enter_plan_mode result.
type EnterDetails struct {
	Kind   DetailKind `json:"kind"` // accepted, declined or unavailable
	Reason string     `json:"reason,omitempty"`
}

// The kinds of enter_plan_mode results.
const (
	DetailAccepted DetailKind = "accepted"
	DetailDeclined DetailKind = "declined"
)

type enterTool struct{ talker Talker }

func (enterTool) Spec() Spec {
	return Spec{
		Name: EnterName,
		Description: "Propose to plan before anything is changed; the person decides. As the only call of its message. For a new feature, a change of behaviour or " +
			"architecture, work across several files, or a task with several good ways or unclear demands. Not for a small fix, a task that is fully " +
			"specified, or a question that only needs reading.",
		Schema: schema[EnterArgs](),
		Effect: Managed,
	}
}

func (enterTool) validate(raw []byte) error {
	_, err := decode[EnterArgs](raw)
	return err
}

func (t enterTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[EnterArgs](call.Args)
	switch {
	case err != nil:
		return failed(call, fmt.Errorf("nothing was proposed: %w. Correct it and call again", err))
	case t.talker == nil:
		return unavailable(call)
	}
	return t.talker.ProposePlanning(ctx, call, args)
}
