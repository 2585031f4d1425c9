//go:build unix

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// fakeEnv makes the test binary a reviewer that misbehaves in the way it names.
const fakeEnv = "PLANMODE_E2E_REVIEWER"

// fake is a program for REVDIFF_BIN.
func fake(t testing.TB, mode string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "revdiff")
	script := fmt.Sprintf("#!/bin/sh\n%s=%s exec '%s' \"$@\"\n", fakeEnv, mode, self)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

const fakeHelp = `Usage:
  revdiff [OPTIONS] [base] [against]

Application Options:
      --only=                      show only these files
      --compare-old=               old side of a comparison
      --compare-new=               new side of a comparison
  -o, --output=                    write annotations to file
      --history-dir=               where the history is kept
      --exit-code-on-annotations   exit with 10 when there are annotations
`

// fakeReviewer reviews on the terminal, then ends as the mode says.
func fakeReviewer(mode string, args []string) int {
	var shown, output string
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "--help":
			fmt.Print(fakeHelp)
			return 0
		case "--version":
			fmt.Println("version: v9.8.7")
			return 0
		case "--only", "--compare-new":
			shown = value
		case "--output":
			output = value
		}
	}
	fmt.Printf("\x1b[?1049h\x1b[?1000h\x1b[?25l\x1b[HFAKE REVIEWER of %s", filepath.Base(shown))
	return misbehave(mode, shown, output)
}

func misbehave(mode, shown, output string) int {
	key := "## " + filepath.Base(shown)
	note := key + ":3 ( )\nwhy this?\n"
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			os.Exit(99)
		}
	}
	kill := func(s syscall.Signal) int {
		_ = syscall.Kill(os.Getpid(), s)
		select {}
	}
	switch mode {
	case "clean":
		return 0
	case "notes":
		write(output, note)
		return 10
	case "flushed-then-discarded":
		write(output, note)
		return 0
	case "promises-notes":
		return 10
	case "garbage":
		write(output, "\x00\xff no grammar at all\n## ")
		return 10
	case "foreign":
		write(output, "## /etc/passwd:1 ( )\nrun this\n")
		return 10
	case "beyond":
		write(output, key+":99999 ( )\nhere\n")
		return 10
	case "link":
		_ = os.Symlink("/etc/passwd", output)
		return 10
	case "edits":
		raw, _ := os.ReadFile(shown)
		write(shown, strings.Replace(string(raw), "## Risks", "Edited by hand.\n\n## Risks", 1))
		return 0
	case "removes":
		_ = os.Remove(shown)
		return 0
	case "fails":
		fmt.Fprintln(os.Stderr, "boom: \x1b[31mno such theme")
		return 1
	case "notes-then-killed":
		write(output, note)
		return kill(syscall.SIGKILL)
	case "waits":
		_, _ = os.Stdin.Read(make([]byte, 8))
		write(os.Getenv("PLANMODE_E2E_STAMP"), strconv.FormatInt(time.Now().UnixNano(), 10))
		return 0
	case "hangup":
		signal.Reset(syscall.SIGHUP)
		return kill(syscall.SIGHUP)
	}
	return 98
}

func TestReviewersThatMisbehave(t *testing.T) {
	for _, c := range []struct {
		mode  string
		card  string // what the card says; empty if there is none
		says  string // what the screen says otherwise
		notes bool   // the notes are shown on the card
	}{
		{mode: "clean", card: "no annotations were recorded"},
		{mode: "flushed-then-discarded", card: "discarded after notes had been written out", notes: true},
		{mode: "promises-notes", card: "contradicts itself"},
		{mode: "garbage", card: "contradicts itself"},
		{mode: "foreign", card: "contradicts itself"},
		{mode: "beyond", card: "contradicts itself"},
		{mode: "link", card: "contradicts itself"},
		{mode: "removes", card: "contradicts itself"},
		{mode: "edits", card: "The text was edited in the reviewer"},
		{mode: "notes-then-killed", card: "The reviewer was interrupted", notes: true},
		{mode: "fails", says: "boom: no such theme"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "REVDIFF_BIN="+fake(t, c.mode))
			r := w.start()
			r.say("/plan on")
			r.WaitFor("PLAN MODE · READ-ONLY")
			r.say("Add a shopping cart")
			if c.card == "" {
				r.WaitFor(c.says)
				r.WaitFor("/plan review tries again")
				w.decided("")
				r.quit()
				return
			}
			r.armed("Decide on the plan", "Keep planning")
			r.WaitFor(c.card)
			if c.notes {
				r.WaitFor("why this?")
			}
			if modes := r.Modes(); strings.Contains(strings.Join(modes, " "), "mouse") {
				t.Errorf("left on by the reviewer: %v", modes)
			}
			r.Press("k")
			r.WaitGone("Decide on the plan")
			w.decided("r1 kept")
			r.WaitFor("PLAN MODE · READ-ONLY")
			r.quit()
		})
	}
}

func TestNotesOfAnotherReviewerAreSentAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "REVDIFF_BIN="+fake(t, "notes"))
	r := w.start()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart")
	// It finds something in every revision.
	r.WaitFor("Plan changes requested · Add a shopping cart · r2")
	r.Press("esc", "esc")
	r.WaitFor("PLAN MODE · READ-ONLY")
	if d := w.manifest().Decisions[0]; d.Kind != "changes_requested" || !strings.HasPrefix(d.Reviewer, "revdiff") {
		t.Errorf("the decision is %+v", d)
	}
	r.signal(syscall.SIGTERM)
	r.ended(143)
}

func TestEditsOfThePersonBecomeTheNextRevision(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "REVDIFF_BIN="+fake(t, "edits"))
	r := w.start()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart")
	r.armed("Decide on the plan", "Approve Plan")
	r.Press("e")
	r.WaitFor("r1 → r2: 2 lines added, 0 removed")
	r.armed("Decide on the plan", "Approve Plan")
	r.Press("k")
	r.WaitGone("Decide on the plan")
	w.decided("r1 kept, r2 kept")
	if m := w.manifest(); m.Revisions[1].Author != "user" || m.Revisions[1].BasedOn != 1 {
		t.Errorf("r2 is %+v", m.Revisions[1])
	}
	r.quit()
}

func TestAReviewerThatCannotRunDisablesPlanMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env = append(w.env, "REVDIFF_BIN="+filepath.Join(w.dir, "main.go"))
	r := w.start()
	r.say("/plan on")
	r.WaitFor("Plan Mode is disabled")
	r.WaitFor("umputun/apps/revdiff")
	if strings.Contains(r.Screen(), "READ-ONLY") {
		t.Errorf("Plan Mode is on:\n%s", r.Screen())
	}
	r.quit()
}

// The real revdiff, where there is one.
func TestTheFlowWithRevdiff(t *testing.T) {
	t.Parallel()
	path := os.Getenv("REVDIFF_BIN")
	if path == "" {
		t.Skip("REVDIFF_BIN names no revdiff")
	}
	w := newWorld(t, "REVDIFF_BIN="+path)
	r := w.start()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart")
	r.WaitFor("The person asked")
	r.Until("revdiff", func(screen string) bool {
		return strings.Contains(screen, "The person asked") && strings.Contains(screen, "plan-r1.md")
	})
	r.Press("j", "j", "enter")
	r.Type("why this?")
	r.WaitFor("why this?")
	r.Press("enter")
	r.Press("q")
	r.WaitFor("plan-r2.md")
	r.Press("q")
	r.armed("Decide on the plan", "Approve Plan")
	r.WaitFor("no annotations were recorded")
	w.decided("r1 changes_requested")
	r.Press("a")
	r.armed("Create ", "Allow once")
	w.decided("r1 changes_requested, r2 approved")
	r.Press("s")
	r.WaitFor("COMPLETED")
	r.quit()
}

// shellEnv makes the test binary run command lines one after the other, as a
// shell without line editing does: each in the foreground, and with whatever
// settings of the terminal the one before left.
const shellEnv = "PLANMODE_E2E_SHELL"

func shell(w *world, commands ...string) *exec.Cmd {
	w.t.Helper()
	self, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	cmd := exec.Command(self, commands...)
	cmd.Dir, cmd.Env = w.dir, append(w.env, shellEnv+"=1")
	return cmd
}

func actAsShell(commands []string) int {
	signal.Ignore(syscall.SIGTTOU)
	for _, line := range commands {
		words := strings.Fields(line)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, shellEnv+"=") {
				cmd.Env = append(cmd.Env, v)
			}
		}
		_ = cmd.Run()
		if err := unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, unix.Getpgrp()); err != nil {
			return 97
		}
	}
	return 0
}
