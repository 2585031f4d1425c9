package model

import (
	"encoding/json"
	"strings"
	"testing"

	"planmode/plan/agent"
	"planmode/plan/agent/model/modeltest"
	"planmode/plan/tool"
)

func TestATurnStreamsCallsAndEnds(t *testing.T) {
	onEveryWire(t, []modeltest.Reply{
		{Reasoning: "I should look.", Text: "Looking at 计划 now.", Calls: []modeltest.Call{
			{ID: "c1", Name: "read", Args: `{"path":"a.go","n":9007199254740993}`},
			{ID: "c2", Name: "read", Args: `{"path":"b.go"}`},
		}},
		{Text: "It is all there."},
	}, func(t *testing.T, wire modeltest.Wire, s *modeltest.Server, h *host, err error) {
		if err != nil {
			t.Fatalf("run: %v\n%s", err, h.said())
		}
		if got := h.text(); got != "Looking at 计划 now.It is all there." {
			t.Errorf("text %q", got)
		}
		if got := strings.TrimSpace(h.reasoning()); got != "I should look." {
			t.Errorf("reasoning %q", got)
		}
		if len(h.batches) != 1 || len(h.batches[0]) != 2 {
			t.Fatalf("batches %v: both calls of a message go through one", h.batches)
		}
		if c := h.batches[0][0]; c.ID != "c1" || c.Name != "read" || string(c.Args) != `{"path":"a.go","n":9007199254740993}` {
			t.Errorf("the call is not what the wire carried: %+v %s", c, c.Args)
		}
		asked := s.Requests()
		if len(asked) != 2 {
			t.Fatalf("%d requests", len(asked))
		}
		if again := asked[1].Raw; !strings.Contains(again, "result of read") || !strings.Contains(again, "c2") {
			t.Errorf("the second request lacks the results: %s", again)
		}
		if signed := wire != modeltest.Chat; signed && !strings.Contains(asked[1].Raw, "sig-1") && !strings.Contains(asked[1].Raw, "c2lnLTE=") {
			t.Errorf("the reasoning's signature is not passed back: %s", asked[1].Raw)
		}
		if u := h.usage(); u.ContextTokens != 1050 || u.OutputTokens != 100 {
			t.Errorf("usage %+v", u)
		}
	})
}

func TestDamagedCallsGoToTheGateAsTheyAreAndAreNeverRepaired(t *testing.T) {
	cases := map[string]string{
		"cut":              `{"path":"a`,
		"a name twice":     `{"path":"a","path":"b"}`,
		"something behind": `{"path":"a"} rm -rf`,
		"single quotes":    `{'path':'a'}`,
		"a comment":        `{"path":"a"/**/}`,
		"not an object":    `["path"]`,
	}
	for name, args := range cases {
		t.Run(name, func(t *testing.T) {
			for _, wire := range []modeltest.Wire{modeltest.Anthropic, modeltest.Chat, modeltest.Responses} {
				s := modeltest.New(modeltest.Reply{Calls: []modeltest.Call{{ID: "c1", Name: "read", Args: args}}})
				h := &host{}
				err := newAgent(wire, s.URL).Run(t.Context(), turn(), h)
				s.Close()
				if err != nil {
					t.Errorf("%s: %v", wire, err)
				}
				for _, batch := range h.batches {
					for _, c := range batch {
						if string(c.Args) != args {
							t.Errorf("%s: arguments became %q", wire, c.Args)
						}
					}
				}
				set := tool.New(tool.Options{Dir: t.TempDir()})
				for _, batch := range h.batches {
					for _, j := range (tool.Policy{Mode: "planning"}).Check(set, batch) {
						if j.Verdict != tool.Deny {
							t.Errorf("%s: the gate says %s", wire, j.Verdict)
						}
					}
				}
			}
		})
	}
}

func TestAnAnswerThatEndsEarlyRunsNoneOfItsCalls(t *testing.T) {
	early := map[modeltest.Wire][]string{
		modeltest.Anthropic: {"max_tokens", "refusal", "pause_turn", "none"},
		modeltest.Chat:      {"length", "content_filter", "none"},
		modeltest.Responses: {"max_output_tokens", "content_filter", "none"},
		modeltest.Google:    {"MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", "none"},
	}
	for wire, reasons := range early {
		for _, reason := range reasons {
			t.Run(string(wire)+" "+reason, func(t *testing.T) {
				s := modeltest.New(modeltest.Reply{Text: "I will.", Finish: reason, Calls: []modeltest.Call{
					{ID: "c1", Name: "read", Args: `{"path":"whole"}`},
				}})
				defer s.Close()
				h := &host{}
				if err := newAgent(wire, s.URL).Run(t.Context(), turn(), h); err != nil {
					t.Errorf("run: %v", err)
				}
				if len(h.batches) != 0 {
					t.Errorf("a call ran: %v", h.batches)
				}
				asked := s.Requests()
				if len(asked) < 2 || !strings.Contains(asked[1].Raw, "None of its tool calls was run") && !strings.Contains(asked[1].Raw, "no tool call of it was run") {
					t.Errorf("the model was not told; said: %s", h.said())
				}
			})
		}
	}
}

func TestStopEndsTheTurn(t *testing.T) {
	for _, wire := range modeltest.Wires {
		s := modeltest.New(modeltest.Reply{Calls: []modeltest.Call{{ID: "c1", Name: "submit_plan", Args: `{}`}}})
		h := &host{answer: func(calls []tool.Call) ([]tool.Result, bool) { return make([]tool.Result, len(calls)), true }}
		err := newAgent(wire, s.URL).Run(t.Context(), turn(), h)
		if n := len(s.Requests()); err != nil || n != 1 {
			t.Errorf("%s: %d requests, %v", wire, n, err)
		}
		s.Close()
	}
}

func TestCallsThatShareAnIdStayApartAndTheNextRequestIsInOrder(t *testing.T) {
	onEveryWire(t, []modeltest.Reply{
		{Calls: []modeltest.Call{{ID: "same", Name: "read", Args: `{"path":"a"}`}, {ID: "same", Name: "read", Args: `{"path":"b"}`}}},
		{Text: "ok"},
	}, func(t *testing.T, wire modeltest.Wire, s *modeltest.Server, h *host, err error) {
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		for _, batch := range h.batches {
			for _, j := range (tool.Policy{Mode: "planning"}).Check(tool.New(tool.Options{Dir: t.TempDir()}), batch) {
				if j.Verdict != tool.Deny {
					t.Errorf("the gate says %s to an ambiguous id", j.Verdict)
				}
			}
		}
		if again := s.Requests()[1].Raw; len(h.batches) > 0 && !strings.Contains(again, "same-2") {
			t.Errorf("two calls of one id in a request: %s", again)
		}
	})
}

func TestTwoCallsInOnePlaceAreNeitherOfThem(t *testing.T) {
	chunk := func(delta string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[` + delta + `]}}]}` + "\n\n"
	}
	raw := chunk(`{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":"{\"path\":"}}`) +
		chunk(`{"index":0,"id":"b","type":"function","function":{"name":"bash","arguments":"\"x\"}"}}`) +
		`data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	s := modeltest.New(modeltest.Reply{Raw: raw})
	defer s.Close()
	h := &host{}
	if err := newAgent(modeltest.Chat, s.URL).Run(t.Context(), turn(), h); err != nil || len(h.batches) != 0 {
		t.Errorf("%v, batches %v", err, h.batches)
	}
}

func TestHugeArgumentsArriveWhole(t *testing.T) {
	big, err := json.Marshal(map[string]string{"markdown": strings.Repeat("计划 \"quoted\"\n", 60_000)})
	if err != nil {
		t.Fatal(err)
	}
	for _, wire := range modeltest.Wires {
		s := modeltest.New(modeltest.Reply{Piece: 8 << 10, Calls: []modeltest.Call{{ID: "c1", Name: "submit_plan", Args: string(big)}}})
		h := &host{}
		err := newAgent(wire, s.URL).Run(t.Context(), turn(), h)
		if err != nil || len(h.batches) != 1 || string(h.batches[0][0].Args) != string(big) {
			t.Errorf("%s: %v, %d batches", wire, err, len(h.batches))
		}
		s.Close()
	}
}

func TestAModelThatOnlyMisbehavesIsStopped(t *testing.T) {
	for _, wire := range modeltest.Wires {
		s := modeltest.NewFunc(func(int, modeltest.Request) modeltest.Reply {
			return modeltest.Reply{Text: "again", Finish: map[modeltest.Wire]string{
				modeltest.Anthropic: "max_tokens", modeltest.Chat: "length", modeltest.Responses: "max_output_tokens", modeltest.Google: "MAX_TOKENS",
			}[wire], Calls: []modeltest.Call{{ID: "c", Name: "read", Args: `{}`}}}
		})
		h := &host{}
		err := newAgent(wire, s.URL).Run(t.Context(), turn(), h)
		if err == nil || len(h.batches) != 0 || len(s.Requests()) != maxMishaps+1 {
			t.Errorf("%s: %v after %d requests", wire, err, len(s.Requests()))
		}
		s.Close()
	}
}

func TestASummaryAsksForTextAlone(t *testing.T) {
	s := modeltest.New(modeltest.Reply{Text: "They agreed on tabs."})
	defer s.Close()
	a := newAgent(modeltest.Anthropic, s.URL)
	got, err := a.Summarize(t.Context(), []agent.Message{
		{Role: agent.RoleUser, Text: "Tabs or spaces?"},
		{Role: agent.RoleAssistant, Calls: []tool.Call{{ID: "x", Name: "read", Args: []byte(`{"path":".editorconfig"}`)}}},
		{Role: agent.RoleUser, Results: []tool.Result{{CallID: "x", Name: "read", Text: strings.Repeat("indent ", 4000)}}},
	}, "the indentation")
	if err != nil || got != "They agreed on tabs." {
		t.Fatalf("%q, %v", got, err)
	}
	asked := s.Requests()[0]
	if _, has := asked.Body["tools"]; has || !strings.Contains(asked.Raw, "the indentation") || len(asked.Raw) > 10_000 {
		t.Errorf("asked: %.3000s", asked.Raw)
	}
}
