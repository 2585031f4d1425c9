//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestWhatIsSaidSurvivesAKilledReviewer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.Press("j", "j")
	r.note("why this?")
	r.Press("j", "j", "V", "j", "2")
	r.WaitFor("Note on lines")
	r.WaitFor("[blocker]")
	r.Type("too vague 太模糊")
	r.WaitFor("太模糊")
	r.Press("enter")
	r.WaitFor("2 notes")
	r.Press("G", "c")
	r.WaitFor("Suggested text for line")
	r.Type(" and half a thought")
	r.WaitFor("half a thought")
	w.holds("home/data/plans/*/.review/*/history/autosave*.json", "half a thought")
	r.signalReviewer(syscall.SIGKILL)
	r.armed("Decide on the plan", "Keep planning")
	r.WaitFor("The reviewer was interrupted")
	r.WaitFor("2 pending notes")
	r.Press("k")
	r.WaitGone("Decide on the plan")
	w.decided("r1 kept")

	r.say("/plan review")
	r.reviewing()
	r.WaitFor("3 notes of an unfinished review taken up again")
	r.WaitFor("half-typed suggestion")
	r.Press("c")
	r.WaitFor("half a thought")
	r.Press("enter")
	r.WaitFor("3 notes")
	r.Press("g", "q")

	r.WaitFor("r1 → r2")
	r.reviewing()
	r.WaitFor("earlier")
	r.Press("P")
	r.WaitFor("Notes of earlier rounds")
	r.WaitFor("[blocker]: too vague")
	r.Press("esc")
	r.WaitGone("Notes of earlier rounds")
	r.end()
	r.Press("k")
	r.WaitGone("Decide on the plan")
	w.decided("r1 kept, r1 changes_requested, r2 kept")
	r.quit()
}

func TestAnEditBecomesARevisionOfThePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script := filepath.Join(w.base, "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '\\nWritten by me.\\n' >> \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "EDITOR="+script)
	r := w.start()
	r.plan("Add a shopping cart")
	r.Press("e")
	r.WaitFor("r1 → your edit")
	r.WaitFor("q makes it r2")
	r.signalReviewer(syscall.SIGKILL)
	r.armed("Decide on the plan", "Keep planning")
	r.Press("k")
	r.WaitGone("Decide on the plan")
	r.say("/plan review")
	r.Until("the reviewer with the edit", func(screen string) bool {
		return strings.Contains(screen, "your edit of this text is kept") && r.Foreground() != r.cmd.Process.Pid
	})
	r.Press("e")
	r.WaitFor("r1 → your edit")
	r.Press("q")
	r.WaitFor("Make your edit r2?")
	r.Press("y")

	r.WaitFor("r1 → r2")
	r.reviewing()
	w.decided("r1 kept, r1 kept")
	r.end()
	r.Press("a")
	r.armed("Create ", "Allow once")
	w.decided("r1 kept, r1 kept, r2 approved")
	m := w.manifest()
	if len(m.Revisions) != 2 || m.Revisions[1].Author != "user" || m.Approval(2) == nil {
		t.Errorf("revisions %+v", m.Revisions)
	}
	r.Press("esc")
	r.WaitGone("Allow once")
	r.quit()
}

func TestPendingNotesAreDecidedAboutInTheReviewer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.Press("j", "j")
	r.note("mind the prices")
	r.Press("D")
	r.armed("Decide on the plan", "Request changes")
	r.WaitFor("1 pending note")
	r.Press("a")
	r.armed("What becomes of your 1 note?", "Approve without them")
	r.Press("s")
	r.armed("Create ", "Allow once")
	w.decided("r1 approved")
	if a := w.manifest().Approval(1); a == nil || !strings.Contains(a.Notes, "mind the prices") {
		t.Errorf("the approval is %+v", a)
	}
	r.Press("esc")
	r.WaitGone("Allow once")
	r.quit()
}

// holds waits for a file that a pattern matches and that contains a text.
func (w *world) holds(pattern, want string) {
	w.t.Helper()
	ok := eventually(func() bool {
		found, _ := filepath.Glob(filepath.Join(w.base, pattern))
		for _, path := range found {
			if raw, err := os.ReadFile(path); err == nil && strings.Contains(string(raw), want) {
				return true
			}
		}
		return false
	})
	if !ok {
		w.t.Fatalf("no %s holds %q", pattern, want)
	}
}
