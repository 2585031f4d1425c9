//go:build unix

package main_test

import (
	"strings"
	"syscall"
	"testing"
)

// completed approves what is on the card and lets the demo agent act it out.
func (r *run) completed() {
	r.t.Helper()
	r.end()
	r.Press("a")
	r.armed("Create ", "Allow once")
	r.Press("s")
	r.WaitFor("PLAN COMPLETED")
	r.rested("PLAN COMPLETED")
}

// rested waits until nothing runs and something is said.
func (r *run) rested(said string) {
	r.t.Helper()
	r.Until("the end of a turn that says "+said, func(screen string) bool {
		return strings.Contains(screen, said) && hasLine(screen, ">") && !strings.Contains(screen, "interrupts")
	})
}

// goTo opens the tree, shows the plan events alone and goes to one of them, the
// first being 0.
func (r *run) goTo(event int) {
	r.t.Helper()
	r.say("/tree")
	r.WaitFor("Tree: messages and plans")
	r.Press("tab")
	r.WaitFor("Tree: plan events")
	r.Press("g")
	for range event {
		r.Press("down")
	}
	r.Press("enter")
	r.WaitFor("You went to another point")
}

func TestTwoBranchesOfAPlanAreEachCompleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.completed()
	w.decided("r1 approved, r1 completed")

	r.goTo(1) // plan r1
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.WaitFor("DRAFT · r1")
	r.say("Make it work for guests")
	r.WaitFor("r1 → r2")
	r.reviewing()
	r.completed()
	w.decided("r1 approved, r1 completed, r2 approved, r2 completed")
	r.WaitFor("COMPLETED · r2")

	r.goTo(2) // its approval, before it was completed
	r.WaitFor("IMPLEMENTING · r1")
	r.say("/plan complete")
	r.armed("Mark ", "Mark completed")
	r.Press("y")
	r.WaitFor("COMPLETED · r1")
	w.decided("r1 approved, r1 completed, r2 approved, r2 completed, r1 completed")
	r.quit()

	r = w.start("--continue")
	r.WaitFor("COMPLETED · r1")
	r.quit()
}

func TestAPersonsMessageComesBackFromTheTree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.say("第一个问题 hello")
	r.rested("无法自由回答")
	r.say("/tree")
	r.WaitFor("Tree: messages and plans")
	r.Press("/")
	r.Type("hello")
	r.WaitFor("with \"hello\"")
	r.Press("enter")
	r.Press("g", "enter")
	r.WaitFor("> 第一个问题 hello")
	r.WaitFor("You went to another point")
	w.holds("home/data/drafts/*.txt", "第一个问题 hello") // what is typed is saved a moment later
	if err := syscall.Kill(r.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = r.Wait()
	r = w.start("--continue")
	r.WaitFor("You went to another point")
	r.WaitFor("> 第一个问题 hello")
	if s := r.Screen(); strings.Contains(s, "批准、实施") {
		t.Errorf("the branch that was left is shown:\n%s", s)
	}
	r.Press("ctrl+c")
	r.quit()
}

func TestAForkIsCompletedAndTheFirstSessionStaysAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.end()
	r.Press("k")
	r.WaitGone("Decide on the plan")
	r.say("/fork")
	r.WaitFor("This session goes on from session")
	r.WaitFor("DRAFT · r1")
	r.say("/plan review")
	r.reviewing()
	r.completed()
	w.decided("r1 kept, r1 approved, r1 completed")
	left := r.quit()
	m := w.manifest()
	if len(m.Sessions) != 2 || m.Decisions[0].Session != m.Sessions[0] || m.Decisions[2].Session != m.Sessions[1] {
		t.Errorf("sessions %v, decisions %+v", m.Sessions, m.Decisions)
	}
	if !strings.Contains(left, "--resume "+m.Sessions[1]) {
		t.Errorf("what stays names another session than %s:\n%s", m.Sessions[1], left)
	}
	r = w.start("--resume", m.Sessions[0])
	r.WaitFor("DRAFT · r1")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.quit()
}

func TestASessionOfAnotherProcessIsForked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	second := w.open("--continue")
	second.armed("This session is open in another planmode", "Go on in a fork")
	second.Press("2", "enter")
	second.WaitFor("This session goes on from session")
	second.WaitFor("DRAFT · r1")
	second.WaitGone("read-only session")
	second.quit()
	r.completed()
	r.quit()
	if m := w.manifest(); len(m.Sessions) != 2 {
		t.Errorf("sessions %v", m.Sessions)
	}
}

func TestSessionsAreChangedWithoutLeaving(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.say("The first conversation")
	r.rested("and read one (")
	r.say("/new")
	r.WaitGone("The first conversation")
	r.WaitFor("Say what you want done.")
	r.Type("half a thought")
	r.WaitFor("half a thought")
	r.Press("ctrl+c")
	r.say("The second conversation")
	r.rested("and read one (")
	r.say("/resume")
	r.WaitFor("Resume a session of this directory")
	r.WaitFor("trunk")
	r.Press("tab")
	r.WaitFor("Tab lists those of this directory")
	r.Type("first")
	r.WaitFor("(1 of 1)")
	r.Press("enter")
	r.WaitGone("The second conversation")
	r.WaitFor("> The first conversation")
	r.quit()
}

func TestNothingIsKeptOfBranchesWithoutASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start("--no-session")
	r.plan("Add a shopping cart")
	r.end()
	r.Press("k")
	r.WaitGone("Decide on the plan")
	r.say("/fork")
	r.WaitFor("This session goes on from session")
	r.say("/plan review")
	r.reviewing()
	r.completed()
	r.goTo(1)
	r.WaitFor("DRAFT · r1")
	r.quit()
	if m := w.manifests(); len(m) != 0 {
		t.Errorf("%d plans are left", len(m))
	}
}
