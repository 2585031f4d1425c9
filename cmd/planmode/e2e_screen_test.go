//go:build unix

package main_test

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// squeeze makes the terminal small and then as before. Both times the program
// must use every line, and mark must be visible in the end.
func (r *run) squeeze(mark string) {
	r.t.Helper()
	r.Resize(40, 12)
	r.Until("a screen drawn for 12 lines", drawnFor(12))
	r.Resize(80, 24)
	r.Until("a screen of 24 lines with "+mark, func(screen string) bool {
		return strings.Count(screen, "\n") == 23 && strings.Contains(screen, mark)
	})
}

// drawnFor says whether the program has drawn a screen of so many lines, not only
// the terminal cut the one before: the last line is then the one that belongs
// there.
func drawnFor(height int) func(string) bool {
	return func(screen string) bool {
		lines := strings.Split(screen, "\n")
		last := lines[len(lines)-1]
		if len(lines) != height {
			return false
		}
		for _, ends := range []string{"demo · ", "Enter ", "Esc ", "q done"} {
			if strings.Contains(last, ends) {
				return true
			}
		}
		return false
	}
}

func TestANewSizeInEveryPhase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.squeeze("demo · manual")
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart")
	r.WaitFor("DEMO agent: ")
	r.squeeze("PLAN MODE · READ-ONLY")
	r.reviewing()
	r.squeeze("q done")
	r.Press("j", "j", "a")
	r.WaitFor("Note on line 3")
	r.Type("why this?")
	r.squeeze("why this?")
	r.Press("enter")
	r.WaitFor("1 note")
	r.Press("q")
	r.WaitFor("r1 → r2")
	r.reviewing()
	r.squeeze("Answer to")
	r.end()
	r.squeeze("Approve Plan (a)")
	r.Press("n")
	r.Type("with tests")
	r.squeeze("with tests")
	r.Press("enter")
	r.armed("Create ", "Allow once")
	r.squeeze("Allow once (y)")
	r.Press("n")
	r.WaitGone("Allow once")
	r.WaitFor("IMPLEMENTING · r2")
	r.say("/plan on")
	r.armed("Current Plan is IMPLEMENTING", "Cancel")
	r.squeeze("Current Plan is IMPLEMENTING")
	r.Press("esc")
	r.WaitFor("Plan Mode stays off; nothing was changed.")
	r.quit()
}

// What is typed while the reviewer ends must not decide: a card that has just
// opened takes no key but Esc.
func TestKeysMeantForAnotherScreenDoNotApprove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	began := time.Now()
	r.Press("q")
	r.WaitFor("Decide on the plan")
	r.Press("a", "enter", "1", "enter", "a")
	typed := time.Since(began)
	r.Until("the card or what follows it", func(screen string) bool {
		return r.Bright("❯") || strings.Contains(screen, "Allow once")
	})
	if typed < 350*time.Millisecond { // on a busy machine the card may rightly be armed by then
		if screen := r.Screen(); !strings.Contains(screen, "❯ 1 Approve Plan") {
			t.Fatalf("more than moving was done:\n%s", screen)
		}
		w.decided("")
	}
	r.signal(syscall.SIGTERM)
	r.ended(143)
}

func TestTwoProcessesOnOneSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.start()
	first.plan("Add a shopping cart")
	first.end()
	first.Press("k")
	first.WaitGone("Decide on the plan")

	second := w.start("--continue")
	second.armed("This session is open in another planmode", "Read it here")
	second.Press("esc")
	second.WaitGone("Read it here")
	second.WaitFor("DRAFT · r1")
	second.Type("hello")
	second.WaitFor("> hello")
	second.Press("enter")
	second.WaitFor("can only be read")
	second.Press("ctrl+c")
	second.quit()

	first.say("/plan review")
	first.reviewing()
	first.end()
	first.Press("l")
	first.WaitFor("Plan Mode is off.")
	first.quit()
	third := w.start("--continue")
	third.WaitFor("Plan Mode is off.")
	third.say("/plan on")
	third.armed("A draft is attached", "Continue the draft")
	third.Press("enter")
	third.WaitFor("PLAN MODE · READ-ONLY")
	third.quit()
}
