package tui

import (
	"slices"
	"strings"
	"testing"

	"planmode/plan/session"
)

func TestACommandOfThePersonIsRunAndNotSent(t *testing.T) {
	run(t, "it runs", func(t *testing.T) {
		f := newFake(t)
		s := startFlow(t, f, nil)
		s.Type("!git status")
		s.Press("enter")
		s.rest()
		f.mu.Lock()
		ran, sent := slices.Clone(f.shell), len(f.sent)
		f.mu.Unlock()
		if !slices.Equal(ran, []string{"git status"}) || sent != 0 {
			t.Errorf("ran %q, sent %d", ran, sent)
		}
		s.quit()
	})
	run(t, "one that cannot run now comes back", func(t *testing.T) {
		f := newFake(t)
		f.shellErr = session.ErrBusy
		s := startFlow(t, f, nil)
		s.Type("!ls")
		s.Press("enter")
		s.WaitFor("did not run")
		if screen := s.Screen(); !strings.Contains(screen, "!ls") {
			t.Errorf("the command is gone:\n%s", screen)
		}
		s.quit()
	})
}
