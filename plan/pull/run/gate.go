package run

import (
	"context"
	"fmt"
	"strings"

	"planmode/plan/pull"
)

// MaxWish is the size of the longest text with which a person sends a review back.
const MaxWish = 16 << 10

// Gate asks the person who decides whether a verified review is posted.
type Gate interface {
	// Ask shows the question and waits. Everything but one clear answer is none: the
	// run ends blocked then, nothing is posted, and nobody is asked again. It returns
	// soon after ctx ends.
	Ask(ctx context.Context, q Question) Reply
}

// Question is what a person decides on. Its texts are not cleaned for a screen.
type Question struct {
	Approval pull.Approval // everything that would be sent
	Preview  string        // the same as text, to be shown whole; its last line names the hash
	SHA256   string
	Draft    string   // the review file, relative to the workspace
	Known    []string // what else there is to know, a line each
	Context  pull.Context
	Author   pull.Author
	Verify   pull.Verify
	Patch    func(ctx context.Context, path string) string // from the first hunk on; empty for none
	Revise   int                                           // how often it can still be sent back
}

// Reply is what a person said.
type Reply struct {
	Answer pull.Answer // empty for no clear answer
	SHA256 string      // to approve: the hash of the preview, or its first 8 digits at least, as typed
	Text   string      // to revise: what is to be changed
	Reason string      // of no answer, as a line
}

// ask puts the question to the gate.
func (e *engine) ask(ctx context.Context) pull.Event {
	e.Watch(Progress{What: string(pull.Gating)})
	r := e.Gate.Ask(ctx, e.question())
	ev := pull.Event{Kind: pull.Answered, Answer: r.Answer, SHA256: strings.ToLower(strings.TrimSpace(r.SHA256)), Text: r.Text, Reason: r.Reason}
	if r.Answer == pull.Revise {
		switch {
		case strings.TrimSpace(r.Text) == "":
			ev.Answer, ev.Reason = "", "the review was sent back without a word on what to change"
		case len(r.Text) > MaxWish:
			ev.Answer, ev.Reason = "", fmt.Sprintf("what is to be changed is longer than %d bytes", MaxWish)
		}
	}
	return ev
}

func (e *engine) question() Question {
	return Question{
		Approval: e.shown.Approval, Preview: e.shown.Preview, SHA256: e.shown.SHA256, Draft: e.Output, Known: e.known(),
		Context: e.context, Author: e.author, Verify: e.verify, Revise: e.state.RevisionsLeft(),
		Patch: func(ctx context.Context, path string) string {
			patch, err := e.Source.Patch(ctx, path)
			if err != nil {
				return ""
			}
			return patch
		},
	}
}

// known is what a person should know beside what is sent: the state of the change, what
// its checks said, what the verifier saw, and what may go wrong.
func (e *engine) known() []string {
	c := e.context
	state := c.PR.State
	if c.PR.Draft {
		state += ", a draft"
	}
	if c.PR.Locked {
		state += ", its conversation is locked"
	}
	out := []string{
		fmt.Sprintf("Run %s, revision %d of the review", e.folder.ID(), e.author.Revision),
		"State: " + state,
		"Checks as of " + c.CI.ObservedAt + ": " + c.CI.Overall + failing(c.CI),
		fmt.Sprintf("Read: %d of %d files", len(c.Files.Items)-len(c.Uncovered), c.Files.Total),
	}
	for _, r := range append(append([]pull.Risk{}, c.Risks...), e.author.Risks...) {
		if r.Significant {
			out = append(out, "Risk: "+r.Text)
		}
	}
	for _, o := range e.verify.Observations {
		out = append(out, "Verified: "+o)
	}
	for _, l := range append(append([]string{}, e.author.Limitations...), e.verify.Limitations...) {
		out = append(out, "Limit: "+l)
	}
	return append(out, e.left...)
}

func failing(ci pull.CI) string {
	var names []string
	for _, c := range ci.Checks {
		if c.Conclusion != nil && (*c.Conclusion == "failure" || *c.Conclusion == "error" || *c.Conclusion == "timed_out") {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}
