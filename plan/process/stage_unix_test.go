//go:build linux || darwin

package process

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// stage is a host on a pseudo-terminal, as the test sees it.
type stage struct {
	t      *testing.T
	master *os.File
	host   *exec.Cmd
	dir    string

	mu   sync.Mutex
	cond *sync.Cond
	out  bytes.Buffer
	eof  bool
}

func start(t *testing.T, mode string, env ...string) *stage {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, dir: t.TempDir()}
	s.cond = sync.NewCond(&s.mu)
	s.host = exec.Command(self)
	s.host.Env = append(os.Environ(),
		"PLANMODE_TEST_HOST="+filepath.Join(s.dir, "report.json"),
		"PLANMODE_TEST_STDERR="+filepath.Join(s.dir, "stderr"),
		"PLANMODE_TEST_PATH="+self, "PLANMODE_TEST_MODE="+mode)
	s.host.Env = append(s.host.Env, env...)
	master, err := pty.StartWithSize(s.host, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	s.master = pollable(t, master)
	t.Cleanup(func() {
		_ = s.master.Close()
		_ = s.host.Process.Kill()
	})
	go s.read()
	return s
}

// pollable reopens master so that closing it takes effect while it is read.
func pollable(t *testing.T, master *os.File) *os.File {
	t.Helper()
	defer func() { _ = master.Close() }()
	fd, err := unix.Dup(int(master.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "master")
}

func (s *stage) resize(cols, rows uint16) {
	s.t.Helper()
	conn, err := s.master.SyscallConn()
	if err != nil {
		s.t.Fatal(err)
	}
	var serr error
	err = conn.Control(func(fd uintptr) {
		serr = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: cols})
	})
	if err != nil || serr != nil {
		s.t.Fatal(err, serr)
	}
}

func (s *stage) read() {
	buf := make([]byte, 4096)
	for {
		n, err := s.master.Read(buf)
		s.mu.Lock()
		s.out.Write(buf[:n])
		s.eof = err != nil
		s.cond.Broadcast()
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// until waits for text on the terminal.
func (s *stage) until(text string) {
	s.t.Helper()
	timer := time.AfterFunc(20*time.Second, func() { _ = s.host.Process.Kill() })
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !strings.Contains(s.out.String(), text) {
		if s.eof {
			s.t.Fatalf("the terminal closed before %q: %q", text, s.out.String())
		}
		s.cond.Wait()
	}
}

func (s *stage) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.master, keys); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) finish() report {
	s.t.Helper()
	timer := time.AfterFunc(20*time.Second, func() { _ = s.host.Process.Kill() })
	defer timer.Stop()
	if err := s.host.Wait(); err != nil {
		s.t.Fatalf("host: %v", err)
	}
	b, err := os.ReadFile(filepath.Join(s.dir, "report.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(b, &r); err != nil {
		s.t.Fatal(err)
	}
	if r.Error != "" {
		s.t.Fatal(r.Error)
	}
	return r
}
