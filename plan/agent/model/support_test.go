package model

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/agent/model/modeltest"
	"planmode/plan/tool"
	"planmode/store"
)

// testKey is the key of every provider in these tests. It must appear nowhere
// but in the head of a request.
const testKey = "sk-test-0123456789"

// kinds are the providers by which the wires are reached.
var kinds = map[modeltest.Wire]store.Provider{
	modeltest.Anthropic: {Kind: store.KindAnthropic, Models: []store.Model{{Name: "claude-sonnet-4-5"}}},
	modeltest.Chat:      {Kind: store.KindCompatible, Models: []store.Model{{Name: "local", Window: 8000, InputPrice: 1, OutputPrice: 2}}},
	modeltest.Responses: {Kind: store.KindOpenAI, Models: []store.Model{{Name: "gpt-5"}}},
	modeltest.Google:    {Kind: store.KindGoogle, Models: []store.Model{{Name: "gemini-2.5-flash"}}},
}

// newAgent makes an agent that talks to a server over a wire, without waiting.
func newAgent(wire modeltest.Wire, url string) *Agent {
	p := kinds[wire]
	p.BaseURL, p.KeyEnv = url, "TEST_KEY"
	if wire == modeltest.Chat || wire == modeltest.Responses {
		p.BaseURL += "/v1"
	}
	return New(Options{
		Config: store.Config{Providers: map[string]store.Provider{"here": p}, Model: "here"},
		Getenv: func(name string) string {
			if name == "TEST_KEY" {
				return testKey
			}
			return ""
		},
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
}

// host records what a turn does.
type host struct {
	mu      sync.Mutex
	events  []agent.Event
	batches [][]tool.Call
	answer  func(calls []tool.Call) ([]tool.Result, bool)
}

func (h *host) Emit(e agent.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
}

func (h *host) Batch(ctx context.Context, calls []tool.Call) ([]tool.Result, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.batches = append(h.batches, calls)
	if h.answer != nil {
		results, stop := h.answer(calls)
		return results, stop, ctx.Err()
	}
	results := make([]tool.Result, len(calls))
	for i, c := range calls {
		results[i] = tool.Result{CallID: c.ID, Name: c.Name, Text: "result of " + c.Name}
	}
	return results, false, ctx.Err()
}

func (h *host) collect(pick func(agent.Event) string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	for _, e := range h.events {
		b.WriteString(pick(e))
	}
	return b.String()
}

func (h *host) text() string {
	return h.collect(func(e agent.Event) string {
		if d, ok := e.(agent.TextDelta); ok {
			return d.Text
		}
		return ""
	})
}

func (h *host) reasoning() string {
	return h.collect(func(e agent.Event) string {
		if d, ok := e.(agent.ReasoningDelta); ok {
			return d.Text
		}
		return ""
	})
}

func (h *host) said() string {
	return h.collect(func(e agent.Event) string {
		switch e := e.(type) {
		case agent.Status:
			return e.Text + "\n"
		case agent.Notice:
			return "notice: " + e.Text + "\n"
		}
		return ""
	})
}

func (h *host) usage() agent.Usage {
	h.mu.Lock()
	defer h.mu.Unlock()
	var last agent.Usage
	for _, e := range h.events {
		if u, ok := e.(agent.Usage); ok {
			last = u
		}
	}
	return last
}

// turn is a turn of planning with one tool.
func turn() agent.Turn {
	return agent.Turn{
		Mode: plan.ModePlanning, System: "You plan.", Effort: "medium",
		Messages: []agent.Message{{Role: agent.RoleUser, Text: "Look around."}},
		Tools: []tool.Spec{{Name: "read", Description: "Reads a file.", Effect: tool.Reads,
			Schema: []byte(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`)}},
	}
}

// onEveryWire runs a test against a server on each wire.
func onEveryWire(t *testing.T, replies []modeltest.Reply, check func(t *testing.T, wire modeltest.Wire, s *modeltest.Server, h *host, err error)) {
	t.Helper()
	for _, wire := range modeltest.Wires {
		t.Run(string(wire), func(t *testing.T) {
			s := modeltest.New(replies...)
			t.Cleanup(s.Close)
			h := &host{}
			err := newAgent(wire, s.URL).Run(t.Context(), turn(), h)
			check(t, wire, s, h, err)
		})
	}
}
