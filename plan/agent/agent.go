// Package agent is the seam between a session and whatever thinks in it: a
// turn goes in, events and batches of tool calls come out.
package agent

import (
	"context"
	"time"

	"planmode/plan"
	"planmode/plan/tool"
)

// Role says whose words a message is.
type Role string

// The roles. Handoff is an approved plan given by planmode: a provider that has
// no such role sends it as the person's, marked as coming from planmode.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleHandoff   Role = "handoff"
)

// Message is one message of the conversation so far. An assistant message holds
// the calls it made; Results answer the calls of the assistant message before.
type Message struct {
	Role    Role
	Text    string
	Calls   []tool.Call
	Results []tool.Result
	Plan    *plan.Ref // of a handoff: the approved revision

	// Feedback holds, structured, the notes of a review that the person asked
	// for outside a turn; Text says the same in words.
	Feedback *tool.PlanDetails

	// Images are what the person attached. A model that takes none is told that
	// there were some.
	Images []Image
}

// Image is a picture that a message shows.
type Image struct {
	Name      string // for the person: a file name
	MediaType string // "image/png"
	Data      []byte
}

// Turn is everything an agent is told before it runs. It sees one mode from
// start to end.
type Turn struct {
	Mode     plan.Mode
	System   string // the system prompt, with the rules of the mode appended
	Messages []Message
	Tools    []tool.Spec // those the mode allows
	Dir      string      // the working directory
	Language string      // language for plans: "en", "zh-CN" or "auto"
	Draft    *plan.Ref   // the attached draft while planning
	Work     *plan.Ref   // the open work in normal mode
	Now      time.Time

	// Model is what to run on, as a Picker offers it; empty is the default.
	// Effort is how hard to think about it: "low", "medium" or "high"; empty
	// leaves that to the model.
	Model  string
	Effort string
}

// Event is something the person may watch: one of the types below.
type Event interface{ agentEvent() }

// TextDelta is a piece of the answer.
type TextDelta struct{ Text string }

// ReasoningDelta is a piece of the reasoning.
type ReasoningDelta struct{ Text string }

// MessageDone ends the message that the deltas built. A batch or the return of
// Run ends it as well.
type MessageDone struct{ Model string }

// Usage is what the turn has cost so far; zero fields are unknown.
type Usage struct {
	InputTokens, OutputTokens int
	ContextTokens, Window     int
	Cost                      float64 // of the turn, in US dollars; 0 when a price is not known
}

// Status is one line about what the agent waits for ("retrying in 4 s").
type Status struct{ Text string }

// Notice is something the person must know of the turn; it is kept.
type Notice struct{ Text string }

func (TextDelta) agentEvent()      {}
func (ReasoningDelta) agentEvent() {}
func (MessageDone) agentEvent()    {}
func (Usage) agentEvent()          {}
func (Status) agentEvent()         {}
func (Notice) agentEvent()         {}

// Host is what a turn may use. All of a batch is judged before any of it runs.
type Host interface {
	Emit(Event)
	// Batch runs the calls of one message, in order, and returns their results
	// in the same order. stop means that the agent must return now.
	Batch(ctx context.Context, calls []tool.Call) (results []tool.Result, stop bool, err error)
}

// Agent runs turns. Run returns nil when the agent has nothing more to do, the
// context's error when interrupted, else what went wrong. Everything it must
// remember is in the messages: nothing is kept between turns.
type Agent interface {
	Name() string  // "demo"; shown in the status line
	Model() string // empty if there is none
	Run(ctx context.Context, turn Turn, host Host) error
}
