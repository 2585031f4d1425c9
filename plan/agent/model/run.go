package model

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"

	"charm.land/fantasy"

	"planmode/plan/agent"
	"planmode/plan/tool"
)

// maxSteps bounds one turn, so that a model that never stops is stopped.
const maxSteps = 400

// maxMishaps is how many answers of one turn may be cut or damaged after
// something of them was shown.
const maxMishaps = 3

// run is one turn.
type run struct {
	a       *Agent
	m       *resolved
	host    agent.Host
	history *history
	tools   []fantasy.Tool
	options fantasy.ProviderOptions
	total   agent.Usage
	mishaps int
}

// Run implements agent.Agent.
func (a *Agent) Run(ctx context.Context, turn agent.Turn, host agent.Host) error {
	m, err := a.resolve(turn.Model)
	if err != nil {
		return err
	}
	r := &run{
		a: a, m: m, host: host, history: m.prompt(turn.System, turn.Messages),
		tools: tools(turn.Tools), options: m.options(turn.Effort),
	}
	r.history.closeCalls()
	for range maxSteps {
		done, err := r.step(ctx)
		if done || err != nil {
			return err
		}
	}
	return fmt.Errorf("the model made %d steps in one turn without an end", maxSteps)
}

// step asks once and acts on the answer. done ends the turn.
func (r *run) step(ctx context.Context) (done bool, err error) {
	got, err := r.ask(ctx)
	if err != nil {
		return true, err
	}
	if got == nil {
		return false, nil // it was cut; the history says so
	}
	r.count(got.usage)
	if got.damaged != "" {
		return false, r.mishap(got, got.damaged)
	}
	if len(got.calls) == 0 {
		r.host.Emit(agent.MessageDone{Model: r.m.name})
		return true, r.ending(got)
	}
	calls := got.batch()
	results, stop, err := r.host.Batch(ctx, calls)
	if err != nil || stop {
		return true, err
	}
	r.history.whole(got.parts, calls)
	r.history.seal(got.sealed)
	r.history.results(results)
	return false, nil
}

// ending says what is to be said of an answer that ended without a call.
func (r *run) ending(got *answer) error {
	switch got.reason {
	case "length", "max_tokens", "max_output_tokens", "MAX_TOKENS":
		return errors.New("the answer reached the longest that the model may write, and ends in the middle")
	case "content_filter", "content-filter", "refusal", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION":
		return fmt.Errorf("%s did not go on: its filter stopped the answer", r.m.provider.name)
	case "MALFORMED_FUNCTION_CALL":
		return r.mishap(got, "a call of it was malformed")
	}
	if got.text == "" {
		return errors.New("the model answered nothing")
	}
	return nil
}

// mishap goes on after an answer that came but cannot be used as it is: what was
// shown of it stays, none of its calls runs, and the model is told.
func (r *run) mishap(got *answer, why string) error {
	r.host.Emit(agent.MessageDone{Model: r.m.name})
	if r.mishaps++; r.mishaps > maxMishaps {
		return fmt.Errorf("the model's answers cannot be used: %s", why)
	}
	r.host.Emit(agent.Notice{Text: fmt.Sprintf("The model's answer was not whole: %s. Nothing in it was run; it is asked again.", why)})
	r.history.whole(textParts(got.text), nil)
	r.history.tell(fmt.Sprintf("Your last message was not whole: %s. None of its tool calls was run. Go on from there; make fewer and smaller calls in one message, each with valid JSON arguments.", why))
	return nil
}

// count adds what an answer took, and shows it.
func (r *run) count(u usage) {
	if !u.known() {
		return
	}
	r.total.InputTokens += u.input + u.cacheRead + u.cacheWrite
	r.total.OutputTokens += u.output
	r.total.ContextTokens, r.total.Window = u.context(), r.m.model.Window
	if c, ok := cost(r.m.model, u); ok {
		r.total.Cost += c
	}
	r.host.Emit(r.total)
}

// batch is the calls of the answer for the host. A call without an id gets one
// where the wire knows none.
func (g *answer) batch() []tool.Call {
	out := make([]tool.Call, len(g.calls))
	for i, c := range g.calls {
		out[i] = tool.Call{ID: c.id, Name: c.name, Args: c.args}
		if c.id == "" {
			out[i].ID = newID()
		}
	}
	return out
}

func newID() string {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "" // the gate refuses a call without an id
	}
	return "call_" + hex.EncodeToString(b[:])
}
