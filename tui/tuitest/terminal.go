// Package tuitest drives a terminal program as a person does: press keys, wait,
// look at the screen. The program is a Bubble Tea program of this process, on an
// emulated terminal, or a binary on a real pseudo-terminal.
//
// Nothing sleeps: waiting is for output, with a deadline that fails the test and
// shows the screen. All of it works inside a testing/synctest bubble, except the
// pseudo-terminal. The package may only be used by tests.
package tuitest

import (
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// Deadline is how long WaitFor waits before it fails the test. It is generous,
// since a machine may be busy with other tests; only a failure takes so long.
const Deadline = Patience * 30 * time.Second

// Terminal is an emulated terminal and the keyboard before it.
type Terminal struct {
	t     testing.TB
	input io.Writer
	size  func(width, height int) error // tells the program; nil if it cannot be told
	tty   device                        // nil for a program of this process

	mu      sync.Mutex
	emu     *vt.Emulator
	changed chan struct{} // closed at every change, then replaced
	bells   int
	title   string
	modes   map[int]bool // private modes that are on
	bytes   int
	done    chan struct{} // closed when the program has ended
	err     error         // how it ended
}

func newScreen(t testing.TB, width, height int) *Terminal {
	s := &Terminal{t: t, emu: vt.NewEmulator(width, height), changed: make(chan struct{}), modes: map[int]bool{}, done: make(chan struct{})}
	set := func(mode ansi.Mode, on bool) {
		if mode, ok := mode.(ansi.DECMode); ok {
			s.modes[mode.Mode()] = on
		}
	}
	s.emu.SetCallbacks(vt.Callbacks{
		Bell:        func() { s.bells++ },
		Title:       func(title string) { s.title = title },
		EnableMode:  func(mode ansi.Mode) { set(mode, true) },
		DisableMode: func(mode ansi.Mode) { set(mode, false) },
	})
	return s
}

// feed gives output of the program to the terminal.
func (s *Terminal) feed(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += len(p)
	// The emulator takes whatever it is given.
	_, _ = s.emu.Write(clampMargins(p, s.emu.Height()))
	s.touch()
}

// hangUp ends the replies of the terminal. Closing the emulator itself would race
// with the goroutine that reads them.
func (s *Terminal) hangUp() {
	if pipe, ok := s.emu.InputPipe().(io.Closer); ok {
		pipe.Close()
	}
}

// device is the pseudo-terminal below the emulator.
type device interface {
	Foreground() (int, error)
	Settings() (string, error)
	HangUp() error
}

// HangUp closes the pseudo-terminal, as when its window is closed. Nothing can
// be typed or seen after it.
func (s *Terminal) HangUp() {
	s.t.Helper()
	if err := s.tty.HangUp(); err != nil {
		s.t.Fatalf("hang up: %v", err)
	}
}

// Foreground is the process group that has the pseudo-terminal.
func (s *Terminal) Foreground() int {
	s.t.Helper()
	group, err := s.tty.Foreground()
	if err != nil {
		s.t.Fatalf("ask who has the terminal: %v", err)
	}
	return group
}

// Settings are the line settings of the pseudo-terminal, for comparing.
func (s *Terminal) Settings() string {
	s.t.Helper()
	settings, err := s.tty.Settings()
	if err != nil {
		s.t.Fatalf("read the settings of the terminal: %v", err)
	}
	return settings
}

func (s *Terminal) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// end records that the program has ended.
func (s *Terminal) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	close(s.done)
	s.touch()
}

// Press presses keys by name: "enter", "esc", "ctrl+c", "alt+enter",
// "ctrl+alt+p", "pgup", or one character.
func (s *Terminal) Press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		b, err := encode(k)
		if err != nil {
			s.t.Fatal(err)
		}
		s.send(b)
	}
}

// Type types text as it is.
func (s *Terminal) Type(text string) {
	s.t.Helper()
	s.send(text)
}

// Paste pastes text the way a terminal does.
func (s *Terminal) Paste(text string) {
	s.t.Helper()
	s.send("\x1b[200~" + text + "\x1b[201~")
}

func (s *Terminal) send(b string) {
	s.t.Helper()
	if _, err := io.WriteString(s.input, b); err != nil {
		s.t.Fatalf("type %q: %v\n%s", b, err, s.Screen())
	}
}

// Screen is what is visible, without trailing blanks.
func (s *Terminal) Screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visible()
}

func (s *Terminal) visible() string {
	lines := strings.Split(s.emu.String(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Cursor is the place of the cursor, and whether it is shown.
func (s *Terminal) Cursor() (x, y int, shown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.emu.CursorPosition()
	return p.X, p.Y, !s.emu.CursorHidden()
}

// Alternate says whether the alternate screen is on.
func (s *Terminal) Alternate() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emu.IsAltScreen()
}

// Bright says whether the first place where text is visible is bold, reversed or
// on a background of its own: how a dialog shows that it is armed.
func (s *Terminal) Bright(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for y := range s.emu.Height() {
		line, starts := s.line(y)
		at := strings.Index(line, text)
		if at < 0 {
			continue
		}
		style := s.emu.CellAt(starts[at], y).Style
		return style.Bg != nil || style.Attrs&(uv.AttrBold|uv.AttrReverse) != 0
	}
	return false
}

// line is the text of a line, and for each byte of it the column it stands in.
func (s *Terminal) line(y int) (text string, column []int) {
	var b strings.Builder
	for x := range s.emu.Width() {
		c := s.emu.CellAt(x, y)
		if c == nil {
			continue
		}
		b.WriteString(c.Content)
		for range len(c.Content) {
			column = append(column, x)
		}
	}
	return b.String(), column
}

// Modes are the private modes that a program turned on and that would spoil the
// terminal of the next one.
func (s *Terminal) Modes() []string {
	names := map[int]string{
		1: "application cursor keys", 9: "mouse", 1000: "mouse", 1002: "mouse drag", 1003: "mouse motion", 1006: "mouse format",
		1004: "focus reports", 2004: "bracketed paste", 1047: "alternate screen", 1049: "alternate screen",
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var on []string
	for mode, is := range s.modes {
		if is && names[mode] != "" {
			on = append(on, names[mode])
		}
	}
	slices.Sort(on)
	return on
}

// Bells counts the bells so far, Title is the window title, and Bytes counts all
// output.
func (s *Terminal) Bells() int { s.mu.Lock(); defer s.mu.Unlock(); return s.bells }

// Title is the title of the window.
func (s *Terminal) Title() string { s.mu.Lock(); defer s.mu.Unlock(); return s.title }

// Bytes is how much the program has written.
func (s *Terminal) Bytes() int { s.mu.Lock(); defer s.mu.Unlock(); return s.bytes }

// WaitFor waits until text is visible.
func (s *Terminal) WaitFor(text string) {
	s.t.Helper()
	s.Until("text "+quote(text), func(screen string) bool { return strings.Contains(screen, text) })
}

// WaitGone waits until text is not visible.
func (s *Terminal) WaitGone(text string) {
	s.t.Helper()
	s.Until("no text "+quote(text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// Until waits until ok holds for the screen; what says what was waited for.
func (s *Terminal) Until(what string, ok func(screen string) bool) {
	s.t.Helper()
	timer := time.NewTimer(Deadline)
	defer timer.Stop()
	for {
		s.mu.Lock()
		screen, changed := s.visible(), s.changed
		s.mu.Unlock()
		if ok(screen) {
			return
		}
		select {
		case <-s.done:
			s.mu.Lock()
			screen = s.visible()
			s.mu.Unlock()
			if !ok(screen) {
				s.t.Fatalf("the program ended (%v) before there was %s:\n%s", s.err, what, screen)
			}
			return
		case <-changed:
		case <-timer.C:
			s.t.Fatalf("no %s after %s:\n%s", what, Deadline, screen)
		}
	}
}

// Wait waits for the end of the program and says how it ended.
func (s *Terminal) Wait() error {
	s.t.Helper()
	timer := time.NewTimer(Deadline)
	defer timer.Stop()
	select {
	case <-s.done:
		return s.err
	case <-timer.C:
		s.t.Fatalf("the program has not ended after %s:\n%s", Deadline, s.Screen())
		return nil
	}
}

// Resize changes the size of the terminal and tells the program.
func (s *Terminal) Resize(width, height int) {
	s.t.Helper()
	if s.size == nil {
		s.t.Fatal("this terminal cannot tell its program about a new size")
	}
	s.mu.Lock()
	s.emu.Resize(width, height)
	_, _ = s.emu.WriteString(forgetMargins)
	s.mu.Unlock()
	if err := s.size(width, height); err != nil {
		s.t.Fatalf("resize the terminal: %v", err)
	}
}
