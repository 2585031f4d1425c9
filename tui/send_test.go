package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planmode/tui/theme"
)

func TestEnterSendsWhatAnInterruptedTurnLeftQueued(t *testing.T) {
	for _, c := range []struct {
		name    string
		running bool
		sends   bool
	}{
		{"while a turn runs it stays queued", true, false},
		{"after the turn it is sent", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.view.Running, f.view.Since, f.queue = c.running, start, []string{"and then the tests"}
			s := newStill(f, theme.Options{Dark: true}).sized(80, 24)
			if got := strings.Contains(s.screen(), "Enter sends"); got != c.sends {
				t.Errorf("told: %v\n%s", got, s.screen())
			}
			if cmd := s.write(tea.KeyPressMsg{Code: tea.KeyEnter}, "enter"); cmd != nil {
				cmd()
			}
			if got := len(f.sent) == 1 && f.sent[0] == "and then the tests"; got != c.sends {
				t.Errorf("sent %q", f.sent)
			}
		})
	}
}
