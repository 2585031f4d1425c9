package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
)

// maxBatches bounds one role: what needs more is going round in circles.
const maxBatches = 300

// ErrNothing reports a role that ended without handing anything over.
var ErrNothing = errors.New("the role ended without handing over its payload")

// Job is one dispatch of one role.
type Job struct {
	Name   string // "context", "chunk:tests", "author", "verify"
	System string // what the role is and may do
	Prompt string // scalars, then the evidence in its fence
	Model  string // as the roster names it; empty is the default
	Effort string
}

// Activity is what a role does at the moment.
type Activity struct {
	Job   string
	Line  string // the last tool it used and on what, not cleaned
	Usage agent.Usage
}

// Crew dispatches roles to an agent. Every role is a turn of its own with nothing
// from another in it; it can read the two pinned commits and hand over one text.
// There is no tool by which it could write, run or send anything.
type Crew struct {
	Agent      agent.Agent
	From       Reading
	Base, Head string
	Now        func() time.Time
	Watch      func(Activity) // called from several goroutines; nil for nobody
}

// Delivered is what came of a dispatch.
type Delivered struct {
	Text    []byte
	Usage   agent.Usage
	Elapsed time.Duration
}

// Run dispatches one role and waits for it. The text is what the role handed over,
// unjudged; the error wraps ErrNothing when it handed over nothing.
func (c Crew) Run(ctx context.Context, job Job) (Delivered, error) {
	began := c.Now()
	h := &roleHost{crew: c, job: job.Name, desk: desk{from: c.From, base: c.Base, head: c.Head}}
	err := c.Agent.Run(ctx, agent.Turn{
		Mode: plan.ModeNormal, System: job.System, Tools: specs, Language: "en", Now: began, Model: job.Model, Effort: job.Effort,
		Messages: []agent.Message{{Role: agent.RoleUser, Text: job.Prompt}},
	}, h)
	h.mu.Lock()
	defer h.mu.Unlock()
	d := Delivered{Text: h.text, Usage: h.usage, Elapsed: c.Now().Sub(began)}
	switch {
	case ctx.Err() != nil:
		return d, fmt.Errorf("role %s: %w", job.Name, ctx.Err())
	case h.delivered: // what went wrong after it does not take it back
		return d, nil
	case err != nil:
		return d, fmt.Errorf("role %s: %w: %w", job.Name, ErrNothing, err)
	}
	return d, fmt.Errorf("role %s: %w", job.Name, ErrNothing)
}

// roleHost is the host of one turn.
type roleHost struct {
	crew Crew
	job  string
	desk desk

	mu        sync.Mutex
	usage     agent.Usage
	batches   int
	text      []byte
	delivered bool
}

// Emit implements agent.Host.
func (h *roleHost) Emit(e agent.Event) {
	switch e := e.(type) {
	case agent.Usage:
		h.mu.Lock()
		h.usage = e
		h.mu.Unlock()
		h.tell("")
	case agent.Status:
		h.tell(e.Text)
	}
}

func (h *roleHost) tell(line string) {
	if h.crew.Watch == nil {
		return
	}
	h.mu.Lock()
	a := Activity{Job: h.job, Line: line, Usage: h.usage}
	h.mu.Unlock()
	h.crew.Watch(a)
}

// Batch implements agent.Host. A payload has to be alone in its batch: calls beside
// it would be about what is already handed over.
func (h *roleHost) Batch(ctx context.Context, calls []tool.Call) ([]tool.Result, bool, error) {
	if h.batches++; h.batches > maxBatches {
		return nil, true, fmt.Errorf("no payload after %d batches of calls", maxBatches)
	}
	results := make([]tool.Result, len(calls))
	for n, c := range calls {
		if err := ctx.Err(); err != nil {
			return nil, true, err
		}
		if c.Name != deliver {
			h.tell(c.Name + " " + string(c.Args))
			results[n] = h.desk.answer(ctx, c)
			continue
		}
		if len(calls) > 1 {
			results[n] = tool.Result{CallID: c.ID, Name: c.Name, Error: true, Text: deliver + " has to be the only call of its message."}
			continue
		}
		results[n] = h.take(c)
		return results, h.delivered, nil
	}
	return results, false, nil
}

func (h *roleHost) take(c tool.Call) tool.Result {
	r := tool.Result{CallID: c.ID, Name: c.Name}
	var a struct {
		Text *string `json:"text"`
	}
	if json.Unmarshal(c.Args, &a) != nil || a.Text == nil {
		r.Error, r.Text = true, deliver+" takes one argument, text."
		return r
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text, h.delivered = []byte(*a.Text), true
	r.Text, r.Stop = "Handed over.", true
	return r
}
