//go:build unix

package tuitest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/creack/pty"
)

// Start runs a command on a pseudo-terminal of the given size. The terminal
// answers what programs ask terminals. The command is killed when the test ends.
func Start(t testing.TB, cmd *exec.Cmd, width, height int) *Terminal {
	t.Helper()
	if cmd.Env == nil {
		cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		t.Fatalf("start %s on a pseudo-terminal: %v", cmd.Path, err)
	}
	s := newScreen(t, width, height)
	s.input = tty
	s.size = func(w, h int) error { return pty.Setsize(tty, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}) }
	go func() { // replies of the terminal
		_, _ = io.Copy(tty, s.emu)
	}()
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 32<<10)
		for {
			n, err := tty.Read(buf)
			s.feed(buf[:n])
			if err != nil { // EIO is the end of a pseudo-terminal on Linux
				return
			}
		}
	}()
	go func() {
		err := cmd.Wait()
		<-read
		s.end(err)
	}()
	t.Cleanup(func() {
		// It may have ended long ago.
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Logf("kill %s: %v", cmd.Path, err)
		}
		tty.Close()
		<-s.done
		s.hangUp()
	})
	return s
}
