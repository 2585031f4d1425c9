package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan/agent"
	"planmode/plan/tree"
)

func TestThePersonsOwnCommandRunsAlsoWhilePlanning(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	if err := r.Shell("echo hello; touch made"); err != nil {
		t.Fatal(err)
	}
	settle(t, r.Session)
	items := r.Items(0)
	sh, err := tree.Decode[Shell](items[len(items)-1])
	if err != nil || !strings.Contains(sh.Text, "hello") || sh.Error {
		t.Fatalf("recorded %+v, %v", sh, err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "made")); err != nil {
		t.Error(err)
	}
	r.say("what was that?")
	told := r.agent.told()
	if m := told[len(told)-1].Messages[1]; m.Role != agent.RoleUser || !strings.Contains(m.Text, "hello") {
		t.Errorf("the agent was told %+v", m)
	}
	if !r.View().State.IsPlanning() {
		t.Error("the command changed the mode")
	}
}

func TestACommandOfThePersonWaitsForNoTurnAndCanBeInterrupted(t *testing.T) {
	r := newRig(t)
	gate := make(chan struct{})
	r.agent.then(func(context.Context, agent.Turn, agent.Host) error { <-gate; return nil })
	if err := r.Send("work"); err != nil {
		t.Fatal(err)
	}
	if err := r.Shell("true"); !errors.Is(err, ErrBusy) {
		t.Errorf("while a turn runs: %v", err)
	}
	close(gate)
	settle(t, r.Session)
	if err := r.Shell("sleep 600"); err != nil {
		t.Fatal(err)
	}
	r.Interrupt()
	settle(t, r.Session)
	items := r.Items(0)
	if sh, _ := tree.Decode[Shell](items[len(items)-1]); !sh.Error {
		t.Errorf("recorded %+v", sh)
	}
}
