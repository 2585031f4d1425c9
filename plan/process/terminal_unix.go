//go:build linux || darwin

package process

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"

	"golang.org/x/sys/unix"
)

// Terminal is the controlling terminal and the settings it had when it was
// opened, which must be before any screen changes them; the usual ones if a
// killed program had left it raw. Its methods may be
// called from any goroutine, also while a panic or a signal ends the program.
type Terminal struct {
	file  *os.File
	saved unix.Termios
	found unix.Termios // before they were put right
}

// OpenTerminal opens the controlling terminal and remembers its settings. It
// fails when the process has none.
func OpenTerminal() (*Terminal, error) {
	// The flags keep the descriptor blocking: it is handed to children, and a
	// poller cannot watch /dev/tty everywhere.
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, fmt.Errorf("open the terminal /dev/tty: %w", err)
	}
	t := &Terminal{file: os.NewFile(uintptr(fd), "/dev/tty")}
	settings, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		_ = t.file.Close()
		return nil, fmt.Errorf("read the settings of the terminal: %w", err)
	}
	t.found, t.saved = *settings, usable(*settings)
	return t, nil
}

// InUse says that another program has the terminal: it reads it key by key, as an
// agent does while it runs our caller as a hook, or it is the foreground and this
// process is not. What is drawn then is drawn over, and keys go to either of the two.
func (t *Terminal) InUse() bool {
	group, err := unix.IoctlGetInt(int(t.file.Fd()), unix.TIOCGPGRP)
	raw := t.found.Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) == 0
	return raw || err != nil || group != unix.Getpgrp()
}

// Keep lets Restore put back the settings as they were found, also those of a program
// that reads key by key: for one that is drawn over and goes on after it.
func (t *Terminal) Keep() { t.saved = t.found }

// usable is settings, or what a shell would have set if a program that was
// killed left the terminal raw: that is no state to give back to anybody.
func usable(settings unix.Termios) unix.Termios {
	if settings.Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) != 0 {
		return settings
	}
	settings.Iflag |= unix.ICRNL | unix.IXON
	settings.Oflag |= unix.OPOST | unix.ONLCR
	settings.Lflag |= unix.ICANON | unix.ECHO | unix.ISIG | unix.IEXTEN | unix.ECHOE | unix.ECHOK | unix.ECHOCTL | unix.ECHOKE
	settings.Cc[unix.VMIN], settings.Cc[unix.VTIME] = 1, 0
	return settings
}

// File is the terminal itself, for reading and writing.
func (t *Terminal) File() *os.File { return t.file }

// Close closes the terminal without changing it.
func (t *Terminal) Close() error { return t.file.Close() }

// Restore puts the saved settings back and resets every mode that a screen turns
// on. Done twice it does no harm.
func (t *Terminal) Restore() error {
	defer holdTTOU()()
	return t.restore()
}

func (t *Terminal) restore() error {
	fd := int(t.file.Fd())
	// Not "drain": a terminal stopped by Ctrl+S would block the way out.
	err := unix.IoctlSetTermios(fd, setTermios, &t.saved)
	if _, werr := unix.Write(fd, []byte(modeResets)); err == nil {
		err = werr
	}
	if err != nil {
		return fmt.Errorf("restore the terminal: %w", err)
	}
	return nil
}

// take makes group the foreground process group of the terminal.
func (t *Terminal) take(group int) error {
	if err := unix.IoctlSetPointerInt(int(t.file.Fd()), unix.TIOCSPGRP, group); err != nil {
		return fmt.Errorf("make process group %d the foreground: %w", group, err)
	}
	return nil
}

// isLost reports whether err means that there is no terminal any more.
func isLost(err error) bool {
	return errors.Is(err, unix.EIO) || errors.Is(err, unix.ENOTTY) || errors.Is(err, unix.ENXIO)
}

var (
	ttouMu      sync.Mutex
	ttouHolders int
)

// holdTTOU ignores SIGTTOU until the returned function is called: a process in
// the background that takes the terminal back, or sets it, is stopped by that
// signal otherwise. It is not ignored for ever, since a suspended planmode
// continued by "bg" must be stopped before it touches the shell's terminal.
func holdTTOU() (release func()) {
	ttouMu.Lock()
	defer ttouMu.Unlock()
	if ttouHolders == 0 {
		signal.Ignore(unix.SIGTTOU)
	}
	ttouHolders++
	return func() {
		ttouMu.Lock()
		defer ttouMu.Unlock()
		if ttouHolders--; ttouHolders == 0 {
			signal.Reset(unix.SIGTTOU)
		}
	}
}
