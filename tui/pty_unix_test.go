//go:build unix

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"planmode/plan/process"
	"planmode/revdiff"
	"planmode/tui/tuitest"
)

const childEnv = "PLANMODE_TUI_CHILD"

// TestMain lets the test binary be the program on a pseudo-terminal.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(screenOfAFake())
	}
	os.Exit(m.Run())
}

// screenOfAFake runs the screen on the terminal, for a session that does nothing
// or, as the environment says, lets a shell command be the reviewer at the first
// message.
func screenOfAFake() int {
	terminal, err := process.OpenTerminal()
	if err != nil {
		return 2
	}
	f, desk := newFake(nil), NewDesk()
	mode := os.Getenv(childEnv)
	look := "auto"
	if strings.HasPrefix(mode, "review ") {
		look = "dark" // the answer to the question for the colour is not for the reviewer
	}
	app, err := New(Options{Conductor: f, Desk: desk, Theme: look, Keys: map[string][]string{"nonsense": {"x"}},
		Foreground: func(j *revdiff.Job) Foreground { return j.Foreground(terminal) }})
	if err != nil {
		return 3
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if mode == "ends" {
		time.AfterFunc(300*time.Millisecond, cancel)
	}
	if script, ok := strings.CutPrefix(mode, "review "); ok {
		review := func() {
			exit, err := desk.Review(ctx, &revdiff.Job{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ(), Dir: "/", Title: "review"})
			f.user(fmt.Sprintf("code %d signal %q lost %t error %v %v", exit.Code, exit.Signal, exit.Lost, exit.Err, err))
		}
		f.onSend = func() { process.Go("review", review) }
	}
	if err := app.Run(ctx); err != nil {
		return 4
	}
	return 0
}

func startPty(t *testing.T, mode string) *tuitest.Terminal {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childEnv+"="+mode, "TERM=xterm-256color")
	s := tuitest.Start(t, cmd, 80, 24)
	return s
}

func TestOnARealTerminal(t *testing.T) {
	s := startPty(t, "run")
	s.WaitFor("manual")
	s.WaitFor(`keys: unknown action "nonsense"`)
	if !s.Alternate() {
		t.Error("not on the alternate screen")
	}
	s.Type("计划 ok")
	s.WaitFor("> 计划 ok")
	s.Until("the cursor after the text", func(string) bool {
		x, y, shown := s.Cursor()
		return shown && x == len("> ")+len("ok ")+4 && y == 22
	})
	s.Resize(40, 12)
	s.Until("the status on the last row", func(screen string) bool {
		lines := strings.Split(screen, "\n")
		return len(lines) == 12 && strings.HasPrefix(lines[11], "demo")
	})
	s.Press("ctrl+c")
	s.WaitGone("计划")
	s.Press("ctrl+c")
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	if s.Alternate() {
		t.Error("the alternate screen is still on")
	}
	if _, _, shown := s.Cursor(); !shown {
		t.Error("the cursor is still hidden")
	}
}

func TestTheEndOfTheContextEndsTheScreen(t *testing.T) {
	s := startPty(t, "ends")
	s.WaitFor("manual")
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	if s.Alternate() {
		t.Error("the alternate screen is still on")
	}
}

func TestAReviewerGetsTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name, script string
		keys         []string
		want         string
	}{
		{"what is typed reaches the reviewer", `echo REVIEWER; read word; test "$word" = hello && exit 10`, []string{"h", "e", "l", "l", "o", "enter"}, `code 10 signal ""`},
		{"Ctrl+C reaches the reviewer alone", `trap 'exit 7' INT; echo REVIEWER; while :; do sleep 0.1; done`, []string{"ctrl+c"}, `code 7 signal ""`},
		{"a reviewer killed in raw mode leaves a sane screen", `stty raw -echo; printf '\033[?1000h\033[?1049h\033[3;9r\033[?6h\033[?7l\033[4h\033[?1h\033=\033(0\033[7mREVIEWER'; head -c1 >/dev/null; kill -9 $$`, []string{"x"}, `code -1 signal "SIGKILL"`},
		{"a reviewer that is over at once", `exit 0`, nil, `code 0 signal ""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startPty(t, "review "+c.script)
			s.WaitFor("manual")
			s.Type("go")
			s.WaitFor("> go")
			s.Press("enter")
			if len(c.keys) > 0 {
				s.WaitFor("REVIEWER")
				s.Press(c.keys...)
			}
			s.WaitFor(c.want + " lost false error <nil> <nil>")
			s.Until("the status on the last row", func(screen string) bool {
				lines := strings.Split(screen, "\n")
				return len(lines) == 24 && strings.HasPrefix(lines[23], "demo")
			})
			s.Type("still alive")
			s.WaitFor("> still alive")
			s.Press("ctrl+c", "ctrl+c")
			if err := s.Wait(); err != nil {
				t.Fatal(err)
			}
			if s.Alternate() {
				t.Error("the alternate screen is still on")
			}
		})
	}
}
