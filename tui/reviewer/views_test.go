package reviewer

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

const movedOld = `# Token store migration

## Goal

Move session tokens from memory to Redis so that a restart of the service
keeps every user signed in, and so that two instances can share them. This
paragraph is long enough to be wrapped over several lines of the file.

## Risks

- Tokens may be lost while both stores are in use.
- Redis may be slower than memory under load, which the load test will show.
- The old clients do not send the header.

## Background

Sessions are kept in a map that is guarded by a mutex. When the process ends,
they are gone. Operators restart weekly, so every user signs in weekly, too.

## Steps

1. Add a TokenStore interface with the three operations that handlers use.
2. Implement it on Redis.
3. Switch the handlers.

## 验证

运行全部测试，并且在预发布环境中观察一周，确认没有用户被登出，然后再切换
生产环境的流量到新的存储。
`

const movedNew = `# Token store migration

## Goal and scope

Move session tokens from memory to Redis so that a planned restart of the
service keeps every user signed in, and so that two instances can share
them. This paragraph is long enough to be wrapped over several lines of the
file.

## Background

Sessions are kept in a map that is guarded by a mutex. When the
process ends, they are gone. Operators restart weekly, so every user
signs in weekly, too.

## Steps

1. Add a TokenStore interface with the three operations that handlers use.
2. Implement it on Redis 7.
3. Copy the live tokens.
4. Switch the handlers.

## Risks

- The old clients do not send the header.
- Tokens may be lost while both stores are in use.
- Redis may be slower than memory under load, which the load test will show.

## 验证

运行全部测试，并且在预发布环境中观察两周，确认没有用户被登出，然后再
切换生产环境的流量到新的存储。
`

func TestTheViewsOfAComparison(t *testing.T) {
	for _, s := range []struct {
		name, keys    string
		width, height int
	}{
		{"moved-40", "", 40, 60}, {"moved-80", "", 80, 44}, {"moved-120", "", 120, 44}, {"moved-200", "|", 200, 44},
		{"moved-bare", "r", 80, 50}, {"moved-changes", "C", 80, 44}, {"moved-new-only", "v", 80, 44}, {"moved-sides", "| L", 120, 44},
	} {
		d := sit(t, compareOf(t, movedOld, movedNew, nil), s.width, s.height)
		d.press(s.keys)
		d.golden(s.name)
	}
}

// TestColours keeps what a terminal is sent, on a dark and on a light background.
func TestColours(t *testing.T) {
	for _, theme := range []string{"dark", "light"} {
		doc, err := os.ReadFile("testdata/document.md")
		if err != nil {
			t.Fatal(err)
		}
		d := sit(t, reviewOf(t, string(doc), func(o *Options) { o.Theme = theme }), 80, 60)
		runAll(d, d.m.shadeVisible())
		d.coloured("document-" + theme)
		d = sit(t, compareOf(t, movedOld, movedNew, func(o *Options) { o.Theme = theme }), 130, 40)
		d.press("|")
		d.coloured("moved-" + theme)
	}
}

// runAll runs a command and gives its answers to the model.
func runAll(d *desk, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			runAll(d, c)
		}
	default:
		d.m.Update(msg)
	}
}

func (d *desk) coloured(name string) {
	d.t.Helper()
	path := "testdata/" + name + ".colours"
	got := strings.ReplaceAll(d.checked(), "\x1b", "␛") + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	if got != string(want) {
		d.t.Errorf("screen %s:\n%s\nwant:\n%s", name, got, want)
	}
}

func TestCodeIsColouredInTheBackground(t *testing.T) {
	content := "# a\n\n```go\nfunc main() {\n\tx := \"text\" // why\n}\n```\n\n- in a list\n\n  ```sh\n  echo \"hi\"\n  ```\n"
	m := reviewOf(t, content, nil)
	m.width, m.height = 80, 30
	m.layout()
	before := m.View().Content
	d := &desk{t, m}
	cmd := m.shadeVisible()
	if cmd == nil {
		t.Fatal("no code is read")
	}
	if again := m.shadeVisible(); again != nil {
		t.Error("the same code is read twice")
	}
	runAll(d, cmd)
	after := m.View().Content
	if before == after {
		t.Error("the code has no colours")
	}
	for _, word := range []string{"func", "\"text\"", "// why", "echo"} {
		if strings.Contains(after, word) != strings.Contains(before, word) {
			t.Errorf("%q is gone", word)
		}
	}
	m.Update(shadedMsg{first: 900, tints: [][]tint{{{span{Start: 5, End: 900}, faceString}}}})
	d.checked()
}

func TestSearch(t *testing.T) {
	content := "# Alpha\n\none Beta\ntwo beta\n\n## beta\n\nthree\n"
	find := func(d *desk, query string) {
		d.press("/")
		d.write(query)
		d.press("enter")
	}
	t.Run("small letters find both, and the matches are counted", func(t *testing.T) {
		d := sit(t, reviewOf(t, content, nil), 60, 14)
		find(d, "beta")
		d.shows("match 1/3")
		d.press("n n")
		d.shows("match 3/3")
		d.press("n")
		d.shows("match 1/3, search went around")
		d.press("N")
		d.shows("match 3/3, search went around")
	})
	t.Run("a capital is exact", func(t *testing.T) {
		d := sit(t, reviewOf(t, content, nil), 60, 14)
		find(d, "Beta")
		d.shows("match 1/1")
	})
	t.Run("up and down go through what was searched for", func(t *testing.T) {
		d := sit(t, reviewOf(t, content, nil), 60, 14)
		find(d, "alpha")
		find(d, "three")
		d.press("/")
		d.write("ty")
		for _, step := range []struct{ key, want string }{{"up", "/three"}, {"up", "/alpha"}, {"up", "/alpha"}, {"down", "/three"}, {"down", "/ty"}, {"down", "/ty"}} {
			d.press(step.key)
			d.shows(step.want)
		}
	})
	t.Run("a match in lines that the view leaves out is shown", func(t *testing.T) {
		old := strings.Repeat("same\n", 30) + "needle\n" + strings.Repeat("same\n", 30) + "a\n"
		d := sit(t, compareOf(t, old, strings.Replace(old, "\na\n", "\nb\n", 1), nil), 60, 14)
		d.press("C")
		find(d, "needle")
		d.shows("needle")
		if d.m.look.compact {
			t.Error("the lines are still left out")
		}
	})
	t.Run("an answer to an earlier query is dropped", func(t *testing.T) {
		d := sit(t, reviewOf(t, content, nil), 60, 14)
		find(d, "beta")
		old := matchesMsg{version: d.m.search.version, found: []int32{0}}
		find(d, "three")
		d.m.Update(old)
		if got := d.m.search.hits; len(got) != 1 || got[0] != 7 {
			t.Errorf("got %v", got)
		}
	})
	t.Run("several matches on the rows of one line are gone through", func(t *testing.T) {
		filled := "This paragraph was filled to a column of some fifty cells\nso that needle is on it and the next line has it, too, so\nneedle.\n\nneedle\n"
		d := sit(t, reviewOf(t, filled, nil), 200, 14)
		find(d, "needle")
		d.press("n n")
		d.shows("match 3/3")
	})
}

func TestMouse(t *testing.T) {
	content := "# One\n\n" + strings.Repeat("line\n", 60) + "\n# Two\n\nend\n"
	d := sit(t, reviewOf(t, content, func(o *Options) { o.Mouse = true }), 120, 20)
	if d.m.View().MouseMode != tea.MouseModeCellMotion {
		t.Fatal("the mouse is off")
	}
	at := func(x, y int) tea.Mouse { return tea.Mouse{X: x, Y: y, Button: tea.MouseLeft} }
	d.m.Update(tea.MouseClickMsg(at(50, 5)))
	if got := d.m.list.Selected(); got != 4 {
		t.Errorf("a click chose item %d", got)
	}
	d.m.Update(tea.MouseMotionMsg(at(50, 8)))
	d.m.Update(tea.MouseReleaseMsg(at(50, 8)))
	d.note("a", "x")
	if got := d.notes(); got != "## p:5-8 ( )\nx\n" {
		t.Errorf("dragging made %q", got)
	}
	d.m.Update(tea.MouseClickMsg(at(5, 2)))
	d.shows("64/66")
	top, _ := d.m.list.Position()
	d.m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if now, _ := d.m.list.Position(); now != top-3 {
		t.Errorf("the wheel scrolled from %d to %d", top, now)
	}
	if sit(t, reviewOf(t, content, nil), 80, 20).m.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is on without being asked for")
	}
}

func TestANoteOnJoinedLinesIsAboutThemAll(t *testing.T) {
	content := "This paragraph was filled to a column of some fifty cells\nso that its lines say nothing, and they are one text\nhere.\n\nend\n"
	d := sit(t, reviewOf(t, content, nil), 150, 14)
	d.note("a", "x")
	if got := d.notes(); got != "## p:1-3 ( )\nx\n" {
		t.Errorf("got %q", got)
	}
	d.press("r")
	d.press("j")
	d.note("a", "y")
	d.press("r")
	d.shows("y")
	if got := d.notes(); got != "## p:1-3 ( )\nx\n\n## p:2 ( )\ny\n" {
		t.Errorf("got %q", got)
	}
}

func TestGoingByHeadings(t *testing.T) {
	d := sit(t, reviewOf(t, "# One\n\na\n\nTwo\n---\n\nb\n\n```\n# no\n```\n\n# Three\n", nil), 60, 20)
	for _, step := range []struct{ key, want string }{{")", "5/14"}, {")", "14/14"}, {")", "14/14"}, {"(", "5/14"}, {"(", "1/14"}} {
		d.press(step.key)
		d.m.message = ""
		d.shows(step.want)
	}
}

func TestSideBySideNeedsRoom(t *testing.T) {
	d := sit(t, compareOf(t, movedOld, movedNew, nil), 100, 20)
	d.press("|")
	d.shows("needs 120 columns")
	d.size(130, 20)
	d.press("| ] j")
	if !d.m.sided {
		t.Fatal("not side by side")
	}
	place, _ := d.m.placeAt(d.m.list.Selected())
	for _, width := range []int{100, 130, 90, 200} {
		d.size(width, 20)
		if d.m.sided != (width >= sidesWide) {
			t.Errorf("side by side at %d is %t", width, d.m.sided)
		}
		if now, _ := d.m.placeAt(d.m.list.Selected()); now != place {
			t.Errorf("the cursor went from %v to %v at %d", place, now, width)
		}
		d.screen()
	}
}

// TestEveryLineOfAComparisonIsShown holds, in every view that shows all, that each
// new line stands there once and in order, and each old one that is not said to
// be moved or rewrapped.
func TestEveryLineOfAComparisonIsShown(t *testing.T) {
	for _, keys := range []string{"", "r", "|"} {
		d := sit(t, compareOf(t, movedOld, movedNew, nil), 130, 20)
		d.press(keys)
		s := d.m.subject
		var fresh []int
		gone := map[int]bool{}
		for i, it := range d.m.items {
			for _, e := range []int{it.edit, it.left - 1} {
				if e >= 0 && s.edits[e].Op == opRemoved {
					gone[s.edits[e].Old] = true
				}
			}
			if it.edit >= 0 && s.edits[it.edit].New > 0 {
				fresh = append(fresh, s.edits[it.edit].New)
				if k, ok := d.m.itemOf(it.edit); !ok || k != i {
					t.Errorf("%q: item %d is found as %d", keys, i, k)
				}
			}
		}
		for i, n := range fresh {
			if n != i+1 {
				t.Fatalf("%q: line %d stands at %d", keys, n, i+1)
			}
		}
		if len(fresh) != len(s.new.lines) {
			t.Errorf("%q: %d of %d lines", keys, len(fresh), len(s.new.lines))
		}
		for _, e := range s.edits {
			if e.Op == opRemoved && !gone[e.Old] && (keys == "r" || e.Twin == 0 && !e.Rewrapped) {
				t.Errorf("%q: removed line %d is not there", keys, e.Old)
			}
		}
	}
}
