//go:build unix

package tui

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

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

// screenOfAFake runs the screen on the terminal, for a session that does nothing.
func screenOfAFake() int {
	app, err := New(Options{Conductor: newFake(nil), Desk: NewDesk(), Theme: "auto", Keys: map[string][]string{"nonsense": {"x"}}})
	if err != nil {
		return 3
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if os.Getenv(childEnv) == "ends" {
		time.AfterFunc(300*time.Millisecond, cancel)
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
	s.WaitFor("manual")
	return s
}

func TestOnARealTerminal(t *testing.T) {
	s := startPty(t, "run")
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
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	if s.Alternate() {
		t.Error("the alternate screen is still on")
	}
}
