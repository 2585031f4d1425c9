package session

import (
	"context"
	"strings"
	"testing"

	"planmode/plan/agent"
)

// inRepository is a rig with open work on a plan that names a.go, in a repository
// with two branches.
func inRepository(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	runGit(t, r.dir, "init", "-q", "-b", "main")
	put(t, r.dir, "a.go", "1")
	runGit(t, r.dir, "add", "-A")
	runGit(t, r.dir, "commit", "-qm", "one")
	runGit(t, r.dir, "checkout", "-q", "--orphan", "other")
	runGit(t, r.dir, "commit", "-qm", "two")
	runGit(t, r.dir, "checkout", "-q", "main")
	r.plan("on")
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowApprove) })
	r.agent.then(submitting("", "Login", planText("the login in `a.go`")))
	r.say("plan the login")
	return r
}

// doing is a turn that does something to the work tree.
func doing(do func()) func(context.Context, agent.Turn, agent.Host) error {
	return func(context.Context, agent.Turn, agent.Host) error { do(); return nil }
}

// staleNow is what the person is warned of once every look is over.
func (r *rig) staleNow() string {
	r.Look()
	r.fresh.looking.Lock()
	defer r.fresh.looking.Unlock()
	r.look(context.Background(), reachTime, false)
	return strings.Join(r.View().Stale, "\n")
}

func TestWhatTurnsChangeIsNoReasonToWarn(t *testing.T) {
	r := inRepository(t)
	r.agent.then(doing(func() {
		put(t, r.dir, "a.go", "2")
		runGit(t, r.dir, "commit", "-qam", "work")
	}))
	r.say("go on")
	if got := r.staleNow(); got != "" {
		t.Errorf("warned of %q", got)
	}
}

func TestWhatHappensBetweenTurnsIsWarnedOf(t *testing.T) {
	r := inRepository(t)
	if got := r.View().Branch; got != "main" {
		t.Errorf("branch %q", got)
	}
	r.agent.then(doing(func() { put(t, r.dir, "a.go", "2") }))
	r.say("go on")

	runGit(t, r.dir, "checkout", "-q", "-f", "other")
	var during string
	r.agent.then(doing(func() { during = strings.Join(r.View().Stale, "\n") }))
	r.say("go on")
	if !strings.Contains(during, "where the plan was approved") {
		t.Errorf("the turn began with %q", during)
	}
	if got := r.staleNow(); !strings.Contains(got, "where the plan was approved") {
		t.Errorf("after the turn: %q", got)
	}
	if got := r.View().Branch; got != "other" {
		t.Errorf("branch %q", got)
	}
}

func TestAWarningGoesWhenItsReasonDoes(t *testing.T) {
	r := inRepository(t)
	r.agent.then(doing(func() {
		put(t, r.dir, "a.go", "2")
		runGit(t, r.dir, "commit", "-qam", "work")
	}))
	r.say("go on")
	runGit(t, r.dir, "checkout", "-q", "-f", "other")
	put(t, r.dir, "a.go", "3")
	if got := r.staleNow(); !strings.Contains(got, "where the plan was approved") || !strings.Contains(got, "a.go") {
		t.Errorf("got %q", got)
	}
	runGit(t, r.dir, "checkout", "-q", "-f", "main")
	if got := r.staleNow(); got != "" {
		t.Errorf("still warned of %q", got)
	}
}

func TestAnAgentThatSwitchesTheBranchIsSeen(t *testing.T) {
	r := inRepository(t)
	r.agent.then(doing(func() { runGit(t, r.dir, "checkout", "-q", "-f", "other") }))
	r.say("go on")
	if got := r.staleNow(); !strings.Contains(got, "where the plan was approved") {
		t.Errorf("got %q", got)
	}
	r.agent.then(doing(func() { runGit(t, r.dir, "checkout", "-q", "-f", "main") }))
	r.say("go back")
	if got := r.staleNow(); got != "" {
		t.Errorf("still warned of %q", got)
	}
}
