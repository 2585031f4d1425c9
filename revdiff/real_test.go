//go:build linux || darwin

package revdiff

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"planmode/plan/process"
)

// These tests run a real revdiff on a pseudo-terminal, with keys only. The test
// binary stands for planmode: it has the terminal and hands it over.
func init() {
	if path := os.Getenv("PLANMODE_REVIEW_HOST"); path != "" {
		os.Exit(hostReview(path))
	}
}

func hostReview(path string) int {
	var j Job
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &j) != nil {
		return 1
	}
	terminal, err := process.OpenTerminal()
	if err != nil {
		return 2
	}
	f := j.Foreground(terminal)
	if f.Run() != nil {
		return 3
	}
	b, err = json.Marshal(f.Exit())
	if err != nil || os.WriteFile(path+".exit", b, 0o600) != nil {
		return 4
	}
	return 0
}

type screen struct {
	t      *testing.T
	master *os.File
	host   *exec.Cmd
	mu     sync.Mutex
	cond   *sync.Cond
	out    strings.Builder
	closed bool
}

func onScreen(t *testing.T, path string) *screen {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, host: exec.Command(self)}
	s.cond = sync.NewCond(&s.mu)
	s.host.Env = append(os.Environ(), "PLANMODE_REVIEW_HOST="+path)
	if s.master, err = pty.StartWithSize(s.host, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(30*time.Second, func() { _ = s.host.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = s.host.Process.Kill()
		_ = s.master.Close()
	})
	go s.read()
	return s
}

func (s *screen) read() {
	buf := make([]byte, 8192)
	for {
		n, err := s.master.Read(buf)
		s.mu.Lock()
		s.out.Write(buf[:n])
		s.closed = err != nil
		s.cond.Broadcast()
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// wait waits until what was drawn satisfies done.
func (s *screen) wait(what string, done func(string) bool) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !done(s.out.String()) {
		if s.closed {
			s.t.Fatalf("the terminal closed before %s:\n%s", what, s.out.String())
		}
		s.cond.Wait()
	}
}

func (s *screen) until(text string) {
	s.t.Helper()
	s.wait(text, func(out string) bool { return strings.Contains(out, text) })
}

// press sends keys. A letter that must not be taken as part of a longer paste
// stands behind a key that is no letter.
func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

const down = "\x1b[B"

// annotate writes a note on the line that is n lines below the cursor.
func (s *screen) annotate(n int) {
	s.t.Helper()
	s.press(strings.Repeat(down, n) + "\rwhy\r")
	s.until("\U0001F4AC why")
}

func TestRealRevdiff(t *testing.T) {
	if os.Getenv("REVDIFF_BIN") == "" {
		t.Skip("REVDIFF_BIN is not set")
	}
	reviewer, err := Find(FindOptions{Choice: ChooseRevdiff, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	reviewer, err = Probe(t.Context(), reviewer, os.Environ(), "")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		old     Text
		act     func(*screen)
		want    Kind
		line    int
		quote   string
		heading string
	}{
		{"a note on the first revision", Text{}, func(s *screen) { s.annotate(4); s.press("q") }, Annotated, 5, "Make it so, twice.", "Plan/Goal"},
		{"a note on a comparison", textOne, func(s *screen) { s.annotate(5); s.press("q") }, Annotated, 5, "Make it so, twice.", "Plan/Goal"},
		{"nothing said", Text{}, func(s *screen) { s.press("q") }, Clean, 0, "", ""},
		{"flushed and discarded", Text{}, func(s *screen) { s.annotate(4); s.press("O" + down + "Q" + down + "y") }, Flushed, 5, "Make it so, twice.", "Plan/Goal"},
		{"ended by a signal with a note", Text{}, func(s *screen) {
			s.annotate(4)
			if err := s.host.Process.Signal(unix.SIGTERM); err != nil {
				s.t.Fatal(err)
			}
		}, Interrupted, 5, "Make it so, twice.", "Plan/Goal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := review(t, reviewer, tt.old, tt.act)
			if got.Kind != tt.want {
				t.Fatalf("got %s: %s %s", got.Kind, got.Message, got.Stderr)
			}
			if tt.line == 0 {
				return
			}
			if len(got.Notes) != 1 {
				t.Fatalf("notes %+v", got.Notes)
			}
			n := got.Notes[0]
			if n.Line != tt.line || n.Quote != tt.quote || strings.Join(n.Headings, "/") != tt.heading || n.Body != "why" || n.Side != "new" {
				t.Errorf("note %+v", n)
			}
		})
	}
}

// review runs one review by keys, under a config that would break it.
func review(t *testing.T, reviewer Reviewer, old Text, act func(*screen)) Result {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, ".config", "revdiff", "config")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("include = src\nexclude = docs\nstaged = true\nexit-code-on-annotations = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+home, "TERM=tmux-256color", "REVDIFF_EXCLUDE=", "REVDIFF_INCLUDE=x")
	j, err := Prepare(Request{Reviewer: reviewer, Dir: t.TempDir(), Old: old, New: textTwo, Title: "Plan", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "job.json")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s := onScreen(t, path)
	s.until("twice")
	act(s)
	if err := s.host.Wait(); err != nil {
		t.Fatalf("host: %v\n%s", err, s.out.String())
	}
	var exit Exit
	if b, err = os.ReadFile(path + ".exit"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &exit); err != nil {
		t.Fatal(err)
	}
	return Classify(j, exit)
}
