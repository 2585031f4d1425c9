// Package waiter holds what a gate waits for: the one text under review, and the one
// decision about it. Nothing in it decides: an Answer is only ever what a person
// chose, and an error is never one.
package waiter

import (
	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/gate/target"
)

// Job is one review that another program asked for. It is whole: whoever shows it
// needs no file besides it.
type Job struct {
	ID     string      `json:"id"`
	Text   target.Text `json:"text"`
	Format gate.Format `json:"format"`
	Strict gate.Strict `json:"strict"`
	Asker  string      `json:"asker"` // the program that asked, for people
	Cwd    string      `json:"cwd"`

	// Base is what the person saw last of the same text, and what they said about it
	// then; nil if they have not seen it.
	Base *Base `json:"base,omitempty"`
}

// Base is an earlier text of what is reviewed.
type Base struct {
	Markdown []byte            `json:"markdown"`
	Notes    []plan.Annotation `json:"notes,omitempty"`
}

// Answer is what the person decided, on Text: that is the text of the job, or what its
// file held when it changed under the review. Notes are those that the person wrote,
// as they are also in the feedback of the outcome.
type Answer struct {
	Text    target.Text       `json:"text"`
	Outcome gate.Outcome      `json:"outcome"`
	Notes   []plan.Annotation `json:"notes,omitempty"`
	Unsent  []plan.Annotation `json:"unsent,omitempty"` // written, and not told to the caller

	// Expired says that nobody decided: the lease ran out, which keeps the draft.
	Expired bool `json:"-"`
}
