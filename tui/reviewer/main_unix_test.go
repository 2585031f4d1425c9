//go:build unix

package reviewer

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// actAsReviewer makes the test binary be the reviewer.
const actAsReviewer = "PLANMODE_TEST_REVIEWER"

func TestMain(m *testing.M) {
	if os.Getenv(actAsReviewer) != "" {
		os.Exit(Main(os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// terminalRun is a reviewer in a pseudo-terminal.
type terminalRun struct {
	*screen
	tty *os.File
	cmd *exec.Cmd
	dir string
}

func start(t *testing.T, env []string, args ...string) *terminalRun {
	t.Helper()
	dir := t.TempDir()
	plan := write(t, filepath.Join(dir, "plan-r1.md"), samplePlan)
	r := &terminalRun{screen: newScreen(80, 24), dir: dir}
	args = append([]string{"--only=" + plan, "--output=" + filepath.Join(dir, "notes.md"),
		"--history-dir=" + filepath.Join(dir, "history"), "--exit-code-on-annotations"}, args...)
	r.cmd = exec.Command(os.Args[0], args...)
	r.cmd.Env = append([]string{actAsReviewer + "=1", "TERM=xterm-256color", "HOME=" + dir, "PATH=" + os.Getenv("PATH")}, env...)
	r.cmd.Dir = "/"
	tty, err := pty.StartWithSize(r.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	r.tty = closable(t, tty)
	t.Cleanup(func() { r.cmd.Process.Kill(); r.tty.Close() })
	go r.copy()
	r.wait(t, "q done")
	return r
}

// closable makes closing end a read that waits, and so hang up the terminal.
func closable(t *testing.T, tty *os.File) *os.File {
	t.Helper()
	defer tty.Close()
	fd, err := syscall.Dup(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), tty.Name())
}

// copy feeds the emulator until the reviewer has closed its terminal; the driver
// adds carriage returns itself.
func (r *terminalRun) copy() {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.tty.Read(buf)
		r.mu.Lock()
		r.emu.Write(buf[:n])
		r.mu.Unlock()
		r.poke()
		if err != nil {
			return
		}
	}
}

func (r *terminalRun) keys(t *testing.T, keys, want string) {
	t.Helper()
	if _, err := io.WriteString(r.tty, keys); err != nil {
		t.Fatal(err)
	}
	r.wait(t, want)
}

func (r *terminalRun) ended(t *testing.T) int {
	t.Helper()
	err := r.cmd.Wait()
	if exit, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	} else if ok {
		return exit.ExitCode()
	}
	return 0
}

// saved waits for the draft, which is written behind the screen's back.
func (r *terminalRun) saved(t *testing.T) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range 2_000 {
		if r.has("history/autosave*.json") {
			return
		}
		<-tick.C
	}
	t.Fatal("no draft was saved")
}

func (r *terminalRun) has(pattern string) bool {
	found, _ := filepath.Glob(filepath.Join(r.dir, pattern))
	return len(found) > 0
}

func TestEndsOfTheProcess(t *testing.T) {
	cases := []struct {
		name    string
		end     func(*testing.T, *terminalRun)
		code    int
		output  bool
		draft   bool
		history bool
	}{
		{"done", func(t *testing.T, r *terminalRun) { fmt.Fprint(r.tty, "q") }, 10, true, false, true},
		{"discarded", func(t *testing.T, r *terminalRun) { r.keys(t, "Q", "Discard 1 note?"); fmt.Fprint(r.tty, "y") }, 0, false, false, false},
		{"left by Ctrl+C", func(t *testing.T, r *terminalRun) { r.keys(t, "\x03", "Leave?"); fmt.Fprint(r.tty, "\x03") }, 130, false, true, true},
		{"interrupted", func(t *testing.T, r *terminalRun) { r.cmd.Process.Signal(syscall.SIGINT) }, 130, false, true, true},
		{"terminated", func(t *testing.T, r *terminalRun) { r.cmd.Process.Signal(syscall.SIGTERM) }, 143, false, true, true},
		{"hung up", func(t *testing.T, r *terminalRun) { r.cmd.Process.Signal(syscall.SIGHUP) }, 129, false, true, true},
		{"terminal closed", func(t *testing.T, r *terminalRun) { r.tty.Close() }, 129, false, true, true},
		{"killed", func(t *testing.T, r *terminalRun) { r.cmd.Process.Kill() }, -1, false, true, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, nil)
			r.keys(t, "jja", "Note on line 3")
			r.keys(t, "why this?\r", "1 note")
			r.saved(t)
			c.end(t, r)
			if code := r.ended(t); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if got := r.has("notes.md"); got != c.output {
				t.Errorf("output there: %t", got)
			}
			if got := r.has("history/autosave*.json"); got != c.draft {
				t.Errorf("draft there: %t", got)
			}
			if got := r.has("history/*/*.md"); got != c.history {
				t.Errorf("history entry there: %t", got)
			}
		})
	}
}

func TestTheEditorWritesTheNote(t *testing.T) {
	script := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s\\nfrom the editor\\n' \"$(cat \"$2\")\" > \"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := start(t, []string{"EDITOR=" + script + " --wait"})
	r.keys(t, "a", "Note on line 1")
	r.keys(t, "typed", "typed")
	r.keys(t, "\x05", "from the editor")
	r.keys(t, "\r", "1 note")
	fmt.Fprint(r.tty, "q")
	if code := r.ended(t); code != 10 {
		t.Fatalf("exit code %d", code)
	}
	raw, err := os.ReadFile(filepath.Join(r.dir, "notes.md"))
	if err != nil || !strings.HasSuffix(string(raw), ":1 ( )\ntyped\nfrom the editor\n") {
		t.Errorf("notes %q, %v", raw, err)
	}
}

func TestWithoutATerminal(t *testing.T) {
	plan := write(t, filepath.Join(t.TempDir(), "plan.md"), samplePlan)
	for _, args := range [][]string{{"--only=" + plan}, {"--only=" + plan, "--no-such-flag"}, {"--only=/none"}} {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = []string{actAsReviewer + "=1"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: %v, stdout %q, stderr %q", args, err, &stdout, &stderr)
		}
	}
}

func TestHalfTypedTextSurvivesEveryEnd(t *testing.T) {
	ends := map[string]func(*terminalRun){
		"terminated":      func(r *terminalRun) { r.cmd.Process.Signal(syscall.SIGTERM) },
		"hung up":         func(r *terminalRun) { r.cmd.Process.Signal(syscall.SIGHUP) },
		"killed":          func(r *terminalRun) { r.cmd.Process.Kill() },
		"terminal closed": func(r *terminalRun) { r.tty.Close() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			r := start(t, nil)
			r.keys(t, "jja", "Note on line 3")
			r.keys(t, "half a 想法", "想法")
			r.holds(t, "half a 想法")
			end(r)
			r.ended(t)
			r.holds(t, "half a 想法")
		})
	}
}

// holds waits until the draft has a text in it.
func (r *terminalRun) holds(t *testing.T, want string) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range 2_000 {
		found, _ := filepath.Glob(filepath.Join(r.dir, "history/autosave*.json"))
		for _, path := range found {
			if raw, err := os.ReadFile(path); err == nil && strings.Contains(string(raw), want) {
				return
			}
		}
		<-tick.C
	}
	t.Fatalf("no draft holds %q", want)
}
