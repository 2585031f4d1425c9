//go:build unix

package herdr

import (
	"bufio"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// socket makes a path that is short enough for a Unix socket everywhere.
func socket(t *testing.T) string {
	dir, err := os.MkdirTemp("", "herdr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

func at(path string) func(string) string {
	return func(name string) string {
		if name == "HERDR_SOCKET_PATH" {
			return path
		}
		return inPane(name)
	}
}

func TestOverARealSocket(t *testing.T) {
	path := socket(t)
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	lines, over := make(chan string, 10), make(chan string, 10)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			in := bufio.NewReader(c)
			line, err := in.ReadString('\n')
			if err != nil {
				t.Error(err)
			}
			lines <- line
			_, _ = io.WriteString(c, ok+"\n")
			rest, _ := io.ReadAll(in)
			over <- string(rest)
			_ = c.Close()
		}
	}()
	r := New(Options{Getenv: at(path)})
	for _, want := range []string{`"state":"idle"`, `"state":"blocked","message":"plan review"`, "pane.release_agent"} {
		if got := <-lines; !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
		if rest := <-over; rest != "" {
			t.Errorf("more than one line on a connection: %q", rest)
		}
		if strings.Contains(want, "idle") {
			r.Blocked("plan review")
		} else {
			r.Close()
		}
	}
}

func TestNoServerOnTheSocket(t *testing.T) {
	stale := socket(t)
	l, err := net.Listen("unix", stale)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path string }{
		{"missing", filepath.Join(t.TempDir(), "none")},
		{"left behind by a server that is gone", stale},
		{"no socket", file},
		{"longer than a socket's name may be", "/tmp/" + strings.Repeat("x", 300)},
	} {
		t.Run(c.name, func(t *testing.T) {
			begun := time.Now()
			r := New(Options{Getenv: at(c.path)})
			r.Working()
			r.Close()
			if d := time.Since(begun); d > firstWait {
				t.Errorf("it took %s", d)
			}
		})
	}
}
