//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"planmode/plan/process"
	"planmode/tui/tuitest"
)

// fakeHerdr is a server that answers, or hangs, and tells what it was told.
type fakeHerdr struct {
	path  string
	hangs bool

	mu     sync.Mutex
	states []string
	news   chan struct{} // one is waiting when states grew
}

func startHerdr(t *testing.T) *fakeHerdr {
	t.Helper()
	dir, err := os.MkdirTemp("", "herdr") // short: a socket's name is limited
	if err != nil {
		t.Fatal(err)
	}
	h := &fakeHerdr{path: filepath.Join(dir, "s"), news: make(chan struct{}, 1)}
	l, err := net.Listen("unix", h.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		os.RemoveAll(dir)
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go h.serve(c)
		}
	}()
	return h
}

func (h *fakeHerdr) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return
	}
	var req struct {
		Method string
		Params struct{ State, Message string }
	}
	if json.Unmarshal(line, &req) != nil {
		return
	}
	state := req.Params.State
	if req.Method == "pane.release_agent" {
		state = "release"
	}
	if req.Params.Message != "" {
		state += ": " + req.Params.Message
	}
	h.mu.Lock()
	h.states = append(h.states, state)
	h.mu.Unlock()
	select {
	case h.news <- struct{}{}:
	default:
	}
	if h.hangs {
		_, _ = in.ReadByte()
		return
	}
	fmt.Fprintln(c, `{"id":"1","result":{"type":"ok"}}`)
}

func (h *fakeHerdr) last() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.states) == 0 {
		return ""
	}
	return h.states[len(h.states)-1]
}

// until waits until the last thing told is state.
func (h *fakeHerdr) until(t *testing.T, state string) {
	t.Helper()
	limit := time.NewTimer(tuitest.Deadline)
	defer limit.Stop()
	for h.last() != state {
		select {
		case <-h.news:
		case <-limit.C:
			t.Fatalf("Herdr was told %q, not %q", h.states, state)
		}
	}
}

// pane is planmode in a pane of Herdr.
type pane struct {
	*tuitest.Terminal
	cmd *exec.Cmd
}

// inPane runs a command in a pane of h, with a home and a project of its own.
func inPane(t *testing.T, h *fakeHerdr, cmd *exec.Cmd, env ...string) *pane {
	t.Helper()
	home := t.TempDir()
	cmd.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(cmd.Dir, "README.md"), []byte("# Shop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(env,
		"PLANMODE_HOME="+home, "HOME="+home, "TMPDIR="+home, "TERM=xterm-256color", "LANG=C.UTF-8",
		"HERDR_ENV=1", "HERDR_PANE_ID=w1:p1", "HERDR_SOCKET_PATH="+h.path,
	)
	return &pane{Terminal: tuitest.Start(t, cmd, 80, 24), cmd: cmd}
}

func openPane(t *testing.T, program string, h *fakeHerdr) *pane {
	t.Helper()
	p := inPane(t, h, exec.Command(program, "--plan"))
	p.WaitFor("READ-ONLY")
	return p
}

// review has the agent plan and waits until the reviewer has the terminal.
func (p *pane) review(t *testing.T) {
	t.Helper()
	p.Type("Add a search")
	p.WaitFor("> Add a search")
	p.Press("enter")
	p.WaitFor("q done")
}

// dismiss decides nothing on the card, and waits until that is on the record.
func (p *pane) dismiss() {
	p.Until("an armed card", func(screen string) bool { return strings.Contains(screen, "Approve Plan") && p.Bright("❯") })
	p.Press("esc")
	p.WaitFor("Plan review cancelled")
}

func TestHerdrIsToldUntilTheEnd(t *testing.T) {
	program := filepath.Join(t.TempDir(), "planmode")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build planmode: %v\n%s", err, out)
	}
	t.Run("from start to end", func(t *testing.T) {
		t.Parallel()
		h := startHerdr(t)
		p := openPane(t, program, h)
		h.until(t, "idle")
		p.review(t)
		h.until(t, "blocked: plan review")
		p.Press("q")
		p.dismiss()
		h.until(t, "idle")
		p.Press("ctrl+d")
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
		h.until(t, "release")
	})
	signal := func(s syscall.Signal) func(*pane) {
		return func(p *pane) {
			if err := p.cmd.Process.Signal(s); err != nil {
				t.Error(err)
			}
		}
	}
	ends := map[string]func(*pane){
		"HUP": signal(syscall.SIGHUP), "TERM": signal(syscall.SIGTERM), "INT": signal(syscall.SIGINT),
		"the terminal closes": func(p *pane) { p.HangUp() },
	}
	for how, end := range ends {
		for _, when := range []string{"at rest", "in the reviewer", "at the card"} {
			t.Run(how+" "+when, func(t *testing.T) {
				t.Parallel()
				h := startHerdr(t)
				p := openPane(t, program, h)
				h.until(t, "idle")
				if when != "at rest" {
					p.review(t)
					h.until(t, "blocked: plan review")
				}
				if when == "at the card" {
					p.Press("q")
					p.WaitFor("Approve Plan")
				}
				end(p)
				_ = p.Wait() // the exit code is proven elsewhere
				h.until(t, "release")
			})
		}
	}
	t.Run("a server that hangs", func(t *testing.T) {
		t.Parallel()
		h := startHerdr(t)
		h.hangs = true
		p := openPane(t, program, h)
		p.review(t)
		p.Press("q")
		p.dismiss()
		begun := time.Now()
		p.Press("ctrl+d")
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
		if d := time.Since(begun); d > 3*time.Second {
			t.Errorf("leaving took %s", d)
		}
		h.until(t, "release")
	})
	t.Run("no server", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, program, &fakeHerdr{path: filepath.Join(t.TempDir(), "none")})
		p.review(t)
		p.Press("q")
		p.dismiss()
		p.Press("ctrl+d")
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
		if screen := strings.ToLower(p.Screen()); strings.Contains(screen, "herdr") {
			t.Errorf("something was printed:\n%s", screen)
		}
	})
}

const panicEnv = "PLANMODE_TEST_PANIC"

// The test is its own child, which panics in a goroutine of the app.
func TestAPanicReleasesThePane(t *testing.T) {
	if os.Getenv(panicEnv) != "" {
		a, err := newApp(appFlags{})
		if err != nil {
			t.Fatal(err)
		}
		a.herdr.Working()
		process.Go("test", func() { panic("broken") })
		<-t.Context().Done()
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := startHerdr(t)
	p := inPane(t, h, exec.Command(self, "-test.run=^TestAPanicReleasesThePane$"), panicEnv+"=1")
	if err := p.Wait(); err == nil || p.cmd.ProcessState.ExitCode() != exitError {
		t.Errorf("ended with %v", err)
	}
	if !strings.Contains(p.Screen(), "internal error: broken") {
		t.Errorf("the person is told nothing:\n%s", p.Screen())
	}
	h.until(t, "release")
}
