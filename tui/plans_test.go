package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/store"
	"planmode/store/storetest"
)

// planWorld is a store of two plans, and what the screen asked to be done.
type planWorld struct {
	s       *store.Store
	adopted []plan.ID
	ids     []plan.ID // the draft, the approved one
}

func newPlanWorld(t *testing.T) *planWorld {
	t.Helper()
	home := t.TempDir()
	at := start
	s, err := store.Open(store.Dirs{Config: home + "/c", Data: home + "/d", State: home + "/s", Run: home + "/r"},
		store.Options{Now: func() time.Time { at = at.Add(time.Second); return at }, Random: &storetest.Random{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &planWorld{s: s}
	for _, title := range []string{"Draft of a cart", "Approved cart"} {
		sub := store.Submission{Session: "other", Cwd: "/elsewhere", Title: title, Author: plan.ByAgent, Text: []byte("# One\n\nthe old way\n")}
		m, _, err := s.Submit(sub)
		if err != nil {
			t.Fatal(err)
		}
		sub.Plan, sub.Text = m.PlanID, []byte("# One\n\nthe new way\n")
		if _, _, err = s.Submit(sub); err != nil {
			t.Fatal(err)
		}
		w.ids = append(w.ids, m.PlanID)
	}
	m, err := s.Manifest(w.ids[1])
	if err == nil {
		_, err = s.Decide(w.ids[1], plan.Decision{Revision: 2, Hash: m.Revisions[1].Hash, Kind: plan.DecidedApproved, By: plan.ByUser})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *planWorld) options(o *Options) {
	o.Plans = &Plans{
		Store: w.s,
		Adopt: func(_ context.Context, id plan.ID) error {
			w.adopted = append(w.adopted, id)
			return nil
		},
		Discard: func(id plan.ID) error {
			_, err := archive.DiscardPlan(w.s, id, start)
			return err
		},
		Export: func(plan.ID, int) (string, error) { return "", errors.New("the disk is full") },
		About:  func(context.Context, plan.Manifest) []string { return []string{"HEAD moved\x1b[2J since the approval"} },
	}
}

// armed lets a dialog that has just opened take keys.
func (s *flow) armed() {
	s.rest()
	time.Sleep(time.Second) // of the bubble
}

func TestBrowsingPlans(t *testing.T) {
	run(t, "reading, comparing and the decisions", func(t *testing.T) {
		w := newPlanWorld(t)
		s := startFlow(t, newFake(t), w.options)
		s.Type("/plans")
		s.Press("enter")
		s.WaitFor("Plans (2 of 2)")
		s.Type("approved")
		s.WaitFor("Plans (1 of 2)")
		s.Press("enter")
		s.WaitFor("HEAD moved since the approval")
		s.Press("enter")
		s.WaitFor("the new way")
		s.Press("esc")
		s.armed()
		s.Press("c")
		s.WaitFor("-the old way")
		s.Press("esc")
		s.armed()
		s.Press("l")
		s.WaitFor("Decisions")
		s.Press("esc")
		s.armed()
		s.Press("e")
		s.WaitFor("That did not work: the disk is full")
		s.quit()
	})
	run(t, "continuing asks first", func(t *testing.T) {
		w := newPlanWorld(t)
		s := startFlow(t, newFake(t), w.options)
		s.Type("/plans")
		s.Press("enter")
		s.WaitFor("Plans (2 of 2)")
		s.Type("approved")
		s.Press("enter")
		s.WaitFor("h continue here")
		s.Press("h")
		s.WaitFor("The approved r2 goes on")
		s.WaitFor("It was made in /elsewhere.")
		if len(w.adopted) != 0 {
			t.Error("it was adopted before it was confirmed")
		}
		s.armed()
		s.Press("y")
		s.rest()
		if !slices.Equal(w.adopted, []plan.ID{w.ids[1]}) || len(s.app.model.layers) != 0 {
			t.Errorf("adopted %v, %d layers", w.adopted, len(s.app.model.layers))
		}
		s.quit()
	})
	run(t, "discarding asks first and keeps the files", func(t *testing.T) {
		w := newPlanWorld(t)
		s := startFlow(t, newFake(t), w.options)
		s.Type("/plans")
		s.Press("enter")
		s.WaitFor("Plans (2 of 2)")
		s.Type("draft")
		s.Press("enter")
		s.WaitFor("d discard")
		s.Press("d")
		s.WaitFor("Discard the draft r2")
		s.armed()
		s.Press("y")
		s.WaitFor("r2   discarded")
		m, err := w.s.Manifest(w.ids[0])
		if err != nil || m.Status != plan.StatusDiscarded {
			t.Errorf("it is %s, %v", m.Status, err)
		}
		s.quit()
	})
	run(t, "an answer that comes after the browser was closed is dropped", func(t *testing.T) {
		w := newPlanWorld(t)
		s := startFlow(t, newFake(t), w.options)
		m := s.app.model
		cmd := m.openPlans()
		m.browsing.seq++ // closed
		if next := m.plansCame(cmd().(plansMsg)); next != nil || m.browsing.list != nil {
			t.Error("it opened all the same")
		}
		s.quit()
	})
	run(t, "without a store it says so", func(t *testing.T) {
		s := startFlow(t, newFake(t), nil)
		s.Type("/plans")
		s.Press("enter")
		s.WaitFor("Plans cannot be listed here")
		s.quit()
	})
}

func TestTheFirstPlansDoNotWaitForTheRest(t *testing.T) {
	w := newPlanWorld(t)
	o := Options{Conductor: newFake(t), Desk: NewDesk(), Now: func() time.Time { return start }}
	w.options(&o)
	app, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	m := app.model
	first := m.openPlans()().(plansMsg)
	if len(first.known) != 2 || len(first.rest) != 0 {
		t.Fatalf("%+v", first)
	}
	first.rest = []plan.ID{w.ids[0]}
	first.known = slices.DeleteFunc(first.known, func(p store.PlanInfo) bool { return p.ID == w.ids[0] })
	m.plansCame(first)
	if v := strings.Join(m.browsing.list.View(80, 10), "\n"); !strings.Contains(v, "(1 of 2), reading") {
		t.Errorf("got\n%s", v)
	}
	m.plansCame(plansMsg{seq: first.seq, known: append(first.known, store.PlanInfo{ID: w.ids[0], Title: "Draft"})})
	if v := strings.Join(m.browsing.list.View(80, 10), "\n"); !strings.Contains(v, "(2 of 2)") {
		t.Errorf("got\n%s", v)
	}
}
