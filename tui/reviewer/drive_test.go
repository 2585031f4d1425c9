package reviewer

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"

	"planmode/tui/rows"
)

// coldList is a list of the same model at the same place with an empty cache.
func coldList(m *Model, item, line, selected int) *rows.List {
	l := rows.New(m)
	l.Decorate = m.decorate
	l.SetTheme(m.theme.Version())
	l.Resize(m.textWidth(), m.bodyHeight())
	l.Select(selected)
	l.ScrollTo(item, line)
	return l
}

func (d *desk) notes() string { return string(d.m.notes.format("p")) }

func TestSaying(t *testing.T) {
	cases := []struct {
		name string
		do   func(*desk)
		want string
	}{
		{"a line", func(d *desk) { d.press("j"); d.note("a", "x") }, "## p:2 ( )\nx\n"},
		{"enter opens a note too", func(d *desk) { d.note("enter", "x") }, "## p:1 ( )\nx\n"},
		{"the whole file", func(d *desk) { d.note("A", "x") }, "## p (file-level)\nx\n"},
		{"several lines", func(d *desk) { d.press("a"); d.write("x"); d.press("alt+enter"); d.write("y"); d.press("enter") }, "## p:1 ( )\nx\ny\n"},
		{"a range by V", func(d *desk) { d.press("j V j j"); d.note("a", "x") }, "## p:2-4 ( )\nx\n"},
		{"a range upwards by shift", func(d *desk) { d.press("j j j shift+up shift+up"); d.note("a", "x") }, "## p:2-4 ( )\nx\n"},
		{"a range of one line is a line", func(d *desk) { d.press("V"); d.note("a", "x") }, "## p:1 ( )\nx\n"},
		{"Esc gives the range up", func(d *desk) { d.press("V j j esc"); d.note("a", "x") }, "## p:3 ( )\nx\n"},
		{"a paste keeps its lines", func(d *desk) {
			d.press("a")
			d.m.Update(tea.PasteMsg{Content: "x\r\ny\x1b[31mz"})
			d.press("enter")
		}, "## p:1 ( )\nx\nyz\n"},
		{"a note is edited where it is", func(d *desk) { d.note("a", "x"); d.note("a", "y") }, "## p:1 ( )\nxy\n"},
		{"Esc keeps what was typed out of the review", func(d *desk) { d.press("a"); d.write("x"); d.press("esc") }, ""},
		{"and a goes on with it", func(d *desk) { d.press("a"); d.write("x"); d.press("esc"); d.note("a", "y") }, "## p:1 ( )\nxy\n"},
		{"d deletes", func(d *desk) { d.note("a", "x"); d.press("d") }, ""},
		{"u brings back", func(d *desk) { d.note("a", "x"); d.press("d u") }, "## p:1 ( )\nx\n"},
		{"d in the list deletes the chosen one", func(d *desk) {
			d.note("a", "x")
			d.press("j")
			d.note("a", "y")
			d.press("@ j d")
		}, "## p:1 ( )\nx\n"},
		{"q in a note is a letter", func(d *desk) { d.note("a", "qQ") }, "## p:1 ( )\nqQ\n"},
		{"a note on the whole file keeps the cursor on its line", func(d *desk) {
			d.press("j j")
			d.note("A", "all")
			d.note("a", "x")
		}, "## p (file-level)\nall\n\n## p:3 ( )\nx\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t, reviewOf(t, "one\ntwo\nthree\nfour\nfive\n", nil), 60, 12)
			c.do(d)
			d.screen()
			if got := d.notes(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestSayingInAComparison(t *testing.T) {
	const old, new = "a\nb\nc\nd\n", "a\nx\ny\nc\nd\n"
	cases := []struct{ name, keys, want string }{
		{"a removed line has its old number", "]", "## p:2 (-)\n!\n"},
		{"an added line its new one", "] j", "## p:2 (+)\n!\n"},
		{"an unchanged line its new one", "] j j j", "## p:4 ( )\n!\n"},
		{"a range over a change is about what was added", "] V j j j", "## p:2-3 (+)\n!\n"},
		{"a range of unchanged and removed lines is about the unchanged", "V j", "## p:1 ( )\n!\n"},
		{"in the new text only, a line that replaces another is added", "v ]", "## p:2 (+)\n!\n"},
		{"with the changes only, lines keep their numbers", "C ] j j", "## p:3 (+)\n!\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t, compareOf(t, old, new, nil), 60, 12)
			d.press(c.keys)
			d.note("a", "!")
			if got := d.notes(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("the list shows a note whose line the view leaves out", func(t *testing.T) {
		d := sit(t, compareOf(t, old, new, nil), 60, 12)
		d.press("]")
		d.note("a", "why?")
		d.press("v @ enter")
		d.shows("why?")
		if d.m.look.collapsed {
			t.Error("the removed lines are still hidden")
		}
	})
	t.Run("identical files say so and take a note", func(t *testing.T) {
		d := sit(t, compareOf(t, old, old, nil), 60, 12)
		d.shows("identical")
		d.note("A", "nothing changed?")
		if got := d.notes(); got != "## p (file-level)\nnothing changed?\n" {
			t.Errorf("got %q", got)
		}
	})
}

func TestEnding(t *testing.T) {
	cases := []struct {
		name, keys string
		noted      bool
		want       ending
	}{
		{"q is done", "q", true, endDone},
		{"Q without notes just ends", "Q", false, endDiscard},
		{"Q with notes asks", "Q", true, endNone},
		{"Q twice discards", "Q Q", true, endDiscard},
		{"Enter is no answer", "Q enter q", true, endNone},
		{"n goes back", "Q n q", true, endDone},
		{"Ctrl+C asks", "ctrl+c", true, endNone},
		{"Ctrl+C twice leaves", "ctrl+c ctrl+c", true, endLeft},
		{"Ctrl+C in a note asks as well", "a ctrl+c y", true, endLeft},
		{"Esc ends nothing", "esc esc esc", true, endNone},
		{"q with half-typed text asks", "j a x esc q", false, endNone},
		{"and ends without it", "j a x esc q y", false, endDone},
		{"O changes nothing about the end", "O Q y", true, endDiscard},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t, reviewOf(t, "one\ntwo\n", nil), 60, 12)
			if c.noted {
				d.note("a", "x")
			}
			if cmd := d.press(c.keys); d.m.handing {
				d.m.Update(cmd())
			}
			if d.m.ending != c.want {
				t.Errorf("ended with %d, want %d", d.m.ending, c.want)
			}
		})
	}
}

func TestFlushWritesNow(t *testing.T) {
	d := sit(t, reviewOf(t, "one\n", nil), 60, 12)
	if d.press("O"); d.m.ending != endNone {
		t.Fatal("O without notes ended the review")
	}
	d.note("a", "x")
	d.m.Update(d.press("O")())
	raw, err := os.ReadFile(d.m.opts.Output)
	if want := "## " + d.m.subject.key + ":1 ( )\nx\n"; err != nil || string(raw) != want {
		t.Errorf("output %q, %v", raw, err)
	}
	d.shows("1 note handed over")
}

func TestTheBoxIsPartOfTheDraft(t *testing.T) {
	m := reviewOf(t, "one\ntwo\n", nil)
	d := sit(t, m, 60, 12)
	d.press("j a")
	d.write("hal")
	if cmd := d.press("f"); cmd != nil {
		t.Error("two saves run at once")
	}
	d.settle()
	again := reopen(t, m)
	if got := again.notes.drafts[at(2, ' ')].body; got != "half" {
		t.Errorf("came back as %q", got)
	}
}

func TestEveryKeptNoteIsSavedAtOnce(t *testing.T) {
	m := reviewOf(t, "one\n", nil)
	d := sit(t, m, 60, 12)
	d.note("a", "x")
	d.settle()
	if again := reopen(t, m); again.notes.notes[at(1, ' ')].body != "x" {
		t.Error("the note was not saved")
	}
	d.press("d")
	d.m.Update(savedMsg{err: errors.New("disk full")})
	d.shows("NOT SAVED")
	d.press("j a")
	d.shows("NOT SAVED")
	_, cmd := d.m.Update(retryMsg{})
	d.m.Update(cmd())
	d.shows("saved again")
}

func TestHostileTextReachesNoTerminal(t *testing.T) {
	hostile := "# a\x1b[2Jb\x1b]0;owned\a\n\u202etxt\u202c c\x9b31m\n```\n\x1b[?1049l\n"
	d := sit(t, reviewOf(t, hostile, func(o *Options) { o.Description = "d\x1b]52;c;x\ae" }), 60, 12)
	for _, keys := range []string{"", "i", "esc t", "esc"} {
		d.press(keys)
		content := d.m.View().Content
		for _, bad := range []string{"\x1b[2J", "\x1b]", "\u202e", "\x9b", "\a", "1049"} {
			if strings.Contains(content, bad) {
				t.Errorf("%q is on the screen after %q", bad, keys)
			}
		}
	}
}

func TestLongAndOddLines(t *testing.T) {
	texts := map[string]string{
		"one line of five megabytes": strings.Repeat("word ", 1<<20),
		"invalid UTF-8":              "a\xff\xfe\xc3b\n",
		"CRLF and a BOM":             "\ufeff# a\r\nb\r\n",
		"a lone CR":                  "a\rb\n",
		"only line ends":             "\n\n\n",
		"nothing":                    "",
	}
	for name, content := range texts {
		t.Run(name, func(t *testing.T) {
			d := sit(t, reviewOf(t, content, nil), 40, 10)
			d.press("j j w right w G g a")
			d.screen()
		})
	}
}

func TestTheBackgroundDecidesTheColours(t *testing.T) {
	m := reviewOf(t, samplePlan, nil)
	d := sit(t, m, 60, 12)
	dark := d.m.View().Content
	d.m.Update(tea.BackgroundColorMsg{Color: color.White})
	if light := d.m.View().Content; light == dark {
		t.Error("a light background changed nothing")
	}
	if m.Init() == nil {
		t.Error("the terminal is not asked")
	}
	if reviewOf(t, "a\n", func(o *Options) { o.Theme = "light" }).Init() != nil {
		t.Error("the terminal is asked although the theme was given")
	}
	plain := sit(t, reviewOf(t, samplePlan, func(o *Options) { o.NoColors = true }), 60, 12)
	if strings.Contains(plain.m.View().Content, "38;") {
		t.Error("there are colours in spite of --no-colors")
	}
	ascii := sit(t, compareOf(t, samplePlan, revisedPlan(), func(o *Options) { o.ASCII = true }), 120, 30)
	ascii.press("C")
	for _, r := range strings.NewReplacer("风险", "", "\n", "").Replace(ascii.screen()) {
		if r > '~' && r < 0x3000 {
			t.Errorf("%q is on an ASCII screen", r)
		}
	}
}

func TestSignsOfAnInputMethodAreKeys(t *testing.T) {
	d := sit(t, compareOf(t, "a\nb\n", "a\nc\n", nil), 60, 12)
	d.press("】")
	d.note("ａ", "x")
	if got := d.notes(); got != "## p:2 (-)\nx\n" {
		t.Errorf("got %q", got)
	}
	d.press("？")
	d.shows("Keys")
}

// TestProgram runs the whole program against an emulated terminal.
func TestProgram(t *testing.T) {
	m := reviewOf(t, samplePlan, nil)
	keys, typed := io.Pipe()
	screen := newScreen(80, 24)
	p := tea.NewProgram(m, tea.WithInput(keys), tea.WithOutput(screen), tea.WithWindowSize(80, 24),
		tea.WithoutSignals(), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	screen.wait(t, "# Token store migration")
	fmt.Fprint(typed, "jja")
	screen.wait(t, "Note on line 3")
	fmt.Fprint(typed, "really?")
	screen.wait(t, "really?")
	fmt.Fprint(typed, "\r")
	screen.wait(t, "1 note")
	p.Send(signalMsg{syscall.SIGTERM})
	err := <-ended
	if err != nil {
		t.Fatal(err)
	}
	// The save that a key began may not have come to its end before the signal.
	m.conclude(io.Discard, io.Discard, err)
	if m.ending != endSignal || signalCode(m.signal) == 0 {
		t.Errorf("ended with %d by %v", m.ending, m.signal)
	}
	m.conclude(io.Discard, io.Discard, nil)
	if _, err := os.Stat(filepath.Join(m.opts.HistoryDir, filepath.Base(m.saver.path()))); err != nil {
		t.Error(err)
	}
}

// screen is an emulated terminal that a test can wait on.
type screen struct {
	mu      sync.Mutex
	emu     *vt.Emulator
	changed chan struct{}
}

func newScreen(width, height int) *screen {
	s := &screen{emu: vt.NewEmulator(width, height), changed: make(chan struct{}, 1)}
	go io.Copy(io.Discard, s.emu) // its answers have nowhere to go
	return s
}

// Write adds the carriage returns that a terminal driver would.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emu.Write([]byte(strings.ReplaceAll(string(p), "\n", "\r\n")))
	s.poke()
	return len(p), nil
}

func (s *screen) poke() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emu.String()
}

func (s *screen) wait(t *testing.T, want string) {
	t.Helper()
	for range 200 {
		if strings.Contains(s.text(), want) {
			return
		}
		<-s.changed
	}
	t.Fatalf("%q never came up:\n%s", want, s.text())
}
