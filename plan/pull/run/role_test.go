package run

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"planmode/plan/agent"
	"planmode/plan/tool"
)

// scripted is an agent that makes the batches it was given and keeps the answers.
type scripted struct {
	batches [][]tool.Call
	answers []tool.Result
	err     error
}

func (*scripted) Name() string  { return "scripted" }
func (*scripted) Model() string { return "" }

func (s *scripted) Run(ctx context.Context, turn agent.Turn, host agent.Host) error {
	host.Emit(agent.Usage{InputTokens: 7, Cost: 0.5})
	for _, b := range s.batches {
		rs, stop, err := host.Batch(ctx, b)
		s.answers = append(s.answers, rs...)
		if err != nil || stop {
			return err
		}
	}
	return s.err
}

func call(id, name string, args map[string]any) tool.Call {
	return tool.Call{ID: id, Name: name, Args: tool.Marshal(args)}
}

func crew(t *testing.T, a agent.Agent) Crew {
	t.Helper()
	r, err := open(t, newChange(t)).Range(t.Context(), "main..topic")
	if err != nil {
		t.Fatal(err)
	}
	return Crew{Agent: a, From: r, Base: r.Base, Head: r.Head, Now: func() time.Time { return time.Unix(0, 0) }}
}

func TestARoleReadsTheTwoCommitsAndHandsOverOneText(t *testing.T) {
	a := &scripted{batches: [][]tool.Call{
		{call("1", "read_file", map[string]any{"path": "a.go", "revision": "head", "start_line": 3, "end_line": 9}), call("2", "read_patch", map[string]any{"path": "a.go"})},
		{call("3", deliver, map[string]any{"text": "CONTEXT: PASS\n{}"})},
		{call("4", deliver, map[string]any{"text": "too late"})},
	}}
	d, err := crew(t, a).Run(t.Context(), Job{Name: "context"})
	if err != nil || string(d.Text) != "CONTEXT: PASS\n{}" || d.Usage.InputTokens != 7 {
		t.Fatalf("%q, %+v, %v", d.Text, d.Usage, err)
	}
	if got := a.answers[0].Text; got != "3\t// Added.\n4\tvar A = 1\n" {
		t.Errorf("lines: %q", got)
	}
	if len(a.answers) != 3 {
		t.Errorf("%d answers: the role went on after its payload", len(a.answers))
	}
}

func TestARoleHasNothingThatChangesOrRuns(t *testing.T) {
	a := &scripted{batches: [][]tool.Call{{
		call("1", "bash", map[string]any{"command": "gh api -X POST"}), call("2", "write", map[string]any{"path": "a.go", "content": ""}),
		call("3", "edit", nil), call("4", "submit_plan", nil), call("5", "web_read", nil),
		call("6", "read_file", map[string]any{"path": "../../etc/passwd", "revision": "head"}),
		call("7", "read_file", map[string]any{"path": "a.go", "revision": "HEAD~1"}),
		{ID: "8", Name: "read_file", Args: json.RawMessage(`[]`)},
		call("9", deliver, map[string]any{"text": "beside others"}),
	}}}
	_, err := crew(t, a).Run(t.Context(), Job{Name: "author"})
	if !errors.Is(err, ErrNothing) {
		t.Errorf("a payload beside other calls counted: %v", err)
	}
	for _, r := range a.answers {
		if !r.Error {
			t.Errorf("%s %s was answered: %q", r.CallID, r.Name, r.Text)
		}
	}
}

func TestARoleThatEndsWithoutAPayloadIsSaidSo(t *testing.T) {
	wrong := errors.New("provider is gone")
	for name, a := range map[string]*scripted{
		"it just ends":      {},
		"it fails":          {err: wrong},
		"it gives no text":  {batches: [][]tool.Call{{call("1", deliver, map[string]any{"txt": "x"})}}},
		"it hands over nul": {batches: [][]tool.Call{{call("1", deliver, map[string]any{"text": nil})}}},
	} {
		if _, err := crew(t, a).Run(t.Context(), Job{Name: "verify"}); !errors.Is(err, ErrNothing) || a.err != nil && !errors.Is(err, a.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := crew(t, &scripted{batches: [][]tool.Call{{call("1", "list_files", nil)}}}).Run(ctx, Job{Name: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func TestALongFileIsGivenInParts(t *testing.T) {
	long := strings.Repeat("x\n", 2*maxLines)
	got := numbered(long, 0, 0)
	if !strings.HasSuffix(got, "[800 more lines]\n") || strings.Count(got, "\tx\n") != maxLines {
		t.Errorf("%d lines, ends %q", strings.Count(got, "\n"), got[len(got)-20:])
	}
	if got := numbered("a\nb\n", 5, 9); got != "" {
		t.Errorf("past the end: %q", got)
	}
}
