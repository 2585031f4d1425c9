package tui

import (
	"context"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tree"
)

// grow adds an entry, as the session does while the screen shows others.
func (f *fake) grow(kind plan.Kind, body any) {
	f.add(kind, body)
	f.poked <- struct{}{}
}

func TestTheAnswerToAPlanCommandIsInSight(t *testing.T) {
	run(t, "after scrolling up", func(t *testing.T) {
		f := newFake(t)
		for range 60 {
			f.user("filler")
		}
		f.planRun = func(context.Context, string) error {
			f.grow(tree.KindNotice, tree.Notice{Level: tree.Info, Text: "the answer"})
			return nil
		}
		s := startFlow(t, f, nil)
		s.Press("ctrl+home")
		s.Type("/plan off")
		s.Press("enter")
		s.WaitFor("the answer")
		s.quit()
	})
	run(t, "after stepping to the end", func(t *testing.T) {
		f := newFake(t)
		for range 60 {
			f.user("filler")
		}
		f.event(plan.PlanningEntered{})
		s := startFlow(t, f, nil)
		s.Press("ctrl+home")
		s.rest()
		s.Press("alt+.")
		s.rest()
		f.grow(tree.KindNotice, tree.Notice{Level: tree.Info, Text: "what came then"})
		s.WaitFor("what came then")
		s.quit()
	})
}

func TestInterruptingIsSaidUntilItHasEnded(t *testing.T) {
	run(t, "and no longer", func(t *testing.T) {
		f := newFake(t)
		f.view.Running = true
		s := startFlow(t, f, nil)
		s.Press("esc", "esc")
		s.WaitFor("Interrupting")
		f.mu.Lock()
		f.view.Running = false
		f.mu.Unlock()
		f.grow(tree.KindNotice, tree.Notice{Level: tree.Info, Text: "Interrupted."})
		s.WaitFor("Interrupted.")
		s.rest()
		if screen := s.Screen(); strings.Contains(screen, "Interrupting") {
			t.Errorf("it goes on interrupting:\n%s", screen)
		}
		s.quit()
	})
}

func TestShowingWithoutAPlanSaysHowOneComesToBe(t *testing.T) {
	for mode, want := range map[plan.Mode]string{
		plan.ModeNormal:   "No current Plan. /plan on starts one.",
		plan.ModePlanning: "No current Plan. Describe the goal, and one is written.",
	} {
		run(t, string(mode), func(t *testing.T) {
			f := newFake(t)
			f.view.State.Mode = mode
			s := startFlow(t, f, func(o *Options) {
				o.Show = func(context.Context) (string, string, error) { return "", "", session.ErrNoPlan }
			})
			s.Type("/plan show")
			s.Press("enter")
			s.WaitFor(want)
			s.quit()
		})
	}
}
