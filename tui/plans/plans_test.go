package plans

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/store"
	"planmode/tui/theme"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func options() Options {
	return Options{Theme: theme.New(theme.Options{Dark: true}), Now: func() time.Time { return now }, Dir: "/user/me/shop", Home: "/user/me"}
}

func known() []store.PlanInfo {
	info := func(n int, title string, status plan.Status, work plan.WorkStatus, cwd string, age time.Duration) store.PlanInfo {
		p := store.PlanInfo{
			ID: plan.ID(fmt.Sprintf("20260101T0000%02d-x-0000000%d", n, n)), Title: title, Status: status, Work: work, Cwd: cwd,
			Sessions: make([]string, n), CurrentRevision: n, UpdatedAt: plan.Stamp(now.Add(-age)),
		}
		if work != "" {
			p.ApprovedRevision = n
		}
		return p
	}
	damaged := info(4, "", "", "", "", 400*24*time.Hour)
	damaged.Problem = "manifest is damaged: \x1b[2Jx"
	return []store.PlanInfo{
		info(1, "Add a shopping cart", plan.StatusApproved, plan.Implementing, "/user/me/shop", time.Minute),
		info(2, "迁移到 OAuth \x1b[31m登录\u202e", plan.StatusChangesRequested, "", "/user/me/auth/service", 3*time.Hour),
		info(3, "Remove the old cart", plan.StatusApproved, plan.Completed, "/user/me/shop/web", 9*24*time.Hour),
		damaged,
	}
}

func press(b *Browser, keys ...string) (open plan.ID, closed bool) {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp},
		"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "ctrl+t": {Code: 't', Mod: tea.ModCtrl},
	}
	for _, k := range keys {
		msg, ok := codes[k]
		if !ok {
			for _, r := range k {
				open, closed = b.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			continue
		}
		open, closed = b.Key(msg)
	}
	return open, closed
}

func TestBrowserFindsAndFilters(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want string // the last digit of the plan that Enter opens; empty for none
	}{
		"the first plan":                    {nil, "1"},
		"the second":                        {[]string{"down"}, "2"},
		"not past the end":                  {[]string{"down", "down", "down", "down", "down"}, "4"},
		"a word":                            {[]string{"remove"}, "3"},
		"words in any order":                {[]string{"CART old"}, "3"},
		"Chinese":                           {[]string{"迁移"}, "2"},
		"a directory":                       {[]string{"auth/service"}, "2"},
		"nothing":                           {[]string{"zzz"}, ""},
		"by status, drafts: none":           {[]string{"tab"}, ""},
		"by status, changes":                {[]string{"tab", "tab"}, "2"},
		"by status, open":                   {[]string{"tab", "tab", "tab"}, "1"},
		"by status, completed":              {[]string{"tab", "tab", "tab", "tab"}, "3"},
		"this directory and below":          {[]string{"shift+tab", "down"}, "3"},
		"by age, a day":                     {[]string{"ctrl+t", "down", "down"}, "2"},
		"the cursor stays on its plan":      {[]string{"down", "down", "shift+tab"}, "3"},
		"filters hold together with a word": {[]string{"shift+tab", "remove"}, "3"},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBrowser(options(), known(), 0)
			b.View(80, 20)
			press(b, c.keys...)
			got, closed := press(b, "enter")
			if !strings.HasSuffix(string(got), c.want) || (got == "") != (c.want == "") || closed {
				t.Errorf("opened %q, closed %v", got, closed)
			}
		})
	}
	if _, closed := press(NewBrowser(options(), known(), 0), "esc"); !closed {
		t.Error("Esc does not close it")
	}
}

func TestTheSelectionStaysWhenTheRestComes(t *testing.T) {
	all := known()
	b := NewBrowser(options(), all[1:3], 2)
	b.View(80, 10)
	press(b, "down")
	if v := strings.Join(b.View(80, 10), "\n"); !strings.Contains(v, "(2 of 4), reading") {
		t.Errorf("it does not say that more will come:\n%s", v)
	}
	b.Set(all, 0)
	if got := b.Selected(); got != all[2].ID {
		t.Errorf("selected %q", got)
	}
}

func manifest() plan.Manifest {
	at := func(h int) plan.Time { return plan.Stamp(now.Add(-time.Duration(h) * time.Hour)) }
	m := plan.Manifest{PlanID: "20260101T000001-x-00000001", Title: "Add a shopping cart", CurrentRevision: 3, ApprovedRevision: 2}
	for n := 1; n <= 3; n++ {
		m.Revisions = append(m.Revisions, plan.Revision{
			Revision: n, Title: m.Title, Hash: plan.HashOf([]byte{byte(n)}), Author: plan.ByAgent, BasedOn: n - 1, CreatedAt: at(30 - n),
		})
	}
	m.Revisions[2].Author = plan.ByUser
	m.Decisions = []plan.Decision{
		{Revision: 1, Kind: plan.DecidedChanges},
		{Revision: 2, Kind: plan.DecidedApproved, Named: []plan.NamedFile{{Path: "cart.go"}, {Path: "README.md"}}},
		{Revision: 2, Kind: plan.DecidedCompleted, Touched: &plan.Touched{How: "git", Files: []string{"cart.go", "x\x1b[2J.go"}}},
	}
	return m
}

func page() *Page {
	p := NewPage(options(), known()[0])
	p.Load(manifest(), nil)
	return p
}

func TestPageActs(t *testing.T) {
	for name, c := range map[string]struct {
		keys string
		want Outcome
	}{
		"reading the latest":         {"\n", Outcome{Act: Read, Revision: 3, Old: 2}},
		"comparing with its base":    {"c", Outcome{Act: Compare, Revision: 3, Old: 2}},
		"comparing with a mark":      {"kkmjjc", Outcome{Act: Compare, Revision: 3, Old: 1}},
		"nothing to compare r1 with": {"kkc", Outcome{}},
		"decisions":                  {"l", Outcome{Act: Log, Revision: 3, Old: 2}},
		"continuing":                 {"h", Outcome{Act: Continue, Revision: 3, Old: 2}},
		"discarding a draft":         {"d", Outcome{Act: Discard, Revision: 3, Old: 2}},
		"Caps Lock":                  {"Y", Outcome{Act: Copy, Revision: 3, Old: 2}},
		"a letter that is none":      {"x", Outcome{}},
	} {
		t.Run(name, func(t *testing.T) {
			p := page()
			var got Outcome
			for _, r := range c.keys {
				msg := tea.KeyPressMsg{Code: r, Text: string(r)}
				if r == '\n' {
					msg = tea.KeyPressMsg{Code: tea.KeyEnter}
				}
				got, _ = p.Key(msg)
			}
			if c.want.Act != Nothing {
				c.want.Plan = p.Plan()
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAnApprovedPlanCannotBeDiscarded(t *testing.T) {
	p, m := page(), manifest()
	m.Revisions, m.CurrentRevision = m.Revisions[:2], 2
	p.Load(m, nil)
	if got, _ := p.Key(tea.KeyPressMsg{Code: 'd', Text: "d"}); got.Act != Nothing {
		t.Errorf("got %+v", got)
	}
	if v := strings.Join(p.View(200, 20), "\n"); strings.Contains(v, "discard") {
		t.Error(v)
	}
}

func TestAPageThatCannotBeReadDoesNothing(t *testing.T) {
	p := NewPage(options(), known()[3])
	for _, r := range "ch\nld" {
		if got, _ := p.Key(tea.KeyPressMsg{Code: r, Text: string(r)}); got.Act != Nothing {
			t.Errorf("%q gives %+v", r, got)
		}
	}
	if v := strings.Join(p.View(80, 10), "\n"); !strings.Contains(v, "cannot be read") || strings.Contains(ansi.Strip(v), "\x1b") {
		t.Error(v)
	}
}

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{40, 8}, {80, 12}, {160, 20}} {
		t.Run(fmt.Sprintf("list %dx%d", size[0], size[1]), func(t *testing.T) {
			b := NewBrowser(options(), known(), 0)
			golden.RequireEqual(t, screen(b.View(size[0], size[1])))
		})
		t.Run(fmt.Sprintf("page %dx%d", size[0], size[1]), func(t *testing.T) {
			p := page()
			p.Key(tea.KeyPressMsg{Code: tea.KeyUp})
			golden.RequireEqual(t, screen(p.View(size[0], size[1])))
		})
	}
}

func screen(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) + "\n" }

func TestBothFitAnyPlaceAndAreClean(t *testing.T) {
	for width := 1; width <= 130; width += 3 {
		for height := 1; height <= 16; height += 3 {
			for name, lines := range map[string][]string{
				"list": NewBrowser(options(), known(), 3).View(width, height), "page": page().View(width, height),
			} {
				if len(lines) > height {
					t.Fatalf("%s %dx%d: %d lines", name, width, height, len(lines))
				}
				for _, l := range lines {
					if w := theme.Width(l); w != width {
						t.Fatalf("%s %dx%d: %d cells: %q", name, width, height, w, l)
					}
					if strings.ContainsFunc(ansi.Strip(l), text.Hidden) {
						t.Fatalf("%s is not clean: %q", name, l)
					}
				}
			}
		}
	}
}

func BenchmarkKeyIn10000Plans(b *testing.B) {
	all := make([]store.PlanInfo, 10000)
	for i := range all {
		all[i] = store.PlanInfo{ID: plan.NewID(now.Add(time.Duration(i)*time.Second), "x", [4]byte{}), Title: fmt.Sprint("plan ", i), UpdatedAt: plan.Stamp(now)}
	}
	l := NewBrowser(options(), all, 0)
	l.View(80, 20)
	for b.Loop() {
		press(l, "p")
		l.View(80, 20)
		l.Key(tea.KeyPressMsg{Code: tea.KeyBackspace})
		l.View(80, 20)
	}
}
