package branches

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tree"
	"planmode/tui/theme"
)

var now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// garden grows the tree of a test.
type garden struct {
	t    testing.TB
	tree tree.Tree
	n    int
}

func (g *garden) add(kind plan.Kind, body any) plan.EntryID {
	g.t.Helper()
	g.n++
	id := plan.EntryID(fmt.Sprintf("%012x", g.n))
	e, err := tree.New(id, g.tree.Leaf(), plan.Stamp(now.Add(time.Duration(g.n-200)*time.Minute)), kind, body)
	if err == nil {
		err = g.tree.Add(e)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return id
}

func (g *garden) user(text string) plan.EntryID { return g.add(tree.KindUser, tree.User{Text: text}) }
func (g *garden) agent(text string) plan.EntryID {
	return g.add(tree.KindAssistant, tree.Assistant{Text: text})
}
func (g *garden) event(ev plan.Event) plan.EntryID { return g.add(ev.Kind(), ev) }
func (g *garden) move(to plan.EntryID)             { g.add(tree.KindLeaf, tree.Leaf{To: to}) }

func (g *garden) open(th *theme.Theme) *Browser {
	return New(Load(g.tree.All(), g.tree.Leaf()), th, now)
}

func ref(n int) plan.Ref {
	return plan.Ref{Plan: "20260301T090000-login-00000001", Revision: n, Hash: plan.HashOf(fmt.Append(nil, n))}
}

// twice is a plan that was approved on two branches, with notes on the way.
func twice(t testing.TB) *garden {
	g := &garden{t: t}
	g.event(plan.PlanningEntered{})
	g.user("Plan the login 登录 for the shop")
	g.agent("I looked around.")
	g.add(tree.KindNotice, tree.Notice{Level: tree.Info, Text: "a remark"})
	sub := g.event(plan.RevisionSubmitted{Ref: ref(1), Title: "Login", Author: plan.ByAgent})
	g.event(plan.ReviewOpened{Review: "v1", Ref: ref(1), Round: 1})
	g.event(plan.PlanApproved{Review: "v1", Ref: ref(1), Submission: sub, By: plan.ByUser, Title: "Login"})
	g.agent("Step 1 is done.")
	g.event(plan.WorkCompleted{Ref: ref(1), By: plan.ByUser, Title: "Login"})
	g.move(sub)
	g.user("Do it with OAuth instead")
	second := g.event(plan.RevisionSubmitted{Ref: ref(2), Named: ref(2).Plan, Title: "Login with OAuth", Author: plan.ByAgent})
	g.event(plan.ReviewOpened{Review: "v2", Ref: ref(2), Round: 1})
	g.event(plan.PlanApproved{Review: "v2", Ref: ref(2), Submission: second, By: plan.ByUser, Title: "Login with OAuth"})
	g.move(second)
	g.user("And with passkeys?")
	g.agent("That would be a third way.")
	g.add(tree.KindLabel, tree.Label{Target: sub, Text: "first idea"})
	return g
}

func press(b *Browser, keys ...string) Outcome {
	var o Outcome
	for _, k := range keys {
		o = b.Key(keyOf(k))
	}
	return o
}

func keyOf(name string) tea.KeyPressMsg {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "tab": tea.KeyTab, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd}
	if c, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: c}
	}
	r := []rune(name)[0]
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: r, Text: string(r)}
}

func typeIn(b *Browser, s string) {
	for _, r := range s {
		b.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func screen(b *Browser, w, h int) string {
	lines := b.View(w, h)
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestScreens(t *testing.T) {
	for name, do := range map[string]func(b *Browser){
		"open":       func(*Browser) {},
		"plans":      func(b *Browser) { press(b, "tab") },
		"labelled":   func(b *Browser) { press(b, "tab", "tab") },
		"everything": func(b *Browser) { press(b, "tab", "tab", "tab") },
		"folded":     func(b *Browser) { press(b, "g", "down", "down", "down", "left") },
		"searching": func(b *Browser) {
			press(b, "/")
			b.Deliver(b.Haystack()())
			typeIn(b, "oauth")
		},
		"labelling": func(b *Browser) { press(b, "L"); typeIn(b, "später") },
		"reading":   func(b *Browser) { press(b, "g", "down", "space") },
	} {
		for _, size := range [][2]int{{100, 30}, {80, 24}, {40, 12}} {
			t.Run(fmt.Sprintf("%s at %dx%d", name, size[0], size[1]), func(t *testing.T) {
				b := twice(t).open(theme.New(theme.Options{Dark: true}))
				b.View(size[0], size[1])
				do(b)
				got := b.View(size[0], size[1])
				if len(got) != size[1] {
					t.Errorf("%d lines", len(got))
				}
				for _, l := range got {
					if ansi.StringWidth(l) != size[0] {
						t.Errorf("%d cells: %q", ansi.StringWidth(l), l)
					}
				}
				golden.RequireEqual(t, screen(b, size[0], size[1]))
			})
		}
	}
}

func TestAKeyAsksForOneThing(t *testing.T) {
	g := twice(t)
	all := g.tree.All()
	last := g.tree.Current()
	here := last[len(last)-2].ID // the label itself is no node
	for name, tc := range map[string]struct {
		keys []string
		want Outcome
	}{
		"enter goes on from the end of the path": {[]string{"enter"}, Outcome{Do: Go, Entry: here}},
		"the first node":                         {[]string{"g", "enter"}, Outcome{Do: Go, Entry: all[0].ID}},
		"f forks":                                {[]string{"f"}, Outcome{Do: Fork, Entry: here}},
		"esc closes":                             {[]string{"esc"}, Outcome{Do: Close}},
		"q closes":                               {[]string{"q"}, Outcome{Do: Close}},
		"a search asks for the texts once":       {[]string{"/"}, Outcome{Do: Search}},
		"a second search does not":               {[]string{"/", "esc", "/"}, Outcome{}},
		"esc in a search only ends it":           {[]string{"/", "esc"}, Outcome{}},
		"a label is saved":                       {[]string{"L", "o", "k", "enter"}, Outcome{Do: Label, Entry: here, Text: "ok"}},
		"a label is let go of":                   {[]string{"L", "o", "esc"}, Outcome{}},
		"moving asks for nothing":                {[]string{"k", "j", "G", "pgup", "tab", "left", "right"}, Outcome{}},
		"a dot finds the end of the path":        {[]string{"g", ".", "enter"}, Outcome{Do: Go, Entry: here}},
	} {
		t.Run(name, func(t *testing.T) {
			b := g.open(theme.New(theme.Options{}))
			b.View(80, 24)
			if got := press(b, tc.keys...); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestNothingBreaksInAnEmptySession(t *testing.T) {
	b := New(Load(nil, ""), theme.New(theme.Options{}), now)
	for _, k := range []string{"enter", "f", "L", "left", "right", "space", "/", "a", "enter", "tab", "g", "G", "."} {
		if o := press(b, k); o.Do != None && o.Do != Search {
			t.Errorf("%s asks for %+v", k, o)
		}
		b.View(40, 10)
		b.View(3, 2)
		b.View(0, 0)
	}
}

// TestEveryEntryIsReachedOnce compares the outline with the tree it came from.
func TestEveryEntryIsReachedOnce(t *testing.T) {
	g := twice(t)
	b := g.open(theme.New(theme.Options{}))
	press(b, "tab", "tab", "tab")
	var got []string
	for _, r := range b.out.rows {
		got = append(got, string(b.source.entries[r.entry].ID))
	}
	var want []string
	for _, e := range g.tree.All() {
		if e.Kind != tree.KindLeaf && e.Kind != tree.KindLabel {
			want = append(want, string(e.ID))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestHostileTextDoesNotReachTheScreen(t *testing.T) {
	g := &garden{t: t}
	id := g.user("a\x1b]0;title\x07b\u202ec\nd")
	g.add(tree.KindLabel, tree.Label{Target: id, Text: "\x1b[31mred"})
	g.add("future\x1b[2J", map[string]string{"x": "y"})
	b := g.open(theme.New(theme.Options{NoColor: true}))
	press(b, "tab", "tab", "tab")
	for _, reading := range []bool{false, true} {
		if reading {
			press(b, "g", "space")
		}
		got := strings.Join(b.View(60, 24), "\n")
		for _, bad := range []string{"\x1b]", "\x1b[31m", "\x1b[2J", "\u202e", "\x07"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q is on the screen:\n%q", bad, got)
			}
		}
	}
}

// forest is a long session with a fork every few hundred entries.
func forest(t testing.TB, n int) (all []session.Item, leaf plan.EntryID) {
	g := &garden{t: t}
	var ids []plan.EntryID
	for len(ids) < n {
		switch i := len(ids); {
		case i%400 == 399:
			g.move(ids[i-150])
			ids = append(ids, g.user("another way"))
		case i%5 == 0:
			ids = append(ids, g.user(fmt.Sprintf("question %d about the login", i)))
		case i%5 == 4:
			ids = append(ids, g.agent(fmt.Sprintf("answer %d, which says **something** about it", i)))
		default:
			ids = append(ids, g.add(tree.KindToolResult, tree.ToolResult{Call: "c", Name: "read", Text: "line\nline\nline"}))
		}
	}
	return g.tree.All(), g.tree.Leaf()
}

func BenchmarkOpen(b *testing.B) {
	all, leaf := forest(b, 100_000)
	th := theme.New(theme.Options{Dark: true})
	for b.Loop() {
		New(Load(all, leaf), th, now).View(100, 30)
	}
}

func BenchmarkKey(b *testing.B) {
	all, leaf := forest(b, 100_000)
	br := New(Load(all, leaf), theme.New(theme.Options{Dark: true}), now)
	br.View(100, 30)
	keys := []string{"up", "up", "left", "right", "pgup", "pgdown", "tab", "down", "g", "G"}
	for i := 0; b.Loop(); i++ {
		press(br, keys[i%len(keys)])
		br.View(100, 30)
	}
}

func BenchmarkSearch(b *testing.B) {
	all, leaf := forest(b, 100_000)
	br := New(Load(all, leaf), theme.New(theme.Options{Dark: true}), now)
	br.Deliver(br.Haystack()())
	press(br, "/")
	for i := 0; b.Loop(); i++ {
		typeIn(br, string("login"[i%5]))
		if i%5 == 4 {
			br.box.SetValue("")
			br.typed()
		}
		br.View(100, 30)
	}
}
