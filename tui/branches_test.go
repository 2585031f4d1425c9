package tui

import (
	"context"
	"errors"
	"testing"

	"planmode/plan/session"
)

func TestBranches(t *testing.T) {
	run(t, "a message chosen in the tree comes back into the composer, before what is there", func(t *testing.T) {
		fake := newFake(t).user("Move the login").say("Done.")
		fake.again = "Move the login"
		f := startFlow(t, fake, nil)
		f.Type("/tree")
		f.Press("enter")
		f.WaitFor("Tree: messages and plans (2)")
		f.Press("up", "enter")
		f.rest()
		fake.mu.Lock()
		moves := len(fake.moves)
		chosen := moves == 1 && fake.moves[0] == fake.items[0].ID
		fake.mu.Unlock()
		if !chosen {
			t.Errorf("%d moves, or another entry", moves)
		}
		if saved := fake.drafts; len(saved) == 0 || saved[len(saved)-1] != "Move the login" {
			t.Errorf("drafts %q", saved)
		}
		f.Press("ctrl+c")
		f.quit()
	})
	run(t, "a label is saved and shown, and the tree stays open", func(t *testing.T) {
		fake := newFake(t).user("Move the login")
		f := startFlow(t, fake, nil)
		f.Type("/tree")
		f.Press("enter")
		f.WaitFor("Tree: messages and plans (1)")
		f.Press("L")
		f.Type("good")
		f.Press("enter")
		f.WaitFor("[good]")
		f.Press("/")
		f.Type("nowhere")
		f.WaitFor("nothing to show")
		f.Press("esc")
		f.rest()
		f.Press("esc")
		f.WaitGone("Tree: ")
		f.quit()
	})
	run(t, "a move to where the conversation is says so and is no failure", func(t *testing.T) {
		fake := newFake(t).user("Move the login")
		fake.err = session.ErrHere
		f := startFlow(t, fake, nil)
		f.Type("/tree")
		f.Press("enter")
		f.WaitFor("Tree: ")
		f.Press("enter")
		f.WaitFor("The conversation already goes on from there")
		f.quit()
	})
	run(t, "a fork ends the screen with the new session", func(t *testing.T) {
		fake := newFake(t).user("Move the login")
		fake.forked = "ff"
		f := startFlow(t, fake, nil)
		f.Type("/fork")
		f.Press("enter")
		if err := f.Wait(); err != nil || f.app.Next() != (Next{Session: "ff"}) {
			t.Errorf("ended with %v, next %+v", err, f.app.Next())
		}
	})
	run(t, "a fork that failed or was declined stays", func(t *testing.T) {
		fake := newFake(t).user("Move the login")
		fake.err = errors.New("the disk is full")
		f := startFlow(t, fake, nil)
		f.Type("/fork")
		f.Press("enter")
		f.WaitFor("the disk is full")
		fake.mu.Lock()
		fake.err = nil
		fake.mu.Unlock()
		f.Type("/fork")
		f.Press("enter")
		f.rest()
		f.quit()
		if f.app.Next() != (Next{}) {
			t.Errorf("next %+v", f.app.Next())
		}
	})
	run(t, "new begins a session unless the person stays", func(t *testing.T) {
		fake := newFake(t).user("Move the login")
		fake.stay = true
		f := startFlow(t, fake, nil)
		f.Type("/new")
		f.Press("enter")
		f.rest()
		fake.mu.Lock()
		fake.stay = false
		fake.mu.Unlock()
		f.Type("/new")
		f.Press("enter")
		if err := f.Wait(); err != nil || f.app.Next() != (Next{New: true}) {
			t.Errorf("ended with %v, next %+v", err, f.app.Next())
		}
	})
	run(t, "compact keeps the case of what the person says", func(t *testing.T) {
		fake := newFake(t).user("Move the login")
		f := startFlow(t, fake, nil)
		f.Type("/compact Keep the API names")
		f.Press("enter")
		f.rest()
		f.quit()
		if len(fake.focus) != 1 || fake.focus[0] != "Keep the API names" {
			t.Errorf("focus %q", fake.focus)
		}
	})
	run(t, "tab goes between the sessions of this directory and all", func(t *testing.T) {
		f := startFlow(t, newFake(t), func(o *Options) {
			o.Earlier = func(_ context.Context, everywhere bool) ([]Earlier, error) {
				if everywhere {
					return []Earlier{{ID: "aa", Title: "Monday"}, {ID: "cc", Title: "Elsewhere", Text: "/base/other"}}, nil
				}
				return []Earlier{{ID: "aa", Title: "Monday"}}, nil
			}
		})
		f.Type("/resume")
		f.Press("enter")
		f.WaitFor("(1 of 1)")
		f.Press("tab")
		f.WaitFor("Elsewhere")
		f.Type("other")
		f.WaitFor("(1 of 2)")
		f.Press("enter")
		if err := f.Wait(); err != nil || f.app.Next() != (Next{Session: "cc"}) {
			t.Errorf("ended with %v, next %+v", err, f.app.Next())
		}
	})
}
