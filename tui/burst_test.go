package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/tui/composer"
	"planmode/tui/theme"
)

// fast types keys as they come when a terminal without bracketed paste is pasted
// into, each gap after the one before.
func fast(s *still, text string, gap time.Duration) {
	for _, r := range text {
		s.now = s.now.Add(gap)
		msg := tea.KeyPressMsg{Code: r, Text: string(r)}
		if r == '\n' {
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		}
		runAll(s, msg)
	}
}

// runAll gives the model a message; what it would wait for is left out.
func runAll(s *still, msg tea.Msg) { s.Update(msg) }

// over lets the burst end.
func over(s *still) {
	s.now = s.now.Add(burstSend)
	s.Update(burstOverMsg{})
}

func TestTextThatComesFasterThanAnybodyTypes(t *testing.T) {
	for name, c := range map[string]struct {
		keys  string
		gap   time.Duration
		sends []string // waiting to be sent
		text  string
	}{
		"what is typed by hand is sent line by line": {"one\ntwo", 80 * time.Millisecond, []string{"one"}, "two"},
		"lines that were pasted are one text":        {"first line\n/plan abandon\n!rm -rf x\n", time.Millisecond, nil, "first line\n/plan abandon\n!rm -rf x\n"},
		"one line and Enter is sent":                 {"Add a shopping cart\n", time.Millisecond, []string{"Add a shopping cart"}, ""},
		"Chinese lines, too":                         {"第一行的文字\n第二行", time.Millisecond, nil, "第一行的文字\n第二行"},
		"a short burst is typing":                    {"ok\n", time.Millisecond, []string{"ok"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
			s.outbox.sending = true // so that what is sent stays to be looked at
			fast(s, c.keys, c.gap)
			over(s)
			if !slices.Equal(s.outbox.texts(), c.sends) || s.composer.Text() != c.text {
				t.Errorf("sends %q, and %q is written; want %q and %q", s.outbox.texts(), s.composer.Text(), c.sends, c.text)
			}
		})
	}
}

// A paste that holds the mark of its own end leaves its rest to be typed: no
// Enter in it may count.
func TestWhatFollowsAPasteAtOnceIsNeverSent(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	s.now = s.now.Add(time.Second)
	s.Update(tea.PasteMsg{Content: "harmless"})
	fast(s, "!rm\n", time.Millisecond)
	over(s)
	if s.said != nil || s.composer.Text() != "harmless!rm\n" {
		t.Errorf("sent %q, and %q is written", s.said, s.composer.Text())
	}
}

// Over a slow line a paste comes in pieces, and a piece may be one line.
func TestAPasteThatComesInPiecesIsNotSent(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	s.outbox.sending = true
	for _, piece := range []string{"first line\nsec", "ond line\n", "!rm\n", "x\n", "/plan abandon\nlast"} {
		s.now = s.now.Add(300 * time.Millisecond)
		fast(s, piece, time.Millisecond)
		over(s)
	}
	const want = "first line\nsecond line\n!rm\nx\n/plan abandon\nlast"
	if s.said != nil || s.composer.Text() != want {
		t.Errorf("sent %q, and %q is written", s.said, s.composer.Text())
	}
	s.now = s.now.Add(300 * time.Millisecond)
	s.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	over(s)
	if len(s.said) != 1 || s.said[0] != want {
		t.Errorf("Enter by hand sent %q", s.said)
	}
}

func TestABurstBreaksAPair(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	s.now = s.now.Add(time.Second)
	s.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	s.now = s.now.Add(100 * time.Millisecond)
	s.Update(tea.PasteMsg{Content: "x"})
	fast(s, "more text", time.Millisecond)
	s.now = s.now.Add(100 * time.Millisecond)
	_, cmd := s.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	if s.composer.Text() != "" || quits(cmd) {
		t.Errorf("%q is written, or it quits", s.composer.Text())
	}
}

func TestABurstIsLongWithoutAStall(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	line := strings.Repeat("x", 79) + "\n"
	fast(s, strings.Repeat(line, 2000), time.Microsecond)
	over(s)
	if got := s.composer.Text(); got != strings.Repeat(line, 2000) {
		t.Errorf("%d bytes are written", len(got))
	}
	if !strings.Contains(s.screen(), "[Pasted 2000 lines]") {
		t.Errorf("no chip:\n%s", s.screen())
	}
}

func TestAKeyThatIsNoTextEndsABurst(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	fast(s, "first line\nsecond", time.Millisecond)
	s.now = s.now.Add(time.Millisecond)
	s.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	if got := s.composer.Text(); got != "first line\nsecon" {
		t.Errorf("%q is written", got)
	}
}

func TestATextThatIsTooLongIsRefusedAloud(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	s.Update(tea.PasteMsg{Content: "kept"})
	s.Update(tea.PasteMsg{Content: strings.Repeat("x", 10<<20)})
	if got := s.composer.Text(); got != "kept" {
		t.Errorf("%d bytes are written", len(got))
	}
	if !strings.Contains(s.screen(), "Not pasted: 11 MB, and 4 MB is the most. Save it in a file, name it with @") {
		t.Errorf("the limit is not said:\n%s", s.screen())
	}
	s.Update(tea.PasteMsg{Content: strings.Repeat("x", composer.MaxText-4)})
	if got := len(s.composer.Text()); got != composer.MaxText {
		t.Errorf("%d bytes are written of a text at the limit", got)
	}
}

// texts are the messages that wait.
func (o outbox) texts() []string {
	var out []string
	for _, l := range o.waiting {
		out = append(out, l.text)
	}
	return out
}

// quits says whether a command ends the program at once.
func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		_, yes := msg.(tea.QuitMsg)
		return yes
	case <-time.After(50 * time.Millisecond):
		return false
	}
}
