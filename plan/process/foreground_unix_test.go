//go:build linux || darwin

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The tests need a process whose controlling terminal is a pseudo-terminal. The
// test binary runs itself for that: once as the host, which stands for planmode
// and reports what it saw in a file, and once more as the child of the host.
func init() {
	if mode := os.Getenv("PLANMODE_TEST_CHILD"); mode != "" {
		os.Exit(childMain(mode))
	}
	if path := os.Getenv("PLANMODE_TEST_HOST"); path != "" {
		os.Exit(hostMain(path))
	}
}

type report struct {
	Exit       Exit
	RunError   string
	Error      string
	Interrupts int
	SameTermio bool
	Foreground bool
}

func hostMain(path string) int {
	var r report
	interrupts := make(chan os.Signal, 10)
	signal.Notify(interrupts, unix.SIGINT, unix.SIGTSTP)
	if err := hostRun(&r); err != nil {
		r.Error = err.Error()
	}
	r.Interrupts = len(interrupts)
	b, err := json.Marshal(r)
	if err != nil {
		return 1
	}
	if os.WriteFile(path, b, 0o600) != nil {
		return 1
	}
	return 0
}

func hostRun(r *report) error {
	terminal, err := OpenTerminal()
	if err != nil {
		return err
	}
	before, err := unix.IoctlGetTermios(int(terminal.File().Fd()), getTermios)
	if err != nil {
		return err
	}
	self := os.Getenv("PLANMODE_TEST_PATH")
	f := &Foreground{
		Terminal: terminal, Path: self, Stderr: os.Getenv("PLANMODE_TEST_STDERR"), Grace: 100 * time.Millisecond,
		Env: append(os.Environ(), "PLANMODE_TEST_CHILD="+os.Getenv("PLANMODE_TEST_MODE")),
	}
	if os.Getenv("PLANMODE_TEST_MODE") == "stopped early" {
		f.Stop()
	}
	if err := f.Run(); err != nil {
		r.RunError = err.Error()
	}
	r.Exit = f.Exit()
	r.Exit.Err = nil // an interface does not come back from JSON
	if after, err := unix.IoctlGetTermios(int(terminal.File().Fd()), getTermios); err == nil {
		r.SameTermio = *after == *before
	}
	group, err := unix.IoctlGetInt(int(terminal.File().Fd()), unix.TIOCGPGRP)
	r.Foreground = err == nil && group == unix.Getpgrp()
	return nil
}

func childMain(mode string) int {
	signals := make(chan os.Signal, 10)
	fmt.Fprintln(os.Stderr, "a line on the standard error")
	switch mode {
	case "exit 0":
		return 0
	case "exit 10":
		return 10
	case "dies raw":
		t, err := unix.IoctlGetTermios(0, getTermios)
		if err != nil {
			return 1
		}
		t.Lflag &^= unix.ICANON | unix.ECHO | unix.ISIG
		if unix.IoctlSetTermios(0, setTermios, t) != nil {
			return 1
		}
		fmt.Print("\x1b[?1049h\x1b[?1000h\x1b[?25lREADY")
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	case "waits for an interrupt":
		signal.Notify(signals, unix.SIGINT)
		fmt.Print("READY")
		<-signals
		return 3
	case "is stopped":
		signal.Notify(signals, unix.SIGCONT)
		fmt.Print("READY")
		<-signals
		fmt.Print("CONTINUED")
		return 4
	case "waits for a size":
		signal.Notify(signals, unix.SIGWINCH)
		fmt.Print("READY")
		<-signals
		size, err := unix.IoctlGetWinsize(0, unix.TIOCGWINSZ)
		if err != nil {
			return 1
		}
		fmt.Printf("SIZE %dx%d", size.Col, size.Row)
		return 5
	case "ends on TERM":
		signal.Notify(signals, unix.SIGTERM)
		fmt.Print("READY")
		<-signals
		return 6
	case "ignores TERM":
		signal.Ignore(unix.SIGTERM)
		fmt.Print("READY")
		time.Sleep(time.Hour)
	case "is hung up":
		fmt.Print("READY")
		_ = unix.Kill(os.Getpid(), unix.SIGHUP)
		time.Sleep(time.Hour)
	}
	return 1
}

func (s *stage) whole(r report) {
	s.t.Helper()
	if !r.SameTermio {
		s.t.Error("the settings of the terminal are not those from before")
	}
	if !r.Foreground {
		s.t.Error("the host is not the foreground group again")
	}
	s.until(modeResets)
	if r.Exit.broken() && !r.Exit.Lost {
		s.until(modeResets + pictureResets)
	}
}

func TestForegroundReportsHowTheChildEnded(t *testing.T) {
	tests := []struct {
		name, mode string
		act        func(*stage)
		want       Exit
	}{
		{"a clean end is code 0", "exit 0", nil, Exit{Started: true}},
		{"another code is no error", "exit 10", nil, Exit{Started: true, Code: 10}},
		{"a child killed in raw mode leaves a sane terminal", "dies raw", func(s *stage) { s.until("READY") },
			Exit{Started: true, Code: -1, Signal: "SIGKILL"}},
		{"Ctrl+C reaches only the child", "waits for an interrupt", func(s *stage) { s.until("READY"); s.press("\x03") },
			Exit{Started: true, Code: 3}},
		{"a child stopped by Ctrl+Z is continued", "is stopped", func(s *stage) { s.until("READY"); s.press("\x1a"); s.until("CONTINUED") },
			Exit{Started: true, Code: 4}},
		{"a new size is delivered", "waits for a size", func(s *stage) {
			s.until("READY")
			s.resize(101, 30)
			s.until("SIZE 101x30")
		}, Exit{Started: true, Code: 5}},
		{"TERM to planmode ends the child", "ends on TERM", func(s *stage) { s.until("READY"); s.signal(unix.SIGTERM) },
			Exit{Started: true, Code: 6, ByUs: true}},
		{"a child that ignores TERM is killed", "ignores TERM", func(s *stage) { s.until("READY"); s.signal(unix.SIGTERM) },
			Exit{Started: true, Code: -1, Signal: "SIGKILL", ByUs: true}},
		{"a child killed by a hang-up means a lost terminal", "is hung up", nil,
			Exit{Started: true, Code: -1, Signal: "SIGHUP", Lost: true}},
		{"a hang-up of planmode means a lost terminal", "ends on TERM", func(s *stage) { s.until("READY"); s.signal(unix.SIGHUP) },
			Exit{Started: true, Code: 6, ByUs: true, Lost: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, tt.mode)
			if tt.act != nil {
				tt.act(s)
			}
			r := s.finish()
			if r.Exit.Elapsed <= 0 {
				t.Error("no time elapsed")
			}
			r.Exit.Elapsed = 0
			if r.Exit != tt.want {
				t.Errorf("exit %+v, want %+v", r.Exit, tt.want)
			}
			if r.RunError != "" {
				t.Errorf("Run: %s", r.RunError)
			}
			if r.Interrupts != 0 {
				t.Errorf("the host got %d keyboard signals", r.Interrupts)
			}
			s.whole(r)
			b, err := os.ReadFile(filepath.Join(s.dir, "stderr"))
			if err != nil || string(b) != "a line on the standard error\n" {
				t.Errorf("standard error %q, %v", b, err)
			}
		})
	}
}

func (s *stage) signal(sig unix.Signal) {
	s.t.Helper()
	if err := s.host.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

func TestForegroundReportsAChildThatCannotRun(t *testing.T) {
	tests := []struct {
		name, mode, path, want string
		byUs                   bool
	}{
		{"a missing program", "", "/nowhere/reviewer", "run /nowhere/reviewer", false},
		{"a file that is no program fails after the hand-over", "", "testdata", "run ", false},
		{"stopped before it started", "stopped early", "/bin/true", "stopped before it started", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.path
			if path == "testdata" {
				path = filepath.Join(t.TempDir(), "text")
				if err := os.WriteFile(path, []byte("\x00\x01"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			s := start(t, tt.mode, "PLANMODE_TEST_PATH="+path)
			r := s.finish()
			if r.Exit.Started || r.Exit.ByUs != tt.byUs || !strings.Contains(r.RunError, tt.want) {
				t.Errorf("exit %+v, error %q", r.Exit, r.RunError)
			}
			s.whole(r)
		})
	}
}

func TestForegroundNoticesATerminalThatIsGone(t *testing.T) {
	s := start(t, "ends on TERM")
	s.until("READY")
	if err := s.master.Close(); err != nil {
		t.Fatal(err)
	}
	if r := s.finish(); !r.Exit.Lost || !r.Exit.Started {
		t.Errorf("exit %+v, want a lost terminal", r.Exit)
	}
}

func TestForegroundRunsOnce(t *testing.T) {
	f := &Foreground{Path: "/bin/true"}
	if err := f.Run(); err == nil || !strings.Contains(err.Error(), "no terminal") {
		t.Errorf("without a terminal: %v", err)
	}
	f.begun = true
	if err := f.Run(); err != errUsedTwice {
		t.Errorf("second run: %v", err)
	}
}

func TestForegroundDoesNotWriteThroughALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Foreground{Stderr: link}).openStderr(); err == nil {
		t.Error("opened a link")
	}
	if b, _ := os.ReadFile(target); string(b) != "kept" {
		t.Errorf("target holds %q", b)
	}
}
