//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheWholeFlow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.WaitFor("DEMO agent")
	r.plan("Add a shopping cart")
	r.WaitFor("plan-r1.md")
	r.WaitFor("The person asked")
	r.Press("j", "j")
	r.note("why this?")
	r.Press("q")

	r.WaitFor("r1 → r2")
	r.reviewing()
	r.WaitFor("Answer to “why this?”")
	r.end()
	r.WaitFor("No annotations were recorded.")
	r.WaitFor("r1 → r2: 3 lines added, 0 removed")
	w.decided("r1 changes_requested")
	r.Press("a")

	r.armed("Create ", "Allow once")
	w.decided("r1 changes_requested, r2 approved")
	r.WaitFor("Outside the working directory")
	r.Press("s")
	r.WaitFor("COMPLETED")
	w.decided("r1 changes_requested, r2 approved, r2 completed")
	m := w.manifest()
	if a := m.Approval(2); a == nil || a.Hash != m.Revisions[1].Hash || a.By != "user" || a.Reviewer != "built-in reviewer" {
		t.Errorf("the approval is %+v", a)
	}
	left := r.quit()
	for _, want := range []string{"Plan: Add a shopping cart - r2 - ", "Resume with: planmode --resume "} {
		if !strings.Contains(left, want) {
			t.Errorf("no %q in what stays on the screen:\n%s", want, left)
		}
	}
	untouched(t, w)

	r = w.start("--continue")
	r.WaitFor("COMPLETED")
	r.Press("pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
	r.WaitFor("Add a shopping cart")
	r.quit()
}

// untouched checks that the demo agent changed nothing in the project, and did
// its work below the temporary directory.
func untouched(t *testing.T, w *world) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(w.dir, "[^.]*"))
	if err != nil || len(names) != 3 {
		t.Errorf("the project holds %v, %v", names, err)
	}
	steps, err := filepath.Glob(filepath.Join(w.base, "tmp", "planmode-demo-*", "*"))
	if err != nil || len(steps) == 0 {
		t.Errorf("nothing was acted out: %v, %v", steps, err)
	}
	if raw, err := os.ReadFile(filepath.Join(w.dir, "main.go")); err != nil || !strings.HasSuffix(string(raw), "func main() {}\n") {
		t.Errorf("main.go is %q, %v", raw, err)
	}
}

func TestTheFlowInChinese(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start("--plan")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("给商店加上购物车功能")
	r.reviewing()
	r.WaitFor("目标")
	r.Press("j", "j")
	r.note("为什么先做这个？")
	r.Press("q")
	r.WaitFor("r1 → r2")
	r.reviewing()
	r.WaitFor("为什么先做这个？")
	r.end()
	r.Press("n")
	r.Type("请多写测试")
	r.WaitFor("请多写测试")
	r.Press("enter")
	r.armed("Create ", "Allow once")
	w.decided("r1 changes_requested, r2 approved")
	m := w.manifest()
	if m.Revisions[1].Language != "zh-CN" || m.Decisions[1].Notes != "请多写测试" {
		t.Errorf("language %q, notes %q", m.Revisions[1].Language, m.Decisions[1].Notes)
	}
	r.Press("s")
	r.WaitFor("COMPLETED")
	r.quit()
	untouched(t, w)
}

func TestTheOtherRowsOfTheCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.end()
	r.Press("k")
	r.WaitGone("Decide on the plan")
	r.WaitFor("PLAN MODE · READ-ONLY")

	r.say("/plan review")
	r.reviewing()
	r.end()
	r.Press("esc")
	r.WaitGone("Decide on the plan")
	r.WaitFor("PLAN MODE · READ-ONLY")

	r.say("/plan review")
	r.reviewing()
	r.end()
	r.Press("c")
	r.Type("Mention the prices.")
	r.WaitFor("Mention the prices.")
	r.Press("enter")
	r.WaitFor("r1 → r2")
	r.reviewing()
	r.Press("]")
	r.WaitFor("Mention the prices.")
	r.end()
	w.decided("r1 kept, r1 cancelled, r1 changes_requested")
	r.Press("l")
	r.WaitFor("Plan Mode is off.")
	r.WaitGone("READ-ONLY")
	w.decided("r1 kept, r1 cancelled, r1 changes_requested, r2 left")

	r.say("/plan on")
	r.armed("A draft is attached", "Continue the draft")
	r.Press("1", "enter")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("/plan review")
	r.reviewing()
	r.end()
	r.Press("1", "enter")
	r.WaitFor("Allow once")
	w.decided("r1 kept, r1 cancelled, r1 changes_requested, r2 left, r2 approved")
	r.armed("Create ", "Allow once")
	r.Press("esc")
	r.WaitGone("Allow once")
	r.quit()
}

func TestOpenWorkIsAskedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.end()
	r.Press("a")
	r.armed("Create ", "Allow once")
	r.Press("n")
	r.WaitGone("Allow once")
	r.WaitFor("IMPLEMENTING · r1")

	r.say("/plan on")
	r.armed("Current Plan is IMPLEMENTING", "Cancel")
	r.Press("4", "enter")
	r.WaitFor("Plan Mode stays off; nothing was changed.")

	r.Press("shift+tab")
	r.armed("Current Plan is IMPLEMENTING", "Revise the current Plan")
	r.Press("1", "enter")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("/plan off")
	r.WaitGone("READ-ONLY")
	w.decided("r1 approved")

	r.say("/plan on")
	r.armed("Current Plan is IMPLEMENTING", "Abandon and start a new Plan")
	r.Press("3", "enter")
	r.WaitFor("PLAN MODE · READ-ONLY")
	w.decided("r1 approved, r1 abandoned")
	r.quit()
}

func TestADraftIsDiscarded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.end()
	r.Press("k")
	r.WaitGone("Decide on the plan")
	r.say("/plan discard")
	r.armed("Discard the draft", "Keep it")
	r.Press("enter")
	r.WaitGone("Discard the draft")
	w.decided("r1 kept")
	r.say("/plan discard")
	r.armed("Discard the draft", "Keep it")
	r.Press("up", "enter")
	r.WaitFor("is discarded; its files are kept")
	w.decided("r1 kept, r1 discarded")
	r.quit()
	files, err := filepath.Glob(filepath.Join(w.home, "data", "plans", "*", "revisions", "r1.md"))
	if err != nil || len(files) != 1 {
		t.Errorf("revisions left: %v, %v", files, err)
	}
}

func TestPlanningIsTurnedOffInTheMiddleOfATurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart")
	r.WaitFor("read ")
	r.say("/plan off")
	r.WaitGone("READ-ONLY")
	before := len(w.manifests()) // on a busy machine the turn may have been faster
	r.say("hello")
	r.WaitFor("DEMO agent: ")
	if n := len(w.manifests()) - before; n > 0 {
		t.Errorf("%d plans were submitted after Plan Mode was off", n)
	}
	r.quit()
}

func TestAPlanIsAdoptedByANewSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.end()
	r.Press("a")
	r.armed("Create ", "Allow once")
	r.Press("esc")
	r.WaitGone("Allow once")
	r.quit()
	id := string(w.manifest().PlanID)

	r = w.open("--adopt", id)
	r.WaitFor("IMPLEMENTING · r1")
	if sessions := w.manifest().Sessions; len(sessions) != 2 {
		t.Errorf("the plan belongs to %v", sessions)
	}
	r.say("continue")
	r.armed("Create ", "Allow once")
	r.Press("s")
	r.WaitFor("COMPLETED")
	w.decided("r1 approved, r1 completed")
	r.quit()
}

func TestNothingIsLeftOfATemporarySession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start("--no-session")
	r.plan("Add a shopping cart")
	r.Press("j", "j")
	r.note("why this?")
	r.Press("q")
	r.WaitFor("r1 → r2")
	r.reviewing()
	r.end()
	r.Press("k")
	r.WaitGone("Decide on the plan")
	if left := r.quit(); strings.Contains(left, "--resume") {
		t.Errorf("a session that is gone can be resumed:\n%s", left)
	}
	for _, dir := range []string{w.home, filepath.Join(w.base, "tmp"), filepath.Join(w.base, "user")} {
		_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				t.Errorf("%s is left", path)
			}
			return nil
		})
	}
}

func TestWithoutATerminalNothingIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, args := range [][]string{nil, {"--plan"}, {"--continue"}, {"--resume"}, {"--no-session"}} {
		cmd := w.command(args...)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 2 || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: exit code %d, stdout %q, stderr %q", args, code, &stdout, &stderr)
		}
	}
	if _, err := os.Stat(w.home); !os.IsNotExist(err) {
		t.Errorf("%s is there (%v)", w.home, err)
	}
}

func TestADumbTerminalIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env = append(w.env, "TERM=dumb")
	r := w.open()
	r.WaitFor("planmode: needs a terminal")
	r.ended(2)
	if _, err := os.Stat(w.home); !os.IsNotExist(err) {
		t.Errorf("%s is there (%v)", w.home, err)
	}
}
