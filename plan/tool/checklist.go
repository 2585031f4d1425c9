package tool

import (
	"context"
	"fmt"
)

// ChecklistArgs are the arguments of update_plan: the whole checklist each time.
type ChecklistArgs struct {
	Explanation string `json:"explanation,omitempty" max:"500" doc:"Why the list changes, in a sentence, if it is not obvious."`
	Plan        []Step `json:"plan" min:"1" max:"50" doc:"The whole checklist, in order."`
}

// Step is one line of the checklist.
type Step struct {
	Step   string     `json:"step" min:"1" max:"200" doc:"What is done in this step, on one line."`
	Status StepStatus `json:"status" enum:"pending|in_progress|completed" doc:"At most one step is in_progress."`
}

// StepStatus says how far a step of the checklist is. The strings are written.
type StepStatus string

// The statuses of a step.
const (
	StepPending    StepStatus = "pending"
	StepInProgress StepStatus = "in_progress"
	StepCompleted  StepStatus = "completed"
)

// ChecklistDetails is the Details of an update_plan result.
type ChecklistDetails struct {
	Explanation string `json:"explanation,omitempty"`
	Checklist   []Step `json:"checklist"`
}

type checklistTool struct{ talker Talker }

func (checklistTool) Spec() Spec {
	return Spec{
		Name: ChecklistName,
		Description: "Show the person a short checklist of the work at hand and how far it is. Give the whole list each time, with at most one step in_progress. " +
			"For work of several steps only. It records progress and changes nothing else: it is no plan to approve, and it completes none.",
		Schema: schema[ChecklistArgs](),
		Effect: Reads,
	}
}

func (checklistTool) validate(raw []byte) error {
	args, err := decode[ChecklistArgs](raw)
	if err != nil {
		return err
	}
	return args.check()
}

func (t checklistTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[ChecklistArgs](call.Args)
	if err == nil {
		err = args.check()
	}
	switch {
	case err != nil:
		return failed(call, fmt.Errorf("the checklist is as it was: %w. Correct it and call again", err))
	case t.talker == nil:
		return unavailable(call)
	}
	return t.talker.UpdateChecklist(ctx, call, args)
}

func (a ChecklistArgs) check() error {
	running := 0
	for i, s := range a.Plan {
		if err := said(fmt.Sprintf("plan[%d].step", i), s.Step); err != nil {
			return err
		}
		if s.Status == StepInProgress {
			running++
		}
	}
	if running > 1 {
		return fmt.Errorf("%d steps are in_progress; at most one is worked on at a time", running)
	}
	return nil
}

// Progress counts the completed steps and finds the one to show: that in progress,
// else the first that is not completed, else none (-1).
func (d ChecklistDetails) Progress() (done, current int) {
	current = -1
	for i, s := range d.Checklist {
		switch {
		case s.Status == StepCompleted:
			done++
		case s.Status == StepInProgress, current < 0:
			current = i
		}
	}
	return done, current
}
