package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"planmode/plan/agent"
	"planmode/plan/agent/model/modeltest"
	"planmode/plan/tool"
	"planmode/store"
)

// TestAStreamCutAtAnyByteRunsNothingThatWasNotWhole is the property that holds
// the rest: whatever arrives, a call runs only if it is exactly one of those
// that were sent, and the message had come to its end.
func TestAStreamCutAtAnyByteRunsNothingThatWasNotWhole(t *testing.T) {
	reply := modeltest.Reply{Text: "Now.", Piece: 24, Calls: []modeltest.Call{
		{ID: "c1", Name: "read", Args: `{"path":"a"}`}, {ID: "c2", Name: "bash", Args: `{"command":"rm -rf /"}`},
	}}
	for _, wire := range modeltest.Wires {
		t.Run(string(wire), func(t *testing.T) {
			t.Parallel()
			whole := modeltest.Stream(wire, reply)
			end := endOf(wire, whole)
			line := &canned{}
			a := newAgent(wire, "http://127.0.0.1:1")
			a.opt.Base = line
			for cut := range len(whole) {
				h := &host{}
				line.set(whole[:cut], modeltest.Stream(wire, modeltest.Reply{Text: "done"}))
				if err := a.Run(t.Context(), turn(), h); err != nil {
					t.Fatalf("cut at %d: %v", cut, err)
				}
				if len(h.batches) > 0 && cut < end {
					t.Fatalf("cut at %d of %d, before the end at %d, and a batch ran: %s\nsent: %q", cut, len(whole), end, h.batches[0][0].Args, whole[:cut])
				}
				if !strings.Contains(h.text(), "done") {
					t.Fatalf("cut at %d: the turn did not go on: %q", cut, h.text())
				}
			}
		})
	}
}

// canned is the network: the first body breaks off, those after it are whole.
type canned struct {
	broken, whole string
	asked         int
}

func (c *canned) set(broken, whole string) { c.broken, c.whole, c.asked = broken, whole, 0 }

func (c *canned) RoundTrip(*http.Request) (*http.Response, error) {
	var body io.Reader = strings.NewReader(c.whole)
	if c.asked++; c.asked == 1 {
		body = io.MultiReader(strings.NewReader(c.broken), iotest.ErrReader(io.ErrUnexpectedEOF))
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)}, nil
}

// endOf is the number of bytes after which the answer has come to its end.
func endOf(wire modeltest.Wire, stream string) int {
	mark := map[modeltest.Wire]string{
		modeltest.Anthropic: `"type":"message_stop"}`, modeltest.Chat: `"finish_reason":"tool_calls"`,
		modeltest.Responses: `"type":"response.completed"}`, modeltest.Google: `"finishReason":"STOP"`,
	}[wire]
	return strings.Index(stream, mark) + len(mark)
}

func TestWhatPassesIsTriedAgainAndTheWaitIsShown(t *testing.T) {
	cases := map[string]struct {
		reply modeltest.Reply
		shown string
	}{
		"429":                       {modeltest.Reply{Status: 429, Text: "slow down"}, "retrying in 2 s (2 of 5): rate limited"},
		"429 with a wait":           {modeltest.Reply{Status: 429, Header: http.Header{"Retry-After": {"7"}}}, "retrying in 7 s (2 of 5)"},
		"529":                       {modeltest.Reply{Status: 529}, "(2 of 5): overloaded"},
		"500":                       {modeltest.Reply{Status: 500}, "server error 500"},
		"502 that is no JSON":       {modeltest.Reply{Status: 502, Text: "<html>"}, "server error 502"},
		"503":                       {modeltest.Reply{Status: 503}, "overloaded"},
		"a cut before any output":   {modeltest.Reply{Text: "never", Cut: 5}, "retrying"},
		"an end without an end":     {modeltest.Reply{Finish: "none"}, "retrying"},
		"an empty body":             {modeltest.Reply{Raw: "\n"}, "retrying"},
		"overload within a stream":  {modeltest.Reply{Fault: "overloaded_error"}, ""},
		"a server that sends a 200": {modeltest.Reply{Raw: ": ping\n\n: ping\n\n"}, "retrying"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, wire := range modeltest.Wires {
				if c.reply.Fault != "" {
					c.reply.Fault = map[modeltest.Wire]string{modeltest.Anthropic: "overloaded_error", modeltest.Chat: "server_error", modeltest.Responses: "server_error", modeltest.Google: "UNAVAILABLE"}[wire]
				}
				s := modeltest.New(c.reply, modeltest.Reply{Text: "Here."})
				h := &host{}
				err := newAgent(wire, s.URL).Run(t.Context(), turn(), h)
				if err != nil || h.text() != "Here." {
					t.Errorf("%s: %q, %v", wire, h.text(), err)
				}
				if !strings.Contains(h.said(), c.shown) {
					t.Errorf("%s: shown %q, want %q", wire, h.said(), c.shown)
				}
				s.Close()
			}
		})
	}
}

func TestWhatDoesNotPassIsToldAtOnce(t *testing.T) {
	cases := map[string]struct {
		reply modeltest.Reply
		told  []string
	}{
		"400":                      {modeltest.Reply{Status: 400, Text: "bad tool"}, []string{"refused the request", "bad tool"}},
		"401 that repeats the key": {modeltest.Reply{Status: 401, Text: "wrong key " + testKey}, []string{"refused the key", "TEST_KEY", "planmode auth set here"}},
		"403":                      {modeltest.Reply{Status: 403, Text: "no"}, []string{"does not let this key"}},
		"404":                      {modeltest.Reply{Status: 404, Text: "no"}, []string{"has no model", "/model"}},
		"402":                      {modeltest.Reply{Status: 402, Text: "pay"}, []string{"nothing left"}},
		"a quota that is used up":  {modeltest.Reply{Status: 429, Text: "You exceeded your current quota, please check your plan and billing details."}, []string{"nothing left"}},
		"a wait of an hour":        {modeltest.Reply{Status: 429, Header: http.Header{"Retry-After": {"3600"}}}, []string{"asks to wait 1h0m0s"}},
		"a redirect":               {modeltest.Reply{Status: 307, Header: http.Header{"Location": {"http://127.0.0.1:1/"}}}, []string{"baseURL"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, wire := range modeltest.Wires {
				s := modeltest.New(c.reply)
				h := &host{}
				err := newAgent(wire, s.URL).Run(t.Context(), turn(), h)
				if err == nil {
					t.Fatalf("%s: no error", wire)
				}
				for _, want := range c.told {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%s: %q lacks %q", wire, err, want)
					}
				}
				if strings.Contains(fmt.Sprintf("%v %+v", err, err)+h.said(), testKey) {
					t.Errorf("%s: the key is in %q", wire, err)
				}
				if n := len(s.Requests()); n != 1 {
					t.Errorf("%s: asked %d times", wire, n)
				}
				s.Close()
			}
		})
	}
}

func TestTriesAreCounted(t *testing.T) {
	for _, wire := range modeltest.Wires {
		s := modeltest.NewFunc(func(int, modeltest.Request) modeltest.Reply { return modeltest.Reply{Status: 503} })
		err := newAgent(wire, s.URL).Run(t.Context(), turn(), &host{})
		if n := len(s.Requests()); err == nil || n != maxTries || !strings.Contains(err.Error(), "tried 5 times") {
			t.Errorf("%s: %v after %d", wire, err, n)
		}
		s.Close()
	}
}

func TestAnInterruptIsObeyedInEveryState(t *testing.T) {
	states := map[string]modeltest.Reply{
		"before the head":            {Mute: true},
		"before the first byte":      {Raw: "\n", Stall: true},
		"in the middle of an answer": {Text: "I am going to say a lot", Cut: 400, Stall: true},
		"in the middle of a call":    {Calls: []modeltest.Call{{ID: "c", Name: "bash", Args: `{"command":"x"}`}}, Cut: 500, Stall: true},
		"after the last call":        {Calls: []modeltest.Call{{ID: "c", Name: "bash", Args: `{"command":"x"}`}}, Finish: "none", Stall: true},
		"in a reply without an end":  {Text: "endless", Pause: 5 * time.Millisecond, Stall: true},
	}
	for name, reply := range states {
		t.Run(name, func(t *testing.T) {
			for _, wire := range modeltest.Wires {
				asked := make(chan struct{}, 1)
				s := modeltest.NewFunc(func(int, modeltest.Request) modeltest.Reply {
					asked <- struct{}{}
					return reply
				})
				ctx, cancel := context.WithCancel(t.Context())
				h, ended := &host{}, make(chan error, 1)
				go func() { ended <- newAgent(wire, s.URL).Run(ctx, turn(), h) }()
				<-asked
				time.AfterFunc(30*time.Millisecond, cancel)
				<-ctx.Done()
				begun := time.Now()
				err := <-ended
				if took := time.Since(begun); took > 100*time.Millisecond {
					t.Errorf("%s: took %s", wire, took)
				}
				if !errors.Is(err, context.Canceled) || len(h.batches) != 0 {
					t.Errorf("%s: %v, batches %v", wire, err, h.batches)
				}
				s.Close()
			}
		})
	}
}

func TestAnInterruptEndsTheWaitBetweenTries(t *testing.T) {
	s := modeltest.NewFunc(func(int, modeltest.Request) modeltest.Reply { return modeltest.Reply{Status: 529} })
	defer s.Close()
	a := newAgent(modeltest.Anthropic, s.URL)
	a.opt.Wait = wait
	ctx, cancel := context.WithCancel(t.Context())
	h := &watched{on: func(e agent.Event) {
		if st, ok := e.(agent.Status); ok && strings.HasPrefix(st.Text, "retrying") {
			cancel()
		}
	}}
	begun := time.Now()
	if err := a.Run(ctx, turn(), h); !errors.Is(err, context.Canceled) || time.Since(begun) > time.Second {
		t.Errorf("%v after %s", err, time.Since(begun))
	}
}

// watched is a host that only looks.
type watched struct{ on func(agent.Event) }

func (w *watched) Emit(e agent.Event) { w.on(e) }

func (w *watched) Batch(context.Context, []tool.Call) ([]tool.Result, bool, error) {
	return nil, true, nil
}

func TestAStreamThatFallsSilentIsGivenUp(t *testing.T) {
	s := modeltest.New(modeltest.Reply{Raw: "\n", Stall: true}, modeltest.Reply{Text: "Here."})
	defer s.Close()
	a := newAgent(modeltest.Chat, s.URL)
	a.opt.Idle = 10 * time.Millisecond
	h := &host{}
	if err := a.Run(t.Context(), turn(), h); err != nil || h.text() != "Here." || !strings.Contains(h.said(), "no answer came") {
		t.Errorf("%v, %q, %s", err, h.text(), h.said())
	}
}

func TestAStreamThatMakesTheLibraryPanicIsAnUnreadableAnswer(t *testing.T) {
	raw := map[modeltest.Wire]string{
		modeltest.Anthropic: "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":-5}\n\n",
		modeltest.Responses: `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"r"}}` + "\n\n" +
			`data: {"type":"response.reasoning_summary_text.delta","item_id":"r","summary_index":-3,"delta":"x"}` + "\n\n",
	}
	for wire, stream := range raw {
		s := modeltest.NewFunc(func(int, modeltest.Request) modeltest.Reply { return modeltest.Reply{Raw: stream} })
		if err := newAgent(wire, s.URL).Run(t.Context(), turn(), &host{}); err == nil {
			t.Errorf("%s: no error", wire)
		}
		s.Close()
	}
}

func TestAKeyGoesToItsOwnServerAlone(t *testing.T) {
	for _, env := range []string{"OPENAI_API_KEY", "OPENAI_ORG_ID", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "GOOGLE_API_KEY"} {
		t.Setenv(env, "sk-foreign-"+env)
	}
	for _, wire := range modeltest.Wires {
		s := modeltest.New(modeltest.Reply{Text: "ok"})
		if err := newAgent(wire, s.URL).Run(t.Context(), turn(), &host{}); err != nil {
			t.Errorf("%s: %v", wire, err)
		}
		head := fmt.Sprint(s.Requests()[0].Header)
		if !strings.Contains(head, testKey) || strings.Contains(head, "sk-foreign") {
			t.Errorf("%s: keys in the head: %s", wire, head)
		}
		s.Close()
	}
	s := modeltest.New(modeltest.Reply{Text: "ok"})
	defer s.Close()
	local := New(Options{Getenv: func(string) string { return "" }, Config: store.Config{Model: "local", Providers: map[string]store.Provider{
		"local": {Kind: store.KindCompatible, BaseURL: s.URL + "/v1", Models: []store.Model{{Name: "m"}}},
	}}})
	if err := local.Run(t.Context(), turn(), &host{}); err != nil {
		t.Fatal(err)
	}
	if head := fmt.Sprint(s.Requests()[0].Header); strings.Contains(head, "sk-") || strings.Contains(head, "Bearer") {
		t.Errorf("a server without a key gets one: %s", head)
	}
}
