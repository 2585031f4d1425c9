//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"planmode/tui/tuitest"
)

// signal sends to planmode itself.
func (r *run) signal(s syscall.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}

// signalReviewer sends to the process group that has the terminal.
func (r *run) signalReviewer(s syscall.Signal) {
	r.t.Helper()
	group := r.Foreground()
	if group == r.cmd.Process.Pid {
		r.t.Fatal("no reviewer has the terminal")
	}
	if err := syscall.Kill(-group, s); err != nil {
		r.t.Fatal(err)
	}
}

func TestAReviewerThatIsKilledApprovesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		want   string
	}{
		{"TERM", syscall.SIGTERM, "The reviewer was interrupted"},
		{"KILL", syscall.SIGKILL, "The reviewer was interrupted"},
		{"INT", syscall.SIGINT, "The reviewer was interrupted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.start()
			r.plan("Add a shopping cart")
			r.Press("j", "j")
			r.note("why this?")
			if c.signal == syscall.SIGKILL {
				w.exists("home/data/plans/*/.review/*/history/autosave*.json")
			}
			r.signalReviewer(c.signal)
			r.armed("Decide on the plan", "Keep planning")
			r.WaitFor(c.want)
			r.WaitFor("why this?")
			r.Press("k")
			r.WaitGone("Decide on the plan")
			w.decided("r1 kept")
			r.WaitFor("PLAN MODE · READ-ONLY")
			r.say("/plan review")
			r.reviewing()
			r.WaitFor("1 note")
			r.Press("Q")
			r.WaitFor("Discard 1 note?")
			r.Press("y")
			r.armed("Decide on the plan", "Keep planning")
			r.Press("k")
			r.WaitGone("Decide on the plan")
			r.quit()
		})
	}
}

// A reviewer that dies of a hang-up means that the terminal is gone: planmode
// saves, ends, and offers the review at the next start.
func TestAHangUpOfTheReviewerIsTheEndOfTheTerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "REVDIFF_BIN="+fake(t, "hangup"))
	r := w.start()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart")
	r.ended(129)
	w.decided("")
	r = w.open("--continue")
	r.armed("was being reviewed when planmode stopped", "Keep it as a draft")
	r.Press("2", "enter")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.quit()
}

func TestCtrlCInTheReviewer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Add a shopping cart")
	r.Press("ctrl+c")
	r.WaitFor("Leave?")
	r.Press("ctrl+c")
	r.armed("Decide on the plan", "Keep planning")
	r.WaitFor("The reviewer was interrupted")
	r.Press("r")
	r.reviewing()
	r.Press("j", "j")
	r.note("why this?")
	r.Press("ctrl+c")
	r.WaitFor("Leave?")
	r.Press("ctrl+c")
	r.armed("Decide on the plan", "Request changes")
	r.WaitFor("why this?")
	r.Press("esc")
	r.WaitGone("Decide on the plan")
	w.decided("r1 kept, r1 cancelled")
	r.Type("still alive")
	r.WaitFor("> still alive")
	r.Press("ctrl+c")
	r.quit()
}

// phases are states in which planmode can be ended from outside. each brings it
// there; after says what the next start must show.
var phases = []struct {
	name  string
	reach func(*run)
	after func(*run)
}{
	{"idle", func(r *run) { r.say("/plan on"); r.WaitFor("PLAN MODE · READ-ONLY"); r.WaitFor("Describe the goal") },
		func(r *run) { r.WaitFor("PLAN MODE · READ-ONLY") }},
	{"running", func(r *run) {
		r.say("/plan on")
		r.WaitFor("PLAN MODE · READ-ONLY")
		r.say("Add a shopping cart")
		r.WaitFor("● read ")
	}, func(r *run) {
		r.WaitFor("PLAN MODE · READ-ONLY")
		r.WaitFor("● read README.md")
		if r.w.reviewLeftOpen() { // on a busy machine the turn was faster than the signal
			r.armed("was being reviewed when planmode stopped", "Keep it as a draft")
			r.Press("2", "enter")
			r.WaitGone("was being reviewed when planmode stopped")
		}
	}},
	{"reviewing", func(r *run) { r.plan("Add a shopping cart"); r.Press("j", "j"); r.note("why this?") }, reviewOffered},
	{"deciding", func(r *run) { r.plan("Add a shopping cart"); r.end() }, reviewOffered},
	{"asking", func(r *run) { r.plan("Add a shopping cart"); r.end(); r.Press("a"); r.armed("Create ", "Allow once") },
		func(r *run) { r.WaitFor("IMPLEMENTING · r1"); r.w.decided("r1 approved") }},
}

// reviewLeftOpen says whether the only session on disk has a review that was
// opened and not closed.
func (w *world) reviewLeftOpen() bool {
	w.t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.home, "data", "sessions", "*", "*.jsonl"))
	if err != nil || len(paths) != 1 {
		w.t.Fatalf("sessions on disk: %v, %v", paths, err)
	}
	raw, err := os.ReadFile(paths[0])
	if err != nil {
		w.t.Fatal(err)
	}
	opened := strings.LastIndex(string(raw), `"kind":"review_opened"`)
	return opened > strings.LastIndex(string(raw), `"kind":"review_closed"`)
}

func reviewOffered(r *run) {
	r.armed("was being reviewed when planmode stopped", "Review it again")
	r.w.decided("")
	r.Press("1", "enter")
	r.reviewing()
	r.Press("Q")
	r.Until("the end of the reviewer", func(screen string) bool {
		if strings.Contains(screen, "Discard 1 note?") {
			r.Press("y")
		}
		return strings.Contains(screen, "Decide on the plan")
	})
	r.armed("Decide on the plan", "Keep planning")
	r.Press("k")
	r.WaitFor("PLAN MODE · READ-ONLY")
}

func TestASignalSavesAndNeverSubmits(t *testing.T) {
	for _, p := range phases {
		for name, code := range map[string]int{"TERM": 143, "HUP": 129, "QUIT": 131, "KILL": -1} {
			t.Run(p.name+"-"+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				r := w.start()
				p.reach(r)
				switch name {
				case "TERM":
					r.signal(syscall.SIGTERM)
				case "HUP":
					r.signal(syscall.SIGHUP)
				case "QUIT":
					r.signal(syscall.SIGQUIT)
				case "KILL":
					r.signal(syscall.SIGKILL)
				}
				if code > 0 {
					r.ended(code)
				} else {
					_ = r.Wait()
				}
				r = w.open("--continue")
				p.after(r)
				r.quit()
			})
		}
	}
}

func TestATerminalThatIsClosed(t *testing.T) {
	for _, p := range phases {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.start()
			p.reach(r)
			r.HangUp()
			_ = r.Wait()
			if code := r.cmd.ProcessState.ExitCode(); code != 129 {
				t.Errorf("exit code %d", code)
			}
			r = w.open("--continue")
			p.after(r)
			r.quit()
		})
	}
}

// After SIGKILL the terminal is as planmode left it. The next start on the same
// terminal must be fine, and so must the terminal after it.
func TestTheNextStartOnTheSameTerminalAfterAKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cmd := shell(w, binary(t), binary(t)+" --continue")
	s := tuitest.Start(t, cmd, 80, 24)
	first := &run{Terminal: s, w: w, t: t, cmd: cmd}
	first.WaitFor("demo · manual")
	first.say("/plan on")
	first.WaitFor("PLAN MODE · READ-ONLY")
	first.WaitFor("Describe the goal")
	killed := first.Foreground()
	if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	first.Until("the second start", func(screen string) bool {
		return first.Foreground() != killed && strings.Contains(screen, "PLAN MODE · READ-ONLY")
	})
	first.Type("/quit")
	first.WaitFor("> /quit")
	first.Press("enter")
	if err := first.Wait(); err != nil {
		t.Error(err)
	}
	first.sane()
}
