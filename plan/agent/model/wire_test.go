package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"planmode/plan/agent/model/modeltest"
)

// wires are the wires that a witness reads.
var wires = []wire{wireAnthropic, wireChat, wireResponses, wireGoogle}

// FuzzWitness reads anything on every wire, in one piece and byte by byte: it
// must say the same, and no call may come out that is not in what came in.
func FuzzWitness(f *testing.F) {
	reply := modeltest.Reply{Text: "Hi", Calls: []modeltest.Call{{ID: "a", Name: "read", Args: `{"path":"x"}`}, {ID: "b", Name: "bash", Args: `{}`}}}
	for _, w := range modeltest.Wires {
		f.Add([]byte(modeltest.Stream(w, reply)))
	}
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,\"id\":\"\"}]}}]}\r\n\r\ndata: [DONE]"))
	now := func() time.Time { return time.Time{} }
	f.Fuzz(func(t *testing.T, stream []byte) {
		for _, on := range wires {
			whole, slow := newWitness(readerOf(on), now), newWitness(readerOf(on), now)
			whole.feed(stream)
			for i := range stream {
				slow.feed(stream[i : i+1])
			}
			whole.ended()
			slow.ended()
			a, _ := whole.testify()
			b, _ := slow.testify()
			if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
				t.Fatalf("%s: in one piece %+v, byte by byte %+v", on, a, b)
			}
			if len(a.calls) > strings.Count(string(stream), "\n")+1+strings.Count(string(stream), "{") {
				t.Fatalf("%s: %d calls out of nothing", on, len(a.calls))
			}
		}
	})
}

func TestRetryAfterIsReadAndBounded(t *testing.T) {
	cases := map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "0.5": 500 * time.Millisecond, "250ms": 250 * time.Millisecond, "-3": 0, "soon": 0, "NaN": 0, "1e300": 0,
		"Mon, 02 Jan 2006 15:04:05 GMT": 0,
	}
	for header, want := range cases {
		if got := retryAfter(header); got != want {
			t.Errorf("%q is %s, want %s", header, got, want)
		}
	}
}

func TestVersionsOfClaudeAreRead(t *testing.T) {
	cases := map[string][2]int{
		"claude-sonnet-4-5": {4, 5}, "claude-opus-4-5-20251101": {4, 5}, "claude-sonnet-4-20250514": {4, 0}, "claude-3-7-sonnet-latest": {3, 7},
		"claude-3-opus-20240229": {3, 0}, "us.anthropic.claude-sonnet-4-5-20250929-v1:0": {4, 5}, "claude-opus-5": {5, 0}, "gpt-5": {0, 0}, "anthropic/claude-sonnet-4.5": {4, 5},
	}
	for name, want := range cases {
		if major, minor := claudeVersion(name); major != want[0] || minor != want[1] {
			t.Errorf("%s is %d.%d, want %v", name, major, minor, want)
		}
	}
}

func TestSealedReasoningGoesBeforeTheMessageThatItLedTo(t *testing.T) {
	body := `{"model":"m","input":[{"role":"user","content":"hi"},{"role":"assistant","content":"I look"},{"type":"function_call","call_id":"a"},` +
		`{"type":"function_call","call_id":"b"},{"type":"function_call_output","call_id":"a"},{"type":"function_call","call_id":"c"}]}`
	got, ok := sealed{"a": {json.RawMessage(`{"type":"reasoning","n":1}`)}, "c": {json.RawMessage(`{"type":"reasoning","n":2}`)}}.insert([]byte(body))
	want := `[{"role":"user","content":"hi"},{"type":"reasoning","n":1},{"role":"assistant","content":"I look"},{"type":"function_call","call_id":"a"},` +
		`{"type":"function_call","call_id":"b"},{"type":"function_call_output","call_id":"a"},{"type":"reasoning","n":2},{"type":"function_call","call_id":"c"}]`
	if !ok || !strings.Contains(string(got), want) {
		t.Errorf("%s", got)
	}
	if _, ok := (sealed{}).insert([]byte(`{"input":"text"}`)); ok {
		t.Error("a body of another form was rewritten")
	}
}
