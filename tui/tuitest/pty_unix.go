//go:build unix

package tuitest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// master asks the terminal through its master side, which knows the settings also
// when no program has the terminal open any more.
type master struct{ *os.File }

func (m master) Foreground() (group int, err error) {
	err = m.control(func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	return group, err
}

func (m master) Settings() (settings string, err error) {
	err = m.control(func(fd int) error {
		state, err := term.GetState(uintptr(fd))
		settings = fmt.Sprintf("%+v", state)
		return err
	})
	return settings, err
}

// control keeps the file one that can be closed while it is read, which asking
// for its descriptor would end.
func (m master) control(ask func(fd int) error) error {
	conn, err := m.SyscallConn()
	if err != nil {
		return err
	}
	var asked error
	if err := conn.Control(func(fd uintptr) { asked = ask(int(fd)) }); err != nil {
		return err
	}
	return asked
}

// HangUp closes the pseudo-terminal, as when its window is closed.
func (m master) HangUp() error { return m.Close() }

// FreshSettings are the line settings of a pseudo-terminal that no program has
// touched.
func FreshSettings(t testing.TB) string {
	t.Helper()
	tty, other, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	defer other.Close()
	settings, err := master{tty}.Settings()
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// pollable reopens tty so that closing it takes effect while it is read.
func pollable(t testing.TB, tty *os.File) *os.File {
	t.Helper()
	defer tty.Close()
	fd, err := unix.FcntlInt(tty.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatalf("reopen the pseudo-terminal: %v", err)
	}
	return os.NewFile(uintptr(fd), tty.Name())
}

// Start runs a command on a pseudo-terminal of the given size. The terminal
// answers what programs ask terminals. The command is killed when the test ends.
func Start(t testing.TB, cmd *exec.Cmd, width, height int) *Terminal {
	t.Helper()
	return start(t, cmd, width, height, true)
}

// StartMute is Start on a terminal that answers nothing it is asked.
func StartMute(t testing.TB, cmd *exec.Cmd, width, height int) *Terminal {
	t.Helper()
	return start(t, cmd, width, height, false)
}

func start(t testing.TB, cmd *exec.Cmd, width, height int, answers bool) *Terminal {
	t.Helper()
	if cmd.Env == nil {
		cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		t.Fatalf("start %s on a pseudo-terminal: %v", cmd.Path, err)
	}
	tty = pollable(t, tty)
	s := newScreen(t, width, height)
	s.input, s.tty = tty, master{tty}
	s.size = func(w, h int) error { return pty.Setsize(tty, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}) }
	replies := io.Discard
	if answers {
		replies = tty
	}
	go func() { // somebody must read them, or the terminal stands still
		_, _ = io.Copy(replies, s.emu)
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
