package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/gate/guest"
	"planmode/plan/gate/target"
	"planmode/plan/gate/waiter"
	"planmode/store"
)

// rig is a server with a person who answers what is put into answers.
type rig struct {
	t        *testing.T
	store    *store.Store
	client   *sdk.ClientSession
	answers  chan any // a gate.Outcome, a waiter.Answer or an error
	ticks    chan time.Time
	shown    chan Request
	progress atomic.Int32
}

func newStore(t *testing.T) *store.Store {
	t.Helper()
	dirs, err := store.Locate(func(name string) string { return map[string]string{"PLANMODE_HOME": t.TempDir()}[name] })
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(dirs, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func start(t *testing.T, st *store.Store, session string) *rig {
	t.Helper()
	r := &rig{t: t, store: st, answers: make(chan any, 1), ticks: make(chan time.Time), shown: make(chan Request, 9)}
	here, there := sdk.NewInMemoryTransports()
	ctx, end := context.WithCancel(t.Context())
	names := 0
	o := Options{
		Store: st, Agent: guest.Agent{Harness: Harness, Session: session, Cwd: "/w"}, Version: "1", Review: r.review,
		NewSession: func() string { names++; return fmt.Sprintf("%s-%d", session, names) },
		Ticks:      func(time.Duration) (<-chan time.Time, func()) { return r.ticks, func() {} },
	}
	go func() { _ = serve(ctx, end, o, there) }()
	t.Cleanup(end)
	c := sdk.NewClient(&sdk.Implementation{Name: "rig\x1b[2J", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) { r.progress.Add(1) },
	})
	var err error
	if r.client, err = c.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) review(ctx context.Context, q Request, decide Decide) error {
	r.shown <- q
	var said any
	select {
	case said = <-r.answers:
	case <-ctx.Done():
		return ctx.Err()
	}
	a := waiter.Answer{Text: target.Text{Markdown: q.Plan.Text}}
	switch s := said.(type) {
	case error:
		return s
	case waiter.Answer:
		a = s
	case gate.Outcome:
		a.Outcome = s
	}
	decide(fmt.Sprintf("%d", len(decisionsOf(r.t, r.store, q.Plan.Ref.Plan))), a)
	return nil
}

func decisionsOf(t *testing.T, st *store.Store, id plan.ID) []plan.Decision {
	t.Helper()
	m, err := st.Manifest(id)
	if err != nil {
		t.Fatal(err)
	}
	return m.Decisions
}

// call calls a tool; told is its text, and failed says that it is an error.
func (r *rig) call(name string, args map[string]any) (st map[string]any, told string, failed bool) {
	r.t.Helper()
	p := &sdk.CallToolParams{Name: name, Arguments: args}
	p.SetProgressToken("p")
	res, err := r.client.CallTool(r.t.Context(), p)
	if err != nil {
		r.t.Fatal(err)
	}
	st, _ = res.StructuredContent.(map[string]any)
	return st, res.Content[0].(*sdk.TextContent).Text, res.IsError
}

func TestAPlanIsReviewedUntilItIsApprovedAndCompleted(t *testing.T) {
	r := start(t, newStore(t), "s")
	r.answers <- gate.Outcome{Feedback: "> why so?\n"}
	st, told, _ := r.call("submit_plan", map[string]any{"markdown": "# 计划\n"})
	if st["status"] != "changes_requested" || !strings.HasPrefix(told, "YOUR PLAN WAS NOT APPROVED.") || !strings.Contains(told, "> why so?") {
		t.Errorf("%v %q", st, told)
	}
	if q := <-r.shown; !strings.HasPrefix(q.Asker, "rig") || strings.Contains(q.Asker, "\x1b") {
		t.Errorf("asker %q", q.Asker)
	}
	id := st["planId"]
	r.answers <- gate.Outcome{Exit: true}
	st, told, _ = r.call("submit_plan", map[string]any{"markdown": "# 计划 2\n", "planId": id})
	if st["status"] != "not_decided" || st["revision"] != 2.0 || !strings.Contains(told, "NOT APPROVED") {
		t.Errorf("%v %q", st, told)
	}
	if _, told, failed := r.call("complete_plan", map[string]any{"planId": id, "revision": 2, "summary": "done"}); !failed {
		t.Errorf("completed without an approval: %q", told)
	}
	r.answers <- gate.Outcome{Approved: true, Feedback: "> mind the gap\n"}
	st, told, _ = r.call("submit_plan", map[string]any{"markdown": "# 计划 2\n"})
	if st["status"] != "approved" || st["revision"] != 2.0 || !strings.Contains(told, "> mind the gap") {
		t.Errorf("%v %q", st, told)
	}
	if st, _, _ := r.call("plan_status", nil); st["status"] != "approved" {
		t.Errorf("%v", st)
	}
	for name, args := range map[string]map[string]any{
		"another revision": {"planId": id, "revision": 1, "summary": "done"},
		"no summary":       {"planId": id, "revision": 2, "summary": " "},
		"a long summary":   {"planId": id, "revision": 2, "summary": strings.Repeat("x", maxSummary+1)},
		"another plan":     {"planId": "../x", "revision": 2, "summary": "done"},
	} {
		if _, told, failed := r.call("complete_plan", args); !failed {
			t.Errorf("%s: %q", name, told)
		}
	}
	if st, told, _ := r.call("complete_plan", map[string]any{"planId": id, "revision": 2, "summary": "done", "verification": []string{"go test", " "}}); st["status"] != "completed" {
		t.Errorf("%v %q", st, told)
	}
	if st, _, _ := r.call("plan_status", nil); st["status"] != "completed" {
		t.Errorf("%v", st)
	}
	ds := decisionsOf(t, r.store, plan.ID(id.(string)))
	if last := ds[len(ds)-1]; len(ds) != 4 || last.Kind != plan.DecidedCompleted || last.Notes != "done\n- go test" || last.By != plan.ByAgent {
		t.Errorf("%+v", ds)
	}
	if r.progress.Load() == 0 {
		t.Error("no progress was told")
	}
}

func TestALateAnswerIsFetchedWithPlanStatus(t *testing.T) {
	r := start(t, newStore(t), "s")
	if st, _, _ := r.call("plan_status", nil); st["status"] != "none" {
		t.Errorf("%v", st)
	}
	pass := func() {
		for range Steps {
			r.ticks <- time.Time{}
		}
	}
	go pass()
	st, told, _ := r.call("submit_plan", map[string]any{"markdown": "# P\n"})
	if st["status"] != "pending" || !strings.Contains(told, "Call plan_status") || !strings.Contains(told, "Nothing is approved") {
		t.Errorf("%v %q", st, told)
	}
	if _, told, failed := r.call("submit_plan", map[string]any{"markdown": "# Q\n"}); !failed || !strings.Contains(told, "under review") {
		t.Errorf("another text meanwhile: %q", told)
	}
	go pass()
	if st, _, _ := r.call("submit_plan", map[string]any{"markdown": "# P"}); st["status"] != "pending" || len(r.shown) != 1 {
		t.Errorf("the same text meanwhile: %v, shown %d times", st, len(r.shown))
	}
	go pass()
	if st, _, _ := r.call("plan_status", nil); st["status"] != "pending" {
		t.Errorf("%v", st)
	}
	r.answers <- gate.Outcome{Approved: true}
	if st, _, _ := r.call("plan_status", map[string]any{"planId": st["planId"]}); st["status"] != "approved" {
		t.Errorf("%v", st)
	}
}

func TestWhatIsNoApprovalIsNoneForTheAgent(t *testing.T) {
	for name, c := range map[string]struct {
		answer any
		say    string
	}{
		"nobody can be asked":             {errors.New("no inbox is open"), "no inbox is open"},
		"the terminal was lost":           {waiter.Answer{Outcome: gate.Outcome{Exit: true}, Expired: true}, "lost its terminal"},
		"other bytes were shown":          {waiter.Answer{Text: target.Text{Markdown: []byte("# Q\n")}, Outcome: gate.Outcome{Approved: true}}, "could not be recorded"},
		"an answer that says nothing":     {gate.Outcome{}, "without saying which"},
		"approved and closed at one time": {gate.Outcome{Approved: true, Exit: true}, "closed the review"},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, newStore(t), "s")
			r.answers <- c.answer
			st, told, _ := r.call("submit_plan", map[string]any{"markdown": "# P\n"})
			if st["status"] == "approved" || !strings.HasPrefix(told, "YOUR PLAN WAS NOT APPROVED.") || !strings.Contains(told, c.say) {
				t.Errorf("%v %q", st, told)
			}
			if m, err := r.store.Manifest(plan.ID(st["planId"].(string))); err != nil || m.ApprovedRevision != 0 {
				t.Errorf("%v, approved r%d", err, m.ApprovedRevision)
			}
		})
	}
}

func TestAPlanOutlivesItsServerAndBelongsToMCP(t *testing.T) {
	st := newStore(t)
	first := start(t, st, "one")
	first.answers <- gate.Outcome{Feedback: "more"}
	one, _, _ := first.call("submit_plan", map[string]any{"markdown": "# A\n"})
	second := start(t, st, "two")
	second.answers <- gate.Outcome{Feedback: "more"}
	if again, told, _ := second.call("submit_plan", map[string]any{"markdown": "# B\n", "planId": one["planId"]}); again["planId"] != one["planId"] || again["revision"] != 2.0 {
		t.Errorf("%v %q", again, told)
	}
	second.answers <- gate.Outcome{Feedback: "more"}
	if other, told, _ := second.call("submit_plan", map[string]any{"markdown": "# C\n", "newPlan": true}); other["planId"] == one["planId"] || other["revision"] != 1.0 {
		t.Errorf("%v %q", other, told)
	}
	own, err := guest.Submit(st, guest.Agent{Harness: "claude", Session: "x", Cwd: "/w"}, "# Of a hook\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string]map[string]any{
		"a plan of another harness": {"markdown": "# D\n", "planId": string(own.Ref.Plan)},
		"no plan at all":            {"markdown": "# D\n", "planId": "../../etc"},
		"both a plan and a new one": {"markdown": "# D\n", "planId": one["planId"], "newPlan": true},
		"an empty plan":             {"markdown": " \n"},
	} {
		if _, told, failed := second.call("submit_plan", args); !failed {
			t.Errorf("%s: %q", name, told)
		}
	}
}

func TestAClientThatGoesAwayEndsItsReviewUndecided(t *testing.T) {
	r := &rig{t: t, store: newStore(t), answers: make(chan any), shown: make(chan Request, 1)}
	in, client := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(t.Context(), Options{Store: r.store, Agent: guest.Agent{Harness: Harness, Session: "s"}, Version: "1", Review: r.review}, in, discard{io.Discard})
	}()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"submit_plan","arguments":{"markdown":"# P\n"}}}`,
	} {
		if _, err := io.WriteString(client, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	q := <-r.shown
	client.Close()
	if err := <-ended; err != nil {
		t.Errorf("%v", err)
	}
	if ds := decisionsOf(t, r.store, q.Plan.Ref.Plan); len(ds) > 0 {
		t.Errorf("%+v", ds)
	}
}

type discard struct{ io.Writer }

// Close implements io.Closer.
func (discard) Close() error { return nil }
