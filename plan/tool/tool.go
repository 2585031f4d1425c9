// Package tool holds what an agent may call, one tool a file, and the policy
// that gates every call on the host's side.
//
// A host asks Policy.Check about a whole batch before it runs any of it, shows
// the person the Preview of what must be asked, and only then calls Run. The
// tools themselves bound everything they read, return and wait for, never follow
// a link to write, and report their failures as results for the agent. Results
// carry text as it was found: whoever shows it on a screen cleans it first.
package tool

import (
	"context"
	"encoding/json"

	"planmode/plan/tool/rule"

	"planmode/plan"
)

// Effect says what a tool can do to the world; the policy reads nothing else of
// a tool.
type Effect int

// The effects, from harmless to harmful. The zero value is the most harmful, so
// that a tool that does not say is treated as one that may do anything.
const (
	Executes Effect = iota // runs commands or programs
	Mutates                // changes files
	Managed                // changes the plan or its work; always alone in its batch
	Reads                  // only looks
)

// Spec describes a tool to an agent.
type Spec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON schema of the arguments object
	Effect      Effect
	Server      string // the MCP server of the person that it comes from; empty if it is built in
	Looks       bool   // while planning, those of its calls that only look are allowed
	Asks        bool   // asked about although it only reads, as what goes out to a network
}

// Call is one call an agent makes.
type Call struct {
	ID   string
	Name string
	Args json.RawMessage
}

// Result answers the call of the same id. Text is for the agent; Details is for
// the screen and may be nil.
type Result struct {
	CallID  string
	Name    string
	Text    string
	Error   bool
	Details json.RawMessage
	Stop    bool // the turn must end after this batch

	// Reminder is what planmode tells the agent besides; it is no part of the result.
	Reminder string
}

// Told is all that an agent is told with the result.
func (r Result) Told() string {
	if r.Reminder == "" {
		return r.Text
	}
	return r.Text + "\n\n" + r.Reminder
}

// Preview is what the person is shown when asked whether a call may run.
type Preview struct {
	Title   string          // "Run a command", "Edit main.go"
	Body    string          // the command, or a unified diff
	Diff    bool            // Body is a unified diff
	Scope   string          // what "for this session" would allow: a stable key; empty if that is not on offer
	Meaning string          // Scope in words: "this exact command"
	Always  rule.Suggestion // the rule that "always" would add; without one if that is not on offer
	Danger  string          // why this deserves a second look; empty if nothing does
}

// Progress receives output of a running tool, in order, from one goroutine.
type Progress func(chunk string)

// Tool is one tool. Run must return when ctx ends, having stopped what it
// started, and reports failures of the tool itself in the result.
type Tool interface {
	Spec() Spec
	Run(ctx context.Context, call Call, progress Progress) Result
}

// Previewer is a tool that can show what a call would do. Preview must change
// nothing; an error means that the call cannot succeed and is given to the agent.
type Previewer interface {
	Tool
	Preview(ctx context.Context, call Call) (Preview, error)
}

// Planner is what the managed tools act on; the session is one. Arguments have
// been checked against the limits of package plan; the results carry a Details
// of type PlanDetails.
type Planner interface {
	SubmitPlan(ctx context.Context, call Call, args SubmitArgs) Result
	CompletePlan(ctx context.Context, call Call, args CompleteArgs) Result
}

// SubmitArgs are the arguments of submit_plan.
type SubmitArgs struct {
	PlanID   string `json:"planId,omitempty" doc:"Id of the attached plan that this revises. Leave it out for a new plan."`
	Title    string `json:"title" doc:"One plain line of 1 to 160 characters."`
	Markdown string `json:"markdown" doc:"The whole plan as Markdown, at most 256 KiB, with all nine sections."`

	Options []OptionArgs `json:"options,omitempty" min:"1" max:"3" doc:"Only if the plan leaves a genuine choice between approaches to the person: 1 to 3 of them. They approve exactly one. Leave it out when there is one way."`
}

// OptionArgs is one approach of submit_plan.
type OptionArgs struct {
	Label       string `json:"label" min:"1" max:"80" doc:"The approach in a few words, unlike the other labels and unlike any word for a decision such as Approve or Revise."`
	Description string `json:"description,omitempty" max:"1000" doc:"What it means and what it costs, in a sentence or two."`
	Recommended bool   `json:"recommended,omitempty" doc:"True for the one you would take; at most one."`
}

// Offered is the approaches as a plan keeps them.
func (a SubmitArgs) Offered() []plan.Option {
	var out []plan.Option
	for _, o := range a.Options {
		out = append(out, plan.Option(o))
	}
	return out
}

// CompleteArgs are the arguments of complete_plan.
type CompleteArgs struct {
	PlanID       string   `json:"planId" doc:"Id of the approved plan."`
	Revision     int      `json:"revision" doc:"The approved revision, a number from 1."`
	Summary      string   `json:"summary" doc:"What was done, 1 to 2000 characters."`
	Verification []string `json:"verification" doc:"The checks that were done and what they showed: 1 to 20 items of 1 to 500 characters."`
}
