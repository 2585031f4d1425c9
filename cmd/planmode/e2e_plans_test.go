//go:build unix

package main_test

import (
	"strings"
	"syscall"
	"testing"
)

// A person approves a plan, stops, and comes back a week later on another branch
// of the repository, in a new session.
func TestAPlanGoesOnOnAnotherBranchAWeekLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.end()
	r.Press("a")
	r.armed("Create ", "Allow once")
	w.decided("r1 approved")
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.ended(143)

	w.git("checkout", "-q", "-b", "feature")
	w.write("main.go", "package main\n\n// Later.\nfunc main() {}\n")
	w.git("add", "-A")
	w.git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-qm", "Go on")

	r = w.start()
	r.say("/plans")
	r.WaitFor("Plans (1 of 1)")
	r.WaitFor("Add a shopping cart")
	r.Press("enter")
	r.WaitFor("HEAD moved on since the approval")
	r.Press("h")
	r.armed("Continue \"Add a shopping cart\" here?", "Continue here")
	r.Press("y")
	r.WaitFor("PLAN ADOPTED")
	r.WaitFor("IMPLEMENTING · r1")
	r.WaitFor("HEAD moved on")
	if m := w.manifest(); len(m.Sessions) != 2 {
		t.Errorf("the record has the sessions %v", m.Sessions)
	}
	r.say("Go on.")
	r.armed("Create ", "Allow once")
	r.Press("s")
	r.WaitFor("COMPLETED")
	w.decided("r1 approved, r1 completed")
	r.quit()

	m := w.manifest()
	if d := m.Decisions[1]; d.Touched == nil || strings.Join(d.Touched.Files, " ") != "main.go" || d.Session == m.Decisions[0].Session {
		t.Errorf("the completion is %+v, changed are %+v", d, d.Touched)
	}
	out, err := w.command("plans", "show", string(m.PlanID)).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "files changed") || !strings.Contains(string(out), "completed") {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := w.command("plans", "verify", "--all").CombinedOutput(); err != nil {
		t.Errorf("%s, %v", out, err)
	}
}

// Before the work is completed the person looks at what changed, and comments on
// it: the agent is told, with the file and the line.
func TestTheResultIsSeenInTheReviewerAndCommentedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.end()
	r.Press("a")
	r.armed("Create ", "Allow once")
	w.decided("r1 approved")
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.ended(143)
	w.write("README.md", "# Shop\n\nA small shop that sells books and 书.\n")
	w.write("cart.go", "package main\n")

	r = w.start("--continue")
	r.WaitFor("IMPLEMENTING · r1")
	r.say("/diff")
	r.reviewing()
	r.WaitFor("cart.go (new)")
	r.WaitFor("books and 书.")
	r.Press("i")
	r.WaitFor("1. Read README.md")
	r.Press("esc")
	r.WaitGone("Esc back")
	r.Press("]", "j")
	r.note("which one?")
	r.Press("q")
	r.WaitFor("I looked at what changed since")
	r.WaitFor("README.md:3")
	r.WaitFor("which one?")
	w.decided("r1 approved")
	r.quit()
}
