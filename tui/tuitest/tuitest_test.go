//go:build unix

package tuitest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestEncode(t *testing.T) {
	for key, want := range map[string]string{
		"a": "a", "计": "计", "ctrl+c": "\x03", "ctrl+alt+p": "\x1b\x10", "alt+enter": "\x1b\r", "alt+esc": "\x1b\x1b", "shift+tab": "\x1b[Z",
	} {
		if got, err := encode(key); err != nil || got != want {
			t.Errorf("encode(%q) = %q, %v; want %q", key, got, err, want)
		}
	}
	if _, err := encode("nonsense"); err == nil {
		t.Error("a key without bytes was encoded")
	}
}

// echo shows the keys it gets, and quits on ctrl+c.
type echo struct {
	got []string
	up  bool
}

func (e echo) Init() tea.Cmd { return tea.Tick(time.Hour, func(time.Time) tea.Msg { return "hour" }) }

func (e echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return e, tea.Quit
		}
		e.got = append(e.got, msg.String())
	case string:
		e.up = true
	}
	return e, nil
}

func (e echo) View() tea.View {
	s := "keys: " + strings.Join(e.got, " ")
	if e.up {
		s += "\nan hour is over"
	}
	v := tea.NewView(s)
	v.AltScreen = true
	return v
}

func TestAProgramOfThisProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Emulate(t, 40, 5)
		s.Run(func() error {
			_, err := tea.NewProgram(echo{}, s.Options()...).Run()
			return err
		})
		s.WaitFor("keys:")
		s.Press("a", "ctrl+alt+p", "up")
		s.WaitFor("keys: a ctrl+alt+p up")
		time.Sleep(time.Hour)
		s.WaitFor("an hour is over")
		s.Press("ctrl+c")
		if err := s.Wait(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAProgramOnAPseudoTerminal(t *testing.T) {
	if os.Getenv("TUITEST_CHILD") == "echo" {
		if _, err := tea.NewProgram(echo{}).Run(); err != nil {
			t.Fatal(err)
		}
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run", "^TestAProgramOnAPseudoTerminal$")
	cmd.Env = append(os.Environ(), "TUITEST_CHILD=echo", "TERM=xterm-256color")
	s := Start(t, cmd, 60, 8)
	s.WaitFor("keys:")
	s.Type("计")
	s.Press("enter")
	s.WaitFor("keys: 计 enter")
	s.Resize(30, 8)
	s.Press("x")
	s.WaitFor("enter x")
	s.Press("ctrl+c")
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	if s.Alternate() {
		t.Error("the alternate screen is still on")
	}
}
