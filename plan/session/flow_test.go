package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/document"
	"planmode/plan/git"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/record"
	"planmode/store"
)

// rig is a session over a real store, with a scripted agent and desk.
type rig struct {
	t     *testing.T
	dirs  store.Dirs
	dir   string
	store *store.Store
	agent *scriptAgent
	desk  *scriptDesk
	clock *clock
	ids   *counter
	fuse  *fuse
	seen  *recorder
	// configure changes the options of every session that is opened; nil for none.
	configure func(*Options)
	*Session
}

func newRig(t *testing.T) *rig {
	t.Helper()
	base := t.TempDir()
	r := &rig{
		t:    t,
		dirs: store.Dirs{Config: filepath.Join(base, "config"), Data: filepath.Join(base, "data"), State: filepath.Join(base, "state"), Run: filepath.Join(base, "run")},
		dir:  t.TempDir(), agent: &scriptAgent{}, desk: &scriptDesk{},
		clock: &clock{now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}, ids: &counter{}, fuse: &fuse{}, seen: &recorder{},
	}
	r.openStore()
	log, err := r.store.CreateLog(tree.Header{Cwd: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	r.open(log, false)
	return r
}

func (r *rig) openStore() {
	r.t.Helper()
	st, err := store.Open(r.dirs, store.Options{Now: r.clock.Now, Random: r.ids, Probe: r.fuse.Probe})
	if err != nil {
		r.t.Fatal(err)
	}
	r.store = st
	r.t.Cleanup(func() { _ = st.Close() })
}

func (r *rig) open(log *store.Log, resumed bool) {
	r.t.Helper()
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	o := Options{
		Store: r.store, Log: log, Session: log.Header().Session, Resumed: resumed, Config: store.DefaultConfig(),
		Agent: r.agent, Desk: r.desk, Observer: r.seen, Dir: r.dir, Temp: r.t.TempDir(), Env: os.Environ(),
		Finder: revdiff.FindOptions{Choice: revdiff.ChooseBuiltin, Getenv: func(string) string { return "" }, Self: self},
		Repo:   git.Open(r.dir), Now: r.clock.Now, Random: r.ids,
	}
	if r.configure != nil {
		r.configure(&o)
	}
	s := New(o)
	r.Session = s
	r.t.Cleanup(func() { _ = s.Close() })
}

// resume closes the session and opens it again, as another process would.
func (r *rig) resume() {
	r.t.Helper()
	id := r.opt.Session
	if err := r.Close(); err != nil {
		r.t.Fatal(err)
	}
	_ = r.store.Close()
	r.openStore()
	log, err := r.store.OpenLog(id)
	if err != nil {
		r.t.Fatal(err)
	}
	r.open(log, true)
}

func (r *rig) plan(arg string) {
	r.t.Helper()
	if err := r.Plan(context.Background(), arg); err != nil {
		r.t.Fatalf("/plan %s: %v", arg, err)
	}
	settle(r.t, r.Session)
}

func (r *rig) say(text string) {
	r.t.Helper()
	if err := r.Send(text); err != nil {
		r.t.Fatal(err)
	}
	settle(r.t, r.Session)
}

// notices joins everything planmode said.
func (r *rig) notices() string {
	var b strings.Builder
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindNotice {
			n, _ := tree.Decode[tree.Notice](e)
			fmt.Fprintln(&b, n.Text)
		}
	}
	return b.String()
}

// results are the details of the managed tools' results, oldest first.
func (r *rig) results() []tool.PlanDetails {
	var out []tool.PlanDetails
	for _, m := range messages(r.Items(0), blind) {
		for _, res := range m.Results {
			out = append(out, detailsOf(res))
		}
	}
	return out
}

func (r *rig) lastResult() tool.PlanDetails {
	r.t.Helper()
	all := r.results()
	if len(all) == 0 {
		r.t.Fatal("no tool was called")
	}
	return all[len(all)-1]
}

// planText is a whole plan that says what.
func planText(what string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", what)
	for _, name := range document.Names("en") {
		fmt.Fprintf(&b, "\n## %s\n\n", name)
		if name == "Execution steps" {
			fmt.Fprintf(&b, "1. Begin with %s\n2. Test %s\n", what, what)
			continue
		}
		fmt.Fprintf(&b, "About %s.\n", what)
	}
	return b.String()
}

// noting is a review that ends with one note on a line.
func noting(line int, body string) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
	return func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		raw := record.Format([]record.Record{{Path: j.Copy, Line: line, Type: record.Context, Body: body}})
		if err := os.WriteFile(j.Output, raw, 0o600); err != nil {
			return revdiff.Exit{}, err
		}
		return revdiff.Exit{Started: true, Code: 10}, nil
	}
}

func clean(context.Context, *revdiff.Job) (revdiff.Exit, error) {
	return revdiff.Exit{Started: true}, nil
}

// submitted brings a rig to an attached draft r1 whose review was cancelled.
func submitted(t *testing.T) (*rig, plan.Ref) {
	t.Helper()
	r := newRig(t)
	r.plan("on")
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	st := r.View().State
	if st.Planning == nil || st.Review != nil || !st.IsPlanning() {
		t.Fatalf("no draft under planning: %+v", st)
	}
	return r, *st.Planning
}

// approved brings a rig to open work on r1.
func approved(t *testing.T) (*rig, plan.Ref) {
	t.Helper()
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowApprove) })
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	st := r.View().State
	if st.OpenWork() == nil || st.IsPlanning() {
		t.Fatalf("not implementing: %+v\n%s", st, r.notices())
	}
	return r, st.Work.Ref
}

func TestMainFlow(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.agent.then(submitting("", "Login", planText("login")))
	r.desk.set(func(d *scriptDesk) { d.review = noting(3, "say which login") })
	var id plan.ID
	r.agent.turns[0] = func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		first, stop, err := call(ctx, h, "submit_plan", tool.SubmitArgs{Title: "Login", Markdown: planText("login")})
		if err != nil || stop {
			return fmt.Errorf("after the notes: stop %v, %w", stop, err)
		}
		id = detailsOf(first).Plan
		r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, row(RowApprove) })
		_, _, err = call(ctx, h, "submit_plan", tool.SubmitArgs{PlanID: string(id), Title: "Login", Markdown: planText("OAuth login")})
		return err
	}
	var handoff agent.Turn
	r.agent.then(func(ctx context.Context, turn agent.Turn, h agent.Host) error {
		handoff = turn
		_, _, err := call(ctx, h, "complete_plan", tool.CompleteArgs{PlanID: string(id), Revision: 2, Summary: "built", Verification: []string{"tests"}})
		return err
	})
	r.say("plan the login")

	st := r.View().State
	if st.Work == nil || st.Work.Status != plan.Completed || st.Work.Ref.Revision != 2 || st.IsPlanning() || st.Planning != nil {
		t.Fatalf("state is %+v\n%s", st, r.notices())
	}
	kinds := []tool.DetailKind{}
	for _, d := range r.results() {
		kinds = append(kinds, d.Kind)
	}
	if fmt.Sprint(kinds) != "[changes_requested approved completed]" {
		t.Errorf("results are %v", kinds)
	}
	first := r.results()[0]
	if len(first.Annotations) != 1 || first.Annotations[0].Quote == "" || first.Annotations[0].Body != "say which login" {
		t.Errorf("annotations are %+v", first.Annotations)
	}
	last := handoff.Messages[len(handoff.Messages)-1]
	if last.Role != agent.RoleHandoff || !strings.Contains(last.Text, planText("OAuth login")) || *last.Plan != st.Work.Ref {
		t.Errorf("the turn after the approval begins with %+v", last)
	}
	if handoff.Mode != plan.ModeNormal {
		t.Errorf("the turn after the approval is in mode %q", handoff.Mode)
	}
	m, err := r.store.Manifest(id)
	if err != nil || m.Verify() != nil {
		t.Fatalf("manifest: %v %v", err, m.Verify())
	}
	if a := m.Approval(2); a == nil || a.By != plan.ByUser || a.Hash != st.Work.Ref.Hash || a.Session != r.opt.Session {
		t.Errorf("the approval on record is %+v", a)
	}
	if c := r.desk.shown(); len(c) != 1 || !strings.Contains(c[0].Compared, "r1 → r2") || c[0].Start != RowKeep {
		t.Errorf("cards were %+v", c)
	}
}

func TestWhatIsApprovedIsWhatWasShownStoredAndHashed(t *testing.T) {
	r, ref := approved(t)
	text, err := r.store.Revision(ref)
	if err != nil {
		t.Fatal(err)
	}
	if plan.HashOf(text) != ref.Hash || string(text) != planText("login") {
		t.Errorf("bytes on disk differ from the approved ones")
	}
	if h := r.agent.told()[1].Messages; !strings.Contains(h[len(h)-1].Text, string(text)) {
		t.Errorf("the agent was handed other bytes")
	}
}

func TestPlanningRunsNoMutatingTool(t *testing.T) {
	target := filepath.Join(t.TempDir(), "file")
	calls := map[string]any{
		"bash":          map[string]any{"command": "touch " + target},
		"write":         map[string]any{"path": target, "content": "x"},
		"edit":          map[string]any{"path": target, "old": "a", "new": "b"},
		"complete_plan": tool.CompleteArgs{PlanID: "x", Revision: 1, Summary: "s", Verification: []string{"v"}},
		"update_plan":   map[string]any{},
		"mcp__fs__rm":   map[string]any{"path": target},
	}
	for name, args := range calls {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.desk.set(func(d *scriptDesk) {
				d.permit = func(context.Context, Permit) (Grant, error) { return Grant{Answer: GrantSession}, nil }
			})
			r.plan("on")
			var got tool.Result
			r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) (err error) {
				got, _, err = call(ctx, h, name, args)
				return err
			})
			r.say("do it anyway")
			if !got.Error {
				t.Errorf("it ran: %+v", got)
			}
			if _, err := os.Lstat(target); err == nil {
				t.Errorf("%s exists", target)
			}
			if n := len(r.desk.permits); n != 0 {
				t.Errorf("the person was asked %d times about a call that may not run", n)
			}
		})
	}
}

func TestASubmissionThatIsNotAloneRunsNothing(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	var got []tool.Result
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) (err error) {
		got, _, err = h.Batch(ctx, []tool.Call{
			{ID: "1", Name: "submit_plan", Args: tool.Marshal(tool.SubmitArgs{Title: "T", Markdown: planText("x")})},
			{ID: "2", Name: "ls", Args: tool.Marshal(map[string]string{})},
		})
		return err
	})
	r.say("go")
	if len(got) != 2 || !got[0].Error || !got[1].Error {
		t.Errorf("results: %+v", got)
	}
	if infos, _ := r.store.Plans(); len(infos) != 0 {
		t.Errorf("a plan was saved: %+v", infos)
	}
}

func TestThreeRefusedSubmissionsEndTheTurn(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	tries := 0
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		for range 10 {
			tries++
			if _, stop, err := call(ctx, h, "submit_plan", tool.SubmitArgs{Title: "T", Markdown: "# nothing\n"}); stop || err != nil {
				return err
			}
		}
		return nil
	})
	r.say("go")
	if tries != 3 || !strings.Contains(r.notices(), "refused 3 times") || !r.View().State.IsPlanning() {
		t.Errorf("%d tries; %s", tries, r.notices())
	}
}

func TestIdenticalBytesMakeNoRevisionAndNoReview(t *testing.T) {
	r, ref := submitted(t)
	cards := len(r.desk.shown())
	r.agent.then(submitting(ref.Plan, "Login", planText("login")))
	r.say("again")
	if d := r.lastResult(); d.Kind != tool.DetailUnchanged {
		t.Errorf("result is %+v", d)
	}
	if m, _ := r.store.Manifest(ref.Plan); m.CurrentRevision != 1 || len(r.desk.shown()) != cards {
		t.Errorf("revision %d, %d cards", m.CurrentRevision, len(r.desk.shown()))
	}
}
