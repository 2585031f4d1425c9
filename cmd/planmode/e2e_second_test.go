//go:build unix

package main_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"planmode/tui/tuitest"
)

func TestASecondProcessIsToldWhoHasTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.Press("j")
	r.note("why this?")
	second := w.open("--continue")
	second.armed("This session is open in another planmode", "Read it here")
	second.WaitFor(fmt.Sprintf("process %d on ", r.cmd.Process.Pid))
	second.WaitFor("for less than a minute")
	second.Press("esc")
	second.WaitGone("Read it here")
	second.WaitFor("open in another planmode (process ")
	second.WaitFor("read-only session")
	for _, command := range []string{"/plan review", "/plan off", "/plan discard"} {
		second.Type(command)
		second.Until("the command", func(screen string) bool { return hasLine(screen, "> "+command) })
		second.Press("enter")
		second.Until("an empty composer", func(screen string) bool { return hasLine(screen, ">") })
	}
	second.say("/quit")
	second.ended(0)
	r.Press("q")
	r.WaitFor("1 annotation")
	r.reviewing()
	r.end()
	r.Press("a")
	r.WaitFor("PLAN APPROVED")
	w.decided("r1 changes_requested, r2 approved")
}

// A reviewer whose planmode was killed has nobody to give its notes to, and must
// not fight with the shell for the keyboard.
func TestAReviewerEndsWithAKilledPlanmode(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a child that its parent was killed")
	}
	t.Parallel()
	w := newWorld(t)
	// The second command keeps the terminal there when planmode is gone.
	cmd := shell(w, binary(t), "head -c 1")
	r := &run{Terminal: tuitest.Start(t, cmd, 80, 24), w: w, t: t, cmd: cmd}
	r.WaitFor("demo · manual")
	killed := r.Foreground()
	r.plan("Add a shopping cart")
	r.Until("the reviewer", func(screen string) bool {
		return strings.Contains(screen, "q done") && r.Foreground() != killed
	})
	reviewer := r.Foreground()
	if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool { return errors.Is(syscall.Kill(-reviewer, 0), syscall.ESRCH) }) {
		t.Error("the reviewer is still there")
	}
}
