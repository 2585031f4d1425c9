package tui

import (
	"errors"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/tui/theme"
)

func TestTheThemeFollowsTheTerminal(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	s.opts.Theme = "auto"
	s.Update(tea.BackgroundColorMsg{Color: color.White})
	if s.th.Dark {
		t.Error("a white background keeps the dark theme")
	}
	s.Update(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	if !s.th.NoColor {
		t.Error("a terminal without colours keeps them")
	}
	s.opts.Theme = "light"
	s.Update(tea.BackgroundColorMsg{Color: color.Black})
	if s.th.Dark {
		t.Error("the background overrides the configuration")
	}
}

func TestDraftsAreSavedInOrder(t *testing.T) {
	var saved []string
	d := drafts{save: func(s string) error { saved = append(saved, s); return nil }}
	for _, c := range []struct {
		seq  int
		text string
	}{{2, "later"}, {1, "earlier"}, {3, "later"}, {4, ""}} {
		if err := d.put(c.seq, c.text); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(saved, []string{"later", ""}) {
		t.Errorf("saved %q", saved)
	}
	d.save = func(string) error { return errors.New("full") }
	if err := d.put(5, "x"); err == nil {
		t.Error("a failed save is not reported")
	}
	d.save = func(s string) error { saved = append(saved, s); return nil }
	if err := d.put(6, "x"); err != nil || saved[len(saved)-1] != "x" {
		t.Error("a text that could not be saved is not saved again")
	}
}

func TestTheSummaryCollapsesWhenThePlanChanges(t *testing.T) {
	f := newFake(t)
	f.view.Draft = planView("A", 1, plan.StatusDraft, "one")
	s := newStill(f, theme.Options{Dark: true}).sized(80, 24)
	s.toggleSteps()
	if !s.steps {
		t.Fatal("not expanded")
	}
	s.pull2()
	if !s.steps {
		t.Error("a pull without a change collapsed the summary")
	}
	f.view.Draft = planView("A", 2, plan.StatusDraft, "one")
	s.pull2()
	if s.steps {
		t.Error("a new revision starts expanded")
	}
}

func TestARemarkPassesWithTime(t *testing.T) {
	s := newStill(newFake(t), theme.Options{Dark: true}).sized(80, 24)
	s.tell(warned, "first")
	old := flashOverMsg{s.flash.seq}
	s.tell(warned, "second\x1b[2J\nline")
	s.Update(old)
	if !strings.Contains(s.screen(), "! second line") {
		t.Errorf("the end of an old remark took a new one away:\n%s", s.screen())
	}
	s.Update(flashOverMsg{s.flash.seq})
	if strings.Contains(s.screen(), "second") {
		t.Error("the remark stays")
	}
}

func TestTheClockOfATurnStopsWithIt(t *testing.T) {
	f := newFake(t)
	f.view.Running, f.view.Since = true, start
	s := newStill(f, theme.Options{Dark: true}).sized(80, 24)
	if s.ticked(tickMsg{start}) == nil {
		t.Error("the clock stopped while the turn runs")
	}
	if s.ticked(tickMsg{start.Add(-time.Hour)}) != nil {
		t.Error("the clock of an earlier turn goes on")
	}
	f.view.Running = false
	s.pull2()
	if s.ticked(tickMsg{start}) != nil {
		t.Error("the clock goes on after the turn")
	}
}

func TestCopiesBelongTogether(t *testing.T) {
	f := newFake(t).user("a")
	// The session changes between the calls, once.
	c := &moving{fake: f}
	got := copyOf(c, 0, 0)
	if got.view.Entries != got.from+len(got.items) {
		t.Errorf("%d entries in the view, %d items from %d", got.view.Entries, len(got.items), got.from)
	}
}

type moving struct {
	*fake
	moved bool
}

func (m *moving) Items(from int) []session.Item {
	items := m.fake.Items(from)
	if !m.moved {
		m.moved = true
		m.user("b")
	}
	return items
}
