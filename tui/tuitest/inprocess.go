package tuitest

import (
	"bytes"
	"io"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Emulate makes an emulated terminal for a Bubble Tea program of this process:
// give Options to the program, and run it with Run.
func Emulate(t testing.TB, width, height int) *Emulated {
	s := newScreen(t, width, height)
	r, w := io.Pipe()
	s.input = w
	e := &Emulated{Terminal: s, keyboard: r}
	go func() { // replies of the terminal, which would block it if nobody read them
		_, _ = io.Copy(io.Discard, s.emu)
	}()
	t.Cleanup(func() {
		w.Close()
		s.hangUp()
	})
	return e
}

// Emulated is a Terminal for a program of this process.
type Emulated struct {
	*Terminal
	keyboard *io.PipeReader
}

// Options make a program use this terminal.
func (e *Emulated) Options() []tea.ProgramOption {
	return []tea.ProgramOption{
		tea.WithInput(e.keyboard),
		tea.WithOutput(crlf{e.Terminal}),
		tea.WithWindowSize(e.emu.Width(), e.emu.Height()),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}),
		tea.WithColorProfile(colorprofile.TrueColor),
		tea.WithoutSignalHandler(),
	}
}

// Run runs the program in the background; Wait gives its result.
func (e *Emulated) Run(program func() error) {
	go func() { e.end(program()) }()
}

// crlf does what a terminal driver does to line feeds of a program that has no
// terminal of its own.
type crlf struct{ s *Terminal }

func (w crlf) Write(p []byte) (int, error) {
	w.s.feed(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	return len(p), nil
}
