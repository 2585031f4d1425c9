package composer

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/tui/keymap"
	"planmode/tui/theme"
)

// testCommands are a command with arguments and some without.
var testCommands = []Command{
	PlanCommand(),
	{Name: "/resume", Does: "continue an earlier session"},
	{Name: "/keys", Does: "what the keys do, and what this terminal delivers"},
	{Name: "/help", Does: "commands and how planning works"},
	{Name: "/quit", Does: "leave; the session is kept"},
}

func newComposer(history ...string) *Composer {
	keys, _ := keymap.New(nil)
	return New(Options{Theme: theme.New(theme.Options{Dark: true}), Keys: keys, Commands: testCommands, History: history})
}

var special = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "tab": {Code: tea.KeyTab},
	"esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft},
	"right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "backspace": {Code: tea.KeyBackspace},
	"delete": {Code: tea.KeyDelete}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl},
	"ctrl+w": {Code: 'w', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+j": {Code: 'j', Mod: tea.ModCtrl},
	"ctrl+v": {Code: 'v', Mod: tea.ModCtrl}, "pgup": {Code: tea.KeyPgUp}, "alt+d": {Code: 'd', Mod: tea.ModAlt},
	"shift+enter": {Code: tea.KeyEnter, Mod: tea.ModShift},
}

// press types a script: words in angle brackets are keys, the rest is text.
func press(c *Composer, script string) Outcome {
	var out Outcome
	for script != "" {
		if script[0] == '<' {
			name, rest, _ := strings.Cut(script[1:], ">")
			msg, ok := special[name]
			if !ok {
				panic("no such key: " + name)
			}
			out, script = c.Key(msg), rest
			continue
		}
		r := []rune(script)[0]
		out, script = c.Key(tea.KeyPressMsg{Code: r, Text: string(r)}), script[len(string(r)):]
	}
	return out
}

func TestKeys(t *testing.T) {
	tests := []struct {
		name    string
		script  string
		history []string
		kind    Kind
		sent    string
		left    string
	}{
		{"enter sends and empties", "hello<enter>", nil, Submitted, "hello", ""},
		{"nothing is not sent", "  <enter>", nil, Used, "", "  "},
		{"alt+enter breaks the line", "a<alt+enter>b<enter>", nil, Submitted, "a\nb", ""},
		{"shift+enter and ctrl+j break the line", "a<shift+enter>b<ctrl+j>c", nil, Changed, "", "a\nb\nc"},
		{"chinese text is typed", "你好<enter>", nil, Submitted, "你好", ""},
		{"backspace takes a letter with its accent", "ae\u0301<backspace>", nil, Changed, "", "a"},
		{"ctrl+c clears", "draft<ctrl+c>", nil, Cleared, "", ""},
		{"cleared text can be recalled", "draft<ctrl+c><up>", nil, Changed, "", "draft"},
		{"ctrl+c on nothing is for the app", "<ctrl+c>", nil, Ignored, "", ""},
		{"ctrl+d on nothing quits", "<ctrl+d>", nil, Quit, "", ""},
		{"ctrl+d deletes in a text", "ab<home><ctrl+d>", nil, Changed, "", "b"},
		{"up recalls", "<up>", []string{"one", "two"}, Changed, "", "two"},
		{"up twice recalls the one before", "<up><up>", []string{"one", "two"}, Changed, "", "one"},
		{"up at the start stays", "<up><up><up>", []string{"one", "two"}, Used, "", "one"},
		{"down comes back to the draft", "draft<up><up><down><down>", []string{"one", "two"}, Changed, "", "draft"},
		{"a changed earlier message is kept while moving", "<up>X<up><down>", []string{"one", "two"}, Changed, "", "twoX"},
		{"up inside the text moves the cursor", "a<alt+enter>b<up>X", []string{"one"}, Changed, "", "aX\nb"},
		{"sent text is recalled", "one<enter><up>", nil, Changed, "", "one"},
		{"a page key is for the app", "a<pgup>", nil, Ignored, "", "a"},
		{"the clipboard is not read", "a<ctrl+v>", nil, Ignored, "", "a"},
		{"esc is for the app", "a<esc>", nil, Ignored, "", "a"},
		{"tab is for the app", "a<tab>", nil, Ignored, "", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newComposer(tt.history...)
			out := press(c, tt.script)
			if out.Kind != tt.kind || out.Text != tt.sent || c.Text() != tt.left {
				t.Errorf("got %+v with %q left, want kind %d, %q sent, %q left", out, c.Text(), tt.kind, tt.sent, tt.left)
			}
		})
	}
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestPaste(t *testing.T) {
	long := lines(120)
	tests := []struct {
		name   string
		pastes []string
		script string
		shown  string
		text   string
	}{
		{"a short paste goes in as it is", []string{"a\nb"}, "", "a\nb", "a\nb"},
		{"escape sequences are removed", []string{"a\x1b[31mb\x1b]0;t\x07c\r\nd"}, "", "abc\nd", "abc\nd"},
		{"fifty lines go in as they are", []string{strings.TrimSuffix(lines(50), "\n")}, "<ctrl+u>", strings.TrimSuffix(lines(49), "\n") + "\n", ""},
		{"a long paste is a chip", []string{long}, "", "[Pasted 120 lines]", long},
		{"a long line is a chip", []string{strings.Repeat("x", 10<<10)}, "", "[Pasted 10 KiB]", strings.Repeat("x", 10<<10)},
		{"marks piled up on a letter are a chip", []string{"a" + strings.Repeat("\u0301", 400)}, "", "[Pasted 1 KiB]", "a" + strings.Repeat("\u0301", 400)},
		{"the marks of a language are text", []string{strings.Repeat("นี้", 40)}, "", strings.Repeat("นี้", 40), strings.Repeat("นี้", 40)},
		{"a second one has another label", []string{long, long}, "", "[Pasted 120 lines][Pasted 120 lines #2]", long + long},
		{"backspace deletes it whole", []string{long}, "<backspace>", "", ""},
		{"ctrl+w deletes it whole with the blank behind", []string{long}, " <ctrl+w>", "", ""},
		{"delete before it deletes it whole", []string{long}, "<home><delete>", "", ""},
		{"alt+d before it deletes it whole", []string{long}, "<home> <home><alt+d>", "", ""},
		{"backspace inside it deletes it whole", []string{long}, "<left><left><backspace>x", "x", "x"},
		{"typing inside it goes behind it", []string{long}, "<left><left>x", "[Pasted 120 lines]x", long + "x"},
		{"a line break inside it goes behind it", []string{long}, "<left><left><alt+enter>x", "[Pasted 120 lines]\nx", long + "\nx"},
		{"a deleted label typed again is text", []string{long}, "<backspace>[Pasted 120 lines]", "[Pasted 120 lines]", "[Pasted 120 lines]"},
		{"content that looks like a label stays", []string{long + "[Pasted 121 lines]", lines(121)}, "",
			"[Pasted 121 lines][Pasted 121 lines #2]", long + "[Pasted 121 lines]" + lines(121)},
		{"it comes back from the history", []string{long}, "!<ctrl+c><up>", "[Pasted 120 lines]!", long + "!"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newComposer()
			for _, p := range tt.pastes {
				c.Paste(p)
			}
			press(c, tt.script)
			if got := c.box.Value(); got != tt.shown {
				t.Errorf("shown %q, want %q", got, tt.shown)
			}
			if got := c.Text(); tt.text != "" && got != tt.text {
				t.Errorf("text of %d bytes, want %d", len(got), len(tt.text))
			}
		})
	}
	c := newComposer()
	c.Paste(long)
	if out := press(c, "<enter>"); out.Text != strings.TrimSpace(long) || !c.Empty() {
		t.Errorf("sent %d bytes, left %q", len(out.Text), c.Text())
	}
}

func TestCommandCompletion(t *testing.T) {
	tests := []struct {
		name   string
		script string
		kind   Kind
		sent   string
		left   string
		open   bool
	}{
		{"a slash offers the commands", "/", Changed, "", "/", true},
		{"tab accepts the first", "/<tab>", Changed, "", "/plan ", true},
		{"enter accepts a prefix", "/re<enter>", Changed, "", "/resume", false},
		{"enter sends what is complete", "/resume<enter>", Submitted, "/resume", "", false},
		{"bare /plan is sent", "/plan<enter>", Submitted, "/plan", "", false},
		{"bare /plan with a blank is sent", "/plan <enter>", Submitted, "/plan", "", false},
		{"an action is completed by its prefix", "/plan re<tab>", Changed, "", "/plan revise", false},
		{"the next action with that prefix", "/plan re<down><tab>", Changed, "", "/plan review", false},
		{"moving in the actions selects", "/plan <down><down><enter>", Changed, "", "/plan off", false},
		{"moving up from none selects the last", "/plan <up><enter>", Changed, "", "/plan status", false},
		{"a complete action is sent", "/plan on<enter>", Submitted, "/plan on", "", false},
		{"capitals match", "/PL<tab>", Changed, "", "/plan ", true},
		{"esc closes", "/pl<esc>", Used, "", "/pl", false},
		{"after esc enter sends", "/pl<esc><enter>", Submitted, "/pl", "", false},
		{"typing on opens again", "/pl<esc>a", Changed, "", "/pla", true},
		{"no match closes", "/zz", Changed, "", "/zz", false},
		{"not in the second line", "a<alt+enter>/", Changed, "", "a\n/", false},
		{"not in the middle of a text", "a /", Changed, "", "a /", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newComposer()
			out := press(c, tt.script)
			if out.Kind != tt.kind || out.Text != tt.sent || c.Text() != tt.left || c.PopupOpen() != tt.open {
				t.Errorf("got %+v, %q left, open %t", out, c.Text(), c.PopupOpen())
			}
		})
	}
}

func TestPlanActionsAreOfferedInOrder(t *testing.T) {
	c := newComposer()
	press(c, "/plan ")
	var got []string
	for _, it := range c.popup.items {
		got = append(got, it.label)
		if it.detail == "" {
			t.Errorf("%s has no description", it.label)
		}
	}
	if s := strings.Join(got, "|"); s != "on|off|revise|complete|abandon|discard|review|take|show|steps|status" {
		t.Error(s)
	}
	if c.commands[0].Name != "/plan" {
		t.Errorf("first is %s", c.commands[0].Name)
	}
}

func TestMentionsStartAfterBlanksAndIdeographs(t *testing.T) {
	for typed, want := range map[string]bool{
		"@ma": true, "see @ma": true, "(@ma": true, "看看@ma": true, "好，@ma": true, "ada@ma": false, "x.@ma": false,
	} {
		if out := press(newComposer(), typed); (out.Query != nil) != want {
			t.Errorf("%q asks for files: %t", typed, !want)
		}
	}
}

func TestADirectoryIsCompletedFurther(t *testing.T) {
	c := newComposer()
	out := press(c, "@cm")
	c.Files(out.Query.Seq, []string{"cmd/"})
	out = press(c, "<tab>")
	if c.Text() != "@cmd/" || out.Query == nil || out.Query.Prefix != "cmd/" {
		t.Fatalf("text %q, query %+v", c.Text(), out.Query)
	}
	c.Files(out.Query.Seq, []string{"cmd/main.go"})
	if out = press(c, "<enter>"); out.Kind != Submitted || out.Text != "@cmd/" {
		t.Errorf("Enter after a directory gave %+v", out)
	}
}

func TestThePopupCountsWhatIsBelow(t *testing.T) {
	c := newComposer()
	press(c, "/plan ")
	view := ansi.Strip(strings.Join(c.View(60, 20), "\n"))
	if !strings.Contains(view, "5 more") {
		t.Errorf("eleven arguments are offered as\n%s", view)
	}
	press(c, "<up>")
	if view = ansi.Strip(strings.Join(c.View(60, 20), "\n")); strings.Contains(view, "more") {
		t.Errorf("at the end there is still more\n%s", view)
	}
}

func TestFileCompletion(t *testing.T) {
	c := newComposer()
	first := press(c, "see @ma")
	if first.Query == nil || first.Query.Prefix != "ma" {
		t.Fatalf("query %+v", first.Query)
	}
	second := press(c, "i")
	c.Files(first.Query.Seq, []string{"map.go"})
	if c.PopupOpen() {
		t.Fatal("a stale answer was shown")
	}
	c.Files(second.Query.Seq, []string{"main.go", "evil\x1b[2J", "a dir/main.go"})
	if !c.PopupOpen() || len(c.popup.items) != 2 {
		t.Fatalf("offered %+v", c.popup.items)
	}
	press(c, "<down><enter>")
	if got := c.Text(); got != `see @"a dir/main.go" ` {
		t.Errorf("got %q", got)
	}
	c.Files(second.Query.Seq, []string{"main.go"})
	if c.PopupOpen() {
		t.Error("an answer that came after accepting was shown")
	}
	late := press(c, "@x")
	press(c, "<ctrl+c>")
	c.Files(late.Query.Seq, []string{"x.go"})
	if c.PopupOpen() {
		t.Error("an answer that came after clearing was shown")
	}
	if out := press(c, "me@host"); out.Query != nil {
		t.Error("an address asks for files")
	}
}

func TestSetTextKeepsWhatWasThere(t *testing.T) {
	c := newComposer()
	press(c, "draft")
	c.SetText("queued message")
	if c.Text() != "queued message" {
		t.Errorf("got %q", c.Text())
	}
	press(c, "<up>")
	if c.Text() != "draft" {
		t.Errorf("recalled %q", c.Text())
	}
}

func TestViewIsExactAtAnyWidth(t *testing.T) {
	scripts := []string{"", "hello wonderful world this is long enough to wrap many times over and over", "计划模式：评审一个修订之后批准",
		"/", "/plan ", "a<alt+enter>b<alt+enter>c<alt+enter>d<alt+enter>e<alt+enter>f<alt+enter>g<alt+enter>h<alt+enter>i", "👍🏽👩‍👩‍👧"}
	for _, script := range scripts {
		for width := 1; width <= 200; width++ {
			for _, height := range []int{1, 3, 20} {
				c := newComposer()
				press(c, script)
				got := c.View(width, height)
				if len(got) == 0 || len(got) > height || len(got) > maxRows+maxPopupRows {
					t.Fatalf("%q at %dx%d: %d lines", script, width, height, len(got))
				}
				for _, line := range got {
					if w := ansi.StringWidth(line); w != width {
						t.Fatalf("%q at %d: line of %d: %q", script, width, w, line)
					}
				}
				if x, y := c.Cursor(); x < 0 || x >= width || y < 0 || y >= len(got) {
					t.Fatalf("%q at %dx%d: cursor at %d,%d", script, width, height, x, y)
				}
			}
			if width > 24 {
				width += 9
			}
		}
	}
}

func TestCursorStandsWhereTextGoes(t *testing.T) {
	c := newComposer()
	press(c, "你好ab")
	c.View(40, 8)
	if x, y := c.Cursor(); x != 2+6 || y != 0 {
		t.Errorf("cursor at %d,%d", x, y)
	}
	press(c, "<alt+enter>x")
	c.View(40, 8)
	if x, y := c.Cursor(); x != 3 || y != 1 {
		t.Errorf("cursor at %d,%d", x, y)
	}
	press(c, "<ctrl+c>/")
	n := len(c.View(40, 20))
	if x, y := c.Cursor(); x != 3 || y != n-1 {
		t.Errorf("cursor at %d,%d below %d lines", x, y, n)
	}
}

func TestScreens(t *testing.T) {
	for name, script := range map[string]string{
		"typing":   "refactor the store so that writes are durable, and keep the tests<alt+enter>第二行：计划",
		"commands": "/",
		"actions":  "/plan <down>",
	} {
		for _, width := range []int{40, 80} {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) {
				c := newComposer()
				press(c, script)
				golden.RequireEqual(t, plain(c.View(width, 12)))
			})
		}
	}
}

func plain(lines []string) string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func FuzzPasteNeverLosesOrLeaks(f *testing.F) {
	f.Add("a\x1b[31mb", "x<y")
	f.Add(lines(60), "[Pasted 60 lines]")
	f.Fuzz(func(t *testing.T, first, second string) {
		c := newComposer()
		c.Paste(first)
		c.Paste(second)
		for _, line := range c.View(40, 10) {
			if w := ansi.StringWidth(line); w != 40 {
				t.Errorf("line of %d: %q", w, line)
			}
		}
		if strings.ContainsRune(c.Text(), 0x1b) {
			t.Errorf("an escape is left in %q", c.Text())
		}
	})
}

func BenchmarkKeyAndViewOfALongText(b *testing.B) {
	c := newComposer()
	c.Paste(strings.TrimSuffix(strings.Repeat("a line of a text that was pasted, 计划\n", 50), "\n"))
	x, back := tea.KeyPressMsg{Code: 'x', Text: "x"}, special["backspace"]
	for b.Loop() {
		c.Key(x)
		c.View(80, 8)
		c.Key(back)
	}
}
