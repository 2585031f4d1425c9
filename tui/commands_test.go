package tui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/tui/theme"
)

func TestSlashCommands(t *testing.T) {
	run(t, "an unknown command stays in the composer", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Type("/frobnicate now")
		f.Press("enter")
		f.WaitFor("/frobnicate is not a command; /help lists them")
		f.WaitFor("> /frobnicate now")
		f.quit()
	})
	run(t, "plan commands reach the session", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		for _, c := range []string{"/plan ON ", "/plan", "/plan on x"} {
			f.Type(c)
			f.Press("esc") // closes the completions
			f.rest()
			f.Press("enter")
			f.rest()
		}
		if _, plans, _ := f.fake.calls(); !slices.Equal(plans, []string{"on", "", "on x"}) {
			t.Errorf("plan calls %q", plans)
		}
		f.quit()
	})
	run(t, "a usage error is shown", func(t *testing.T) {
		fk := newFake(t)
		fk.planRun = func(context.Context, string) error { return session.ErrUsage }
		f := startFlow(t, fk, nil)
		f.Type("/plan on x")
		f.Press("enter")
		f.WaitFor("usage: /plan")
		f.quit()
	})
	run(t, "steps without a plan say so", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Press("ctrl+alt+o")
		f.WaitFor("No current Plan.")
		f.quit()
	})
	run(t, "the keys follow what is pressed while they are shown", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Type("/keys")
		f.Press("enter")
		f.WaitFor("delivered: /, k, e, y, s, Enter")
		f.Press("pgdown", "pgup", "ctrl+alt+o")
		f.WaitFor("Ctrl+Alt+O\nA key")
		f.Press("esc")
		f.WaitGone("delivered")
		f.quit()
	})
	run(t, "help opens and Esc closes it", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Type("/help")
		f.Press("enter")
		f.WaitFor("/mode")
		f.Press("esc")
		f.WaitGone("/mode")
		f.quit()
	})
	run(t, "a plan command waits for the one before and is not lost", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		first := make(chan struct{})
		f.fake.planRun = func(_ context.Context, arg string) error {
			if arg == "on" {
				<-first
			}
			return nil
		}
		f.Type("/plan on")
		f.Press("enter")
		f.Type("/plan review")
		f.Press("enter", "shift+tab")
		synctest.Wait()
		if _, plans, _ := f.fake.calls(); !slices.Equal(plans, []string{"on"}) {
			t.Errorf("plan calls %q before the first is over", plans)
		}
		close(first)
		synctest.Wait()
		if _, plans, _ := f.fake.calls(); !slices.Equal(plans, []string{"on", "review", "toggle"}) {
			t.Errorf("plan calls %q", plans)
		}
		f.quit()
	})
	run(t, "show opens the plan to read", func(t *testing.T) {
		f := startFlow(t, newFake(t), func(o *Options) {
			o.Show = func(context.Context) (string, string, error) {
				return "OAuth r2", "# Goal\n\nMove **all** logins.\x1b[2J", nil
			}
		})
		f.Type("/plan show")
		f.Press("enter")
		f.WaitFor("OAuth r2")
		f.WaitFor("Move all logins.")
		f.Press("a", "enter")
		f.WaitGone("Move all logins.")
		if _, plans, _ := f.fake.calls(); len(plans) != 0 {
			t.Errorf("plan calls %q", plans)
		}
		f.quit()
	})
	run(t, "resume offers sessions and ends with the choice", func(t *testing.T) {
		f := startFlow(t, newFake(t), func(o *Options) {
			o.Earlier = func(context.Context, bool) ([]Earlier, error) {
				return []Earlier{{ID: "aa", Title: "Monday"}, {ID: "bb", Title: "Tuesday"}}, nil
			}
		})
		f.Type("/resume")
		f.Press("enter")
		f.WaitFor("Tuesday")
		f.rest()
		f.Press("down", "enter")
		if err := f.Wait(); err != nil || f.app.Next() != (Next{Session: "bb"}) {
			t.Errorf("ended with %v, next %+v", err, f.app.Next())
		}
	})
}

func TestDrafts(t *testing.T) {
	run(t, "what is written is saved after a rest and at the end", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Type("half a")
		f.WaitFor("half a")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if _, _, drafts := f.fake.calls(); !slices.Equal(drafts, []string{"half a"}) {
			t.Errorf("drafts %q", drafts)
		}
		f.Type(" thought")
		f.WaitFor("half a thought")
		f.quit()
		if _, _, drafts := f.fake.calls(); drafts[len(drafts)-1] != "half a thought" {
			t.Errorf("drafts %q", drafts)
		}
	})
	run(t, "a saved draft comes back", func(t *testing.T) {
		fk := newFake(t)
		fk.restored = "from yesterday"
		f := startFlow(t, fk, nil)
		f.WaitFor("> from yesterday")
		f.quit()
	})
	run(t, "sending clears the saved draft at once", func(t *testing.T) {
		fk := newFake(t)
		fk.restored = "old"
		f := startFlow(t, fk, nil)
		f.WaitFor("> old")
		f.Press("enter")
		synctest.Wait()
		if _, _, drafts := fk.calls(); !slices.Equal(drafts, []string{""}) {
			t.Errorf("drafts %q", drafts)
		}
		f.quit()
	})
}

func TestSummaryNamesThePlanAndTheWayBack(t *testing.T) {
	run(t, "after the end", func(t *testing.T) {
		fk := newFake(t).user("hi")
		fk.view.Session = "s1"
		fk.view.State.Work = &plan.Work{Ref: ref(2), Status: plan.Implementing}
		fk.view.Work = planView("OAuth\x1b[2J", 2, plan.StatusApproved)
		f := startFlow(t, fk, nil)
		f.WaitFor("hi")
		f.quit()
		if got, want := f.app.Summary(), "Plan: OAuth - r2 - IMPLEMENTING\nResume with: planmode --resume s1\n"; got != want {
			t.Errorf("summary %q, want %q", got, want)
		}
	})
	run(t, "a long title keeps the plan on one line", func(t *testing.T) {
		fk := newFake(t).user("hi")
		fk.view.Session = "s1"
		fk.view.State.Work = &plan.Work{Ref: ref(2), Status: plan.Completed}
		fk.view.Work = planView(strings.Repeat("long 标题 ", 20), 2, plan.StatusApproved)
		f := startFlow(t, fk, nil)
		f.WaitFor("hi")
		f.quit()
		line, _, _ := strings.Cut(f.app.Summary(), "\n")
		if theme.Width(line) > 80 || !strings.HasSuffix(line, "… - r2 - COMPLETED") {
			t.Errorf("the plan is summed up as %q", line)
		}
	})
}
