package reviewer

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"planmode/tui/theme"
)

var update = flag.Bool("update", false, "write the golden files anew")

// desk drives a model as a person would, without a terminal: keys in, a screen
// of cells out. Commands are run only where a test says so.
type desk struct {
	t *testing.T
	m *Model
}

func sit(t *testing.T, m *Model, width, height int) *desk {
	d := &desk{t, m}
	d.size(width, height)
	return d
}

func (d *desk) size(width, height int) {
	d.m.Update(tea.WindowSizeMsg{Width: width, Height: height})
}

var named = map[string]tea.Key{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp},
	"pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp}, "end": {Code: tea.KeyEnd}, "home": {Code: tea.KeyHome},
	"space": {Code: tea.KeySpace, Text: " "}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "shift+down": {Code: tea.KeyDown, Mod: tea.ModShift}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
	"shift+up": {Code: tea.KeyUp, Mod: tea.ModShift}, "backspace": {Code: tea.KeyBackspace}, "ctrl+l": {Code: 'l', Mod: tea.ModCtrl},
}

// press sends keys by name, separated by blanks; the last command is returned.
func (d *desk) press(keys string) tea.Cmd {
	d.t.Helper()
	var cmd tea.Cmd
	for _, name := range strings.Fields(keys) {
		key, ok := named[name]
		if !ok {
			r := []rune(name)
			if len(r) != 1 {
				d.t.Fatalf("no key named %q", name)
			}
			key = tea.Key{Code: r[0], Text: name}
		}
		_, cmd = d.m.Update(tea.KeyPressMsg(key))
	}
	return cmd
}

// write types text, one key a character.
func (d *desk) write(text string) {
	for _, r := range text {
		d.m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// note writes a whole note with the key that opens it.
func (d *desk) note(key, text string) {
	d.press(key)
	d.write(text)
	d.press("enter")
	d.settle()
}

// settle runs the saves that keys began, as the loop would.
func (d *desk) settle() {
	d.t.Helper()
	for i := 0; d.m.keeper.running; i++ {
		if i > 2 {
			d.t.Fatal("saving does not come to rest")
		}
		s := d.m.snapshot()
		d.m.Update(savedMsg{d.m.saver.save(s), len(s.notes)})
	}
}

// screen is what a terminal of this size would show.
func (d *desk) screen() string {
	d.t.Helper()
	content := d.checked()
	emu := vt.NewEmulator(d.m.width, d.m.height)
	defer emu.Close()
	fmt.Fprint(emu, strings.ReplaceAll(content, "\n", "\r\n"))
	return d.cells(emu)
}

// checked draws and holds that the drawing fits the window.
func (d *desk) checked() string {
	d.t.Helper()
	v := d.m.View()
	for i, line := range strings.Split(v.Content, "\n") {
		if w := ansi.StringWidth(line); w > d.m.width {
			d.t.Errorf("row %d has %d cells on a screen of %d: %q", i, w, d.m.width, ansi.Strip(line))
		}
	}
	if n := strings.Count(v.Content, "\n") + 1; n > d.m.height {
		d.t.Errorf("%d rows on a screen of %d", n, d.m.height)
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.X > d.m.width || c.Y < 0 || c.Y >= d.m.height) {
		d.t.Errorf("the cursor is at %d,%d", c.X, c.Y)
	}
	return v.Content
}

func (d *desk) cells(emu *vt.Emulator) string {
	rows := make([]string, d.m.height)
	for y := range rows {
		var b strings.Builder
		for x := 0; x < d.m.width; x++ {
			if cell := emu.CellAt(x, y); cell != nil && cell.Width > 0 {
				b.WriteString(cell.Content)
			}
		}
		rows[y] = strings.TrimRight(b.String(), " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

func (d *desk) golden(name string) {
	d.t.Helper()
	path := filepath.Join("testdata", name+".golden")
	got := d.screen()
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			d.t.Fatal(err)
		}
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

func (d *desk) shows(text string) {
	d.t.Helper()
	if s := d.screen(); !strings.Contains(s, text) {
		d.t.Errorf("the screen does not show %q:\n%s", text, s)
	}
}

const samplePlan = `---
title: Token store
---
# Token store migration

## Goal

Move **session tokens** from memory to ` + "`redis`" + ` so that a restart of the service keeps every user signed in.
See [the incident](https://example.org/42).

## Steps

1. Add a ` + "`TokenStore`" + ` interface with the three operations that the handlers use today
   - [x] list the callers
   - [ ] write the contract test
2. Implement it on Redis

> Keys expire after 30 days.

| field | type   |
|-------|--------|
| id    | string |

` + "```go\nfunc Get(id string) (Token, error)\n```" + `

## 风险

迁移期间，旧的会话可能会丢失；我们需要在切换之前把所有令牌复制到新的存储，并且保留一周。
`

func compareOf(t *testing.T, old, new string, change func(*Options)) *Model {
	t.Helper()
	dir := t.TempDir()
	return reviewOf(t, "", func(o *Options) {
		o.Only = ""
		o.Old, o.New = write(t, filepath.Join(dir, "plan-r1.md"), old), write(t, filepath.Join(dir, "plan-r2.md"), new)
		if change != nil {
			change(o)
		}
	})
}

func revisedPlan() string {
	return strings.NewReplacer("30 days", "7 days", "2. Implement it on Redis", "2. Implement it on Redis 7\n3. Copy the live tokens",
		"   - [x] list the callers\n", "").Replace(samplePlan)
}

func TestScreens(t *testing.T) {
	sizes := []struct{ width, height int }{{80, 24}, {40, 12}, {160, 40}, {20, 6}}
	for _, s := range sizes {
		t.Run(fmt.Sprintf("%dx%d", s.width, s.height), func(t *testing.T) {
			d := sit(t, reviewOf(t, samplePlan, nil), s.width, s.height)
			d.note("A", "Good, but one thing")
			d.press("j j j j j j")
			d.note("a", "which sessions? 哪些会话？")
			d.golden(fmt.Sprintf("plan-%dx%d", s.width, s.height))
			d.press("a")
			d.golden(fmt.Sprintf("box-%dx%d", s.width, s.height))

			d = sit(t, compareOf(t, samplePlan, revisedPlan(), func(o *Options) { o.LineNumbers = s.width > 60 }), s.width, s.height)
			d.m.about = "use Redis 7"
			d.press("]")
			d.golden(fmt.Sprintf("compare-%dx%d", s.width, s.height))
			d.press("C v")
			d.golden(fmt.Sprintf("compact-%dx%d", s.width, s.height))
		})
	}
}

func TestPages(t *testing.T) {
	d := sit(t, reviewOf(t, samplePlan, nil), 60, 20)
	d.press("?")
	d.golden("help")
	d.press("esc t")
	d.golden("contents")
	d.press("j j enter")
	d.shows("11/")
	d.note("a", "first\nline")
	d.note("A", "all of it")
	d.press("j a")
	d.write("unfinished")
	d.press("esc @")
	d.golden("notes")
	d.press("esc q")
	d.golden("half-typed")
}

// TestNoSizePanics draws every part at sizes down to nothing.
func TestNoSizePanics(t *testing.T) {
	for _, keys := range []string{"", "a", "?", "t", "@", "i", "/", "Q", "ctrl+c", "V j j", "tab", "w right", "L"} {
		for _, m := range []*Model{reviewOf(t, samplePlan, nil), compareOf(t, samplePlan, revisedPlan(), nil), reviewOf(t, "", nil)} {
			d := sit(t, m, 80, 24)
			d.note("A", "note")
			d.press(keys)
			for _, w := range []int{300, 99, 20, 7, 2} {
				for _, h := range []int{60, 6, 2, 1} {
					d.size(w, h)
					d.checked()
				}
			}
		}
	}
}

// TestWarmEqualsCold goes through every ordered pair of ways to look at a
// comparison, and holds that what the cache kept from the first does not show in
// the second.
func TestWarmEqualsCold(t *testing.T) {
	states := []func(*desk){
		func(d *desk) {},
		func(d *desk) { d.press("w") },
		func(d *desk) { d.press("w right") },
		func(d *desk) { d.press("W") },
		func(d *desk) { d.press("L") },
		func(d *desk) { d.press("C") },
		func(d *desk) { d.press("v") },
		func(d *desk) { d.press("j V j j j") },
		func(d *desk) { d.press("/"); d.write("tok"); d.press("enter") },
		func(d *desk) { d.press("/"); d.write("Redis"); d.press("enter") },
		func(d *desk) { d.note("a", "x") },
		func(d *desk) { d.press("j a"); d.write("half"); d.press("esc") },
		func(d *desk) { d.press("a"); d.write("open") },
		func(d *desk) { d.size(50, 20) },
		func(d *desk) { d.m.setTheme(theme.Options{NoColor: true}) },
		func(d *desk) { d.press("G") },
		func(d *desk) { d.press("r") },
		func(d *desk) { d.size(130, 30); d.press("|") },
	}
	old, new := samplePlan, revisedPlan()
	for i, first := range states {
		for k, second := range states {
			warm := sit(t, compareOf(t, old, new, nil), 80, 24)
			warm.m.View()
			first(warm)
			warm.m.View()
			second(warm)
			got := warm.m.View().Content

			list := warm.m.list
			item, line := list.Position()
			selected := list.Selected()
			cold := *warm.m
			cold.list = coldList(&cold, item, line, selected)
			cold.paint = newPainter(cold.theme)
			if want := cold.View().Content; got != want {
				t.Fatalf("state %d after %d:\n%s\nwant\n%s", k, i, ansi.Strip(got), ansi.Strip(want))
			}
		}
	}
}
