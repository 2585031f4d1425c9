package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Foreground is one child that gets the terminal: it runs in a process group of
// its own that is made the foreground group, so that Ctrl+C, Ctrl+Z and a new
// window size reach it and not planmode. It always talks to the terminal device,
// never to planmode's standard streams, which may be pipes. However it ends, Run
// takes the terminal back with the settings from before planmode's screen.
//
// It has the methods of a command that Bubble Tea's Exec runs. Use it once.
type Foreground struct {
	Terminal *Terminal
	Path     string
	Args     []string // without the executable
	Env      []string // the whole environment; nil is planmode's own
	Dir      string
	Stderr   string        // file that collects the standard error; empty drops it
	Grace    time.Duration // between TERM and KILL in Stop; 0 is two seconds

	mu      sync.Mutex
	begun   bool
	stopped bool          // by Stop, before the child ended
	ended   bool          // the child is gone
	lost    bool          // the terminal hung up meanwhile
	pid     int           // of the running child and its group; 0 before and after
	done    chan struct{} // closed when the child is gone
	exit    Exit
}

// SetStdin is ignored: the child reads the terminal.
func (f *Foreground) SetStdin(io.Reader) {}

// SetStdout is ignored: the child draws on the terminal.
func (f *Foreground) SetStdout(io.Writer) {}

// SetStderr is ignored: the standard error goes to a file, so that it cannot
// spoil the picture.
func (f *Foreground) SetStderr(io.Writer) {}

// Exit tells how the child ended. It is complete when Run has returned.
func (f *Foreground) Exit() Exit {
	f.mu.Lock()
	defer f.mu.Unlock()
	exit := f.exit
	exit.Lost = exit.Lost || f.lost
	return exit
}

var errUsedTwice = errors.New("a foreground command runs once")

// begin claims the one run, or says why there is none.
func (f *Foreground) begin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.begun:
		return errUsedTwice
	case f.Terminal == nil:
		return fmt.Errorf("run %s: no terminal", f.Path)
	}
	f.begun = true
	f.done = make(chan struct{})
	f.exit = Exit{Code: -1}
	return nil
}

// openStderr opens the file for the child's standard error.
func (f *Foreground) openStderr() (*os.File, error) {
	if f.Stderr == "" {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	file, err := os.OpenFile(f.Stderr, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|noFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the file for the standard error of %s: %w", f.Path, err)
	}
	return file, nil
}

func (f *Foreground) grace() time.Duration {
	if f.Grace > 0 {
		return f.Grace
	}
	return 2 * time.Second
}
