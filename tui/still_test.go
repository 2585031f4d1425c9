package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/tui/theme"
)

func TestNothingMovesByItselfWithReducedMotion(t *testing.T) {
	f := newFake(t)
	f.view.Running, f.view.Since = true, start
	s := newStill(f, theme.Options{Dark: true})
	s.opts.Still, s.opts.Notify = true, true
	s.alerts.terminal.progress = true
	s.sized(80, 24)
	first := s.View()
	if !strings.Contains(s.screen(), "● Working · 0s") {
		t.Errorf("the turn is not shown:\n%s", s.screen())
	}
	for _, later := range []time.Duration{time.Second, 5 * time.Second, 9900 * time.Millisecond} {
		s.now = start.Add(later)
		s.Update(tickMsg{start})
		if v := s.View(); v.Content != first.Content {
			t.Errorf("after %s the screen moved:\n%s", later, s.screen())
		}
	}
	if first.Cursor == nil || first.Cursor.Blink {
		t.Error("the cursor blinks")
	}
	if p := first.ProgressBar; p != nil && p.State == tea.ProgressBarIndeterminate {
		t.Error("the progress bar pulses")
	}
	s.now = start.Add(10 * time.Second)
	s.Update(tickMsg{start})
	if !strings.Contains(s.screen(), "● Working · 10s") {
		t.Errorf("the clock stands still:\n%s", s.screen())
	}
}
