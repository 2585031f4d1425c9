package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"charm.land/fantasy"

	"planmode/plan/process"
)

// silenceCheck is how often a stream is looked at for having fallen silent.
const silenceCheck = time.Second

// answer is one message of the model, as far as it came.
type answer struct {
	parts   []fantasy.MessagePart // reasoning and text in their order, for the next request
	text    string
	thought bool // reasoning was shown
	calls   []call
	finish  fantasy.FinishReason
	ended   bool // the library saw its end
	usage   usage

	reason  string // the wire's word for the end
	damaged string // why its calls cannot be trusted
	sealed  []json.RawMessage

	open  map[string]int           // blocks by kind and id: where in parts
	grown map[int]*strings.Builder // text of parts that is not in them yet
	said  strings.Builder          // all text that came
	size  int                      // bytes of everything that came
	args  map[string]*strings.Builder
}

// request is one question to a model.
type request struct {
	m     *resolved
	call  fantasy.Call
	seal  sealed
	text  func(string) // takes what arrives, at once
	think func(string)
}

// stream asks once and reads the answer. On an error the answer holds what came
// before it. It returns at once when ctx ends: what then still waits for the
// network is left to end by itself.
func (a *Agent) stream(ctx context.Context, q request) (*answer, *witness, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := newWitness(readerOf(q.m.wire()), a.opt.Now)
	w.sealed = q.seal
	parts := make(chan fantasy.StreamPart, 64)
	process.Go("model stream", func() {
		defer close(parts)
		q.m.produce(withWitness(ctx, w), q.call, func(p fantasy.StreamPart) bool {
			select {
			case parts <- p:
				return true
			case <-ctx.Done():
				return false
			}
		})
	})
	tick := time.NewTicker(silenceCheck)
	defer tick.Stop()
	got := &answer{open: map[string]int{}, args: map[string]*strings.Builder{}, grown: map[int]*strings.Builder{}}
	defer got.settle()
	for {
		select {
		case <-ctx.Done():
			return got, w, ctx.Err()
		case <-tick.C:
			if silence, begun := w.silence(); silence > a.opt.FirstByte || begun && silence > a.opt.Idle {
				return got, w, errSilent
			}
		case p, more := <-parts:
			if !more {
				return got, w, got.conclude(ctx, q.m.wire(), w)
			}
			if p.Type == fantasy.StreamPartTypeError {
				return got, w, p.Error
			}
			got.take(p, q)
			if got.size += len(p.Delta) + len(p.ToolCallInput); got.size > maxAnswer {
				return got, w, errEndless
			}
		}
	}
}

// produce runs the library. A panic in it, which a malformed stream can cause,
// is one more way for an answer to be unreadable.
func (m *resolved) produce(ctx context.Context, c fantasy.Call, yield func(fantasy.StreamPart) bool) {
	fail := func(err error) { yield(fantasy.StreamPart{Type: fantasy.StreamPartTypeError, Error: err}) }
	defer func() {
		if v := recover(); v != nil {
			slog.Error("the provider library failed on a stream", "provider", m.provider.kind, "stack", string(debug.Stack()))
			fail(errors.New("the answer cannot be read"))
		}
	}()
	lm, err := m.open(ctx)
	if err != nil {
		fail(err)
		return
	}
	seq, err := lm.Stream(ctx, c)
	if err != nil {
		fail(err)
		return
	}
	for p := range seq {
		if !yield(p) {
			return
		}
	}
}

// take adds a part to the answer and shows it.
func (g *answer) take(p fantasy.StreamPart, q request) {
	if p.ProviderExecuted {
		return // nothing of the kind is asked for
	}
	switch p.Type {
	case fantasy.StreamPartTypeTextStart:
		g.begin("text", p.ID, fantasy.TextPart{})
	case fantasy.StreamPartTypeTextDelta:
		g.said.WriteString(p.Delta)
		g.grow("text", p.ID, p.Delta)
		q.text(p.Delta)
	case fantasy.StreamPartTypeReasoningStart:
		g.begin("reasoning", p.ID, fantasy.ReasoningPart{ProviderOptions: fantasy.ProviderOptions(p.ProviderMetadata)})
	case fantasy.StreamPartTypeReasoningDelta:
		g.grow("reasoning", p.ID, p.Delta)
		g.sign(p)
		if p.Delta != "" {
			g.thought = true
			q.think(p.Delta)
		}
	case fantasy.StreamPartTypeReasoningEnd:
		g.sign(p)
	case fantasy.StreamPartTypeToolInputDelta:
		g.fragment(p.ID, p.Delta+p.ToolCallInput)
	case fantasy.StreamPartTypeToolCall:
		g.calls = append(g.calls, call{id: p.ID, name: p.ToolCallName, args: []byte(p.ToolCallInput)})
		g.parts = append(g.parts, fantasy.ToolCallPart{}) // its place; the rest is filled in by history
	case fantasy.StreamPartTypeFinish:
		g.ended, g.finish = true, p.FinishReason
		g.usage = usage{input: int(p.Usage.InputTokens), cacheRead: int(p.Usage.CacheReadTokens), cacheWrite: int(p.Usage.CacheCreationTokens), output: int(p.Usage.OutputTokens)}
	}
}

func (g *answer) begin(kind, id string, part fantasy.MessagePart) {
	g.open[kind+id] = len(g.parts)
	g.parts = append(g.parts, part)
}

func (g *answer) grow(kind, id, delta string) {
	at, ok := g.open[kind+id]
	if !ok { // a block that nobody began
		g.begin(kind, id, map[string]fantasy.MessagePart{"text": fantasy.TextPart{}, "reasoning": fantasy.ReasoningPart{}}[kind])
		at = g.open[kind+id]
	}
	if g.grown[at] == nil {
		g.grown[at] = &strings.Builder{}
	}
	g.grown[at].WriteString(delta)
}

// settle puts the text that came into its place. It came in thousands of pieces, and
// a string that grows by each of them would be copied as often.
func (g *answer) settle() {
	g.text = g.said.String()
	for at, text := range g.grown {
		switch part := g.parts[at].(type) {
		case fantasy.TextPart:
			part.Text = text.String()
			g.parts[at] = part
		case fantasy.ReasoningPart:
			part.Text = text.String()
			g.parts[at] = part
		}
	}
}

// sign keeps what the provider wants back with its reasoning, untouched.
func (g *answer) sign(p fantasy.StreamPart) {
	at, ok := g.open["reasoning"+p.ID]
	if !ok || len(p.ProviderMetadata) == 0 {
		return
	}
	if part, ok := g.parts[at].(fantasy.ReasoningPart); ok {
		part.ProviderOptions = fantasy.ProviderOptions(p.ProviderMetadata)
		g.parts[at] = part
	}
}

func (g *answer) fragment(id, piece string) {
	if g.args[id] == nil {
		g.args[id] = &strings.Builder{}
	}
	g.args[id].WriteString(piece)
}

// conclude compares what the library understood with what the witness saw.
func (g *answer) conclude(ctx context.Context, on wire, w *witness) error {
	g.settle()
	if err := ctx.Err(); err != nil {
		return err
	}
	if !g.ended {
		return errIncomplete
	}
	e, ok := w.testify()
	if !ok {
		g.concludeFramed()
		return nil
	}
	if e.finish == "" {
		return errIncomplete
	}
	g.sealed = e.sealed
	if g.reason = e.finish; e.usage.known() {
		g.usage = e.usage
	}
	switch {
	case e.damaged != "":
		g.damaged = e.damaged
	case len(e.calls) != len(g.calls):
		g.damaged = "its calls cannot be told apart"
	case len(e.calls) > 0 && !on.finished(e.finish):
		g.damaged = fmt.Sprintf("it ended early (%s)", e.finish)
	}
	for i := range e.calls {
		if g.damaged != "" {
			break
		}
		if e.calls[i].name != g.calls[i].name || e.calls[i].id != "" && e.calls[i].id != g.calls[i].id {
			g.damaged = "its calls cannot be told apart"
		}
		g.calls[i].args = e.calls[i].args
		if on == wireChat && e.calls[i].id == "" {
			g.calls[i].id = "" // the library counts from 0 in every answer
		}
	}
	return nil
}

// concludeFramed is conclude on a wire without a witness: the pieces of every
// call must add up to the call.
func (g *answer) concludeFramed() {
	g.reason = string(g.finish)
	for _, c := range g.calls {
		pieces := ""
		if b := g.args[c.id]; b != nil {
			pieces = b.String()
		}
		if pieces != string(c.args) && (pieces != "" || string(c.args) != "{}") {
			g.damaged = "the pieces of a call do not add up to it"
		}
	}
	if len(g.calls) > 0 && g.finish != fantasy.FinishReasonToolCalls {
		g.damaged = fmt.Sprintf("it ended early (%s)", g.finish)
	}
}
