package tui

import (
	"strings"
	"testing"

	"planmode/plan"
)

func TestFindingWhatWasSaid(t *testing.T) {
	run(t, "an earlier message comes back", func(t *testing.T) {
		f := newFake(t)
		s := startFlow(t, f, func(o *Options) { o.History = []string{"first thing", "second thing", "first thing"} })
		s.Press("ctrl+r")
		s.WaitFor("What you said (2 of 2)")
		s.Type("second")
		s.WaitFor("(1 of 2)")
		s.Press("enter")
		s.rest()
		if got := s.app.model.composer.Text(); got != "second thing" {
			t.Errorf("the composer has %q", got)
		}
		s.quit()
	})
	run(t, "closing leaves the text alone", func(t *testing.T) {
		f := newFake(t)
		s := startFlow(t, f, func(o *Options) { o.History = []string{"first thing"} })
		s.Type("draft")
		s.Press("ctrl+r")
		s.WaitFor("What you said")
		s.Press("esc")
		s.rest()
		if got := s.app.model.composer.Text(); got != "draft" {
			t.Errorf("the composer has %q", got)
		}
		s.quit()
	})
}

func TestSearchingTheConversationAndSteppingThroughEvents(t *testing.T) {
	run(t, "both", func(t *testing.T) {
		f := newFake(t)
		f.user("begin").event(plan.PlanningEntered{})
		for range 40 {
			f.user("filler")
		}
		f.user("the needle is here")
		for range 40 {
			f.user("filler")
		}
		s := startFlow(t, f, nil)
		s.Press("ctrl+s")
		s.WaitFor("Search the conversation")
		s.Type("needle")
		s.Press("enter")
		s.rest()
		if screen := s.Screen(); !strings.Contains(screen, "the needle is here") {
			t.Errorf("not shown:\n%s", screen)
		}
		s.Press("alt+,")
		s.rest()
		if screen := s.Screen(); !strings.Contains(screen, "Plan Mode on") && !strings.Contains(screen, "Plan mode on") {
			t.Errorf("the event is not shown:\n%s", screen)
		}
		s.quit()
	})
}
