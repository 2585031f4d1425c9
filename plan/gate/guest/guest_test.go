package guest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/gate/target"
	"planmode/plan/gate/waiter"
	"planmode/store"
)

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

func submit(t *testing.T, st *store.Store, a Agent, markdown string) Plan {
	t.Helper()
	p, err := Submit(st, a, markdown)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func answer(p Plan, o gate.Outcome) waiter.Answer {
	return waiter.Answer{Text: target.Text{Markdown: p.Text}, Outcome: o}
}

func TestASessionHasOnePlanUntilItIsDone(t *testing.T) {
	st := newStore(t)
	a := Agent{Harness: "claude", Session: "s1", Cwd: "/w"}
	one := submit(t, st, a, "# First\n\nbody\x1b[2J\r\n")
	if one.Title != "First" || string(one.Text) != "# First\n\nbody␛[2J\n" {
		t.Errorf("%q %q", one.Title, one.Text)
	}
	if err := Decide(st, a, one, "j1", answer(one, gate.Outcome{Feedback: "more"})); err != nil {
		t.Fatal(err)
	}
	two := submit(t, st, a, "# Another title\n")
	other := submit(t, st, Agent{Harness: "claude", Session: "s2", Cwd: "/w"}, "# Another title\n")
	if two.Ref.Plan != one.Ref.Plan || two.Ref.Revision != 2 || other.Ref.Plan == one.Ref.Plan {
		t.Errorf("%v %v %v", one.Ref, two.Ref, other.Ref)
	}
	if again := submit(t, st, a, "# Another title"); again.Ref != two.Ref {
		t.Errorf("the same text is %v", again.Ref)
	}
	draft, err := Find(st, a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Complete(st, a, draft, 2, ""); err == nil {
		t.Error("work without an approval was completed")
	}
	if err := Decide(st, a, two, "j2", answer(two, gate.Outcome{Approved: true})); err != nil {
		t.Fatal(err)
	}
	if err := Decide(st, a, two, "j2", answer(two, gate.Outcome{Exit: true})); !errors.Is(err, store.ErrDecided) {
		t.Errorf("a second decision of one review: %v", err)
	}
	approved, err := Find(st, a)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Complete(st, a, approved, 2, "done")
	if err != nil || m.WorkOf(2) != plan.Completed || m.ApprovedRevision != 2 {
		t.Errorf("%v %+v", err, m)
	}
	if next := submit(t, st, a, "# Next\n"); next.Ref.Plan == one.Ref.Plan {
		t.Error("a completed plan goes on")
	}
}

func TestAnApprovalIsOfTheBytesThatWereShown(t *testing.T) {
	st := newStore(t)
	a := Agent{Harness: "codex", Session: "s", Cwd: "/w"}
	p := submit(t, st, a, "# P\n")
	other := answer(p, gate.Outcome{Approved: true})
	other.Text.Markdown = []byte("# Q\n")
	if err := Decide(st, a, p, "j", other); err == nil || !strings.Contains(err.Error(), "saw") {
		t.Errorf("other bytes: %v", err)
	}
	if err := os.Chmod(st.RevisionPath(p.Ref), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(st.RevisionPath(p.Ref), []byte("# R\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Decide(st, a, p, "j", answer(p, gate.Outcome{Approved: true})); err == nil {
		t.Error("a changed file was approved")
	}
}

func TestTextsThatCannotBeKeptAreRefused(t *testing.T) {
	st := newStore(t)
	for name, markdown := range map[string]string{"empty": " \n", "too long": strings.Repeat("x", plan.MaxPlanBytes+1)} {
		if p, err := Submit(st, Agent{Harness: "claude", Session: "s"}, markdown); err == nil {
			t.Errorf("%s: %v", name, p.Ref)
		}
	}
	if _, err := Find(st, Agent{Harness: "claude", Session: "s"}); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
}
