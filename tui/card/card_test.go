package card

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/session"
	"planmode/tui/overlay"
	"planmode/tui/theme"
)

var keys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "esc": {Code: tea.KeyEscape},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"tab": {Code: tea.KeyTab}, "pgdown": {Code: tea.KeyPgDown}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+j": {Code: 'j', Mod: tea.ModCtrl}, "backspace": {Code: tea.KeyBackspace},
}

type desk struct {
	card *Card
	now  time.Time
}

func open(data session.Card) *desk { return openIn(data, theme.New(theme.Options{Dark: true})) }

func openIn(data session.Card, th *theme.Theme) *desk {
	d := &desk{now: time.Unix(1000, 0)}
	d.card = New(data, th, func() time.Time { return d.now })
	return d
}

// armed draws the card and lets the keyboard be quiet.
func (d *desk) armed() *desk {
	d.card.View(80, 24)
	d.now = d.now.Add(overlay.ArmDelay)
	return d
}

// press types a script with keys in angle brackets, and gives the first verdict.
func (d *desk) press(script string) (session.Verdict, bool) {
	for script != "" {
		var msg tea.KeyPressMsg
		if script[0] == '<' {
			name, rest, _ := strings.Cut(script[1:], ">")
			known, ok := keys[name]
			if !ok {
				panic("no such key: " + name)
			}
			msg, script = known, rest
		} else {
			r := []rune(script)[0]
			msg, script = tea.KeyPressMsg{Code: r, Text: string(r)}, script[len(string(r)):]
		}
		if v, done := d.card.Key(msg); done {
			return v, true
		}
	}
	return session.Verdict{}, false
}

const hash = plan.Hash("sha256:1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f809")

func sample() session.Card {
	return session.Card{
		Review: "review-1", Ref: plan.Ref{Plan: "20260101T000000-oauth-0a0b0c0d", Revision: 2, Hash: hash},
		Title:    "OAuth migration",
		Steps:    []string{"Read the handlers", "Add the token store", "Move the sessions", "Drop the cookies", "Test", "Document", "Release"},
		Compared: "r1 → r2: 12 lines added, 3 removed",
		Outcome:  "No annotations were recorded.",
		Reviewer: "built-in reviewer",
		Start:    session.RowKeep,
		Rows:     []session.Row{session.RowApprove, session.RowRequestChanges, session.RowKeep, session.RowCancel, session.RowLeave},
	}
}

// An approach must never read like a row of the card.
func TestNoApproachCanBeCalledLikeARow(t *testing.T) {
	c := odd()
	shown := New(c, theme.New(theme.Options{}), time.Now)
	for i, row := range shown.menu.Rows {
		if shown.actions[i].toggle == nil && !document.IsReserved(row.Label) {
			t.Errorf("%q can be the label of an approach", row.Label)
		}
	}
}

func odd() session.Card {
	c := sample()
	c.Rows = append(c.Rows, session.RowUseEdits, session.RowReopen)
	c.Outcome = "The reviewer changed the copy; the changes are not part of the plan."
	return c
}

func offering() session.Card {
	c := sample()
	c.Options = []plan.Option{{Label: "Rewrite", Description: "all at once"}, {Label: "Step by step", Description: "behind a flag", Recommended: true}}
	return c
}

func annotated() session.Card {
	c := sample()
	c.Notes = []plan.Annotation{{Line: 12, Body: "why not now?"}, {Body: "too long"}}
	c.Missing = []string{"Risks", "Rollback"}
	c.Start = session.RowRequestChanges
	return c
}

func TestVerdicts(t *testing.T) {
	one, zero := 1, 0
	tests := []struct {
		name   string
		card   session.Card
		script string
		row    session.Row // empty: no verdict
		option *int
		text   string
	}{
		{"enter takes the row it opens on", sample(), "<enter>", session.RowKeep, nil, ""},
		{"it opens on request changes when told to", annotated(), "<enter><enter>", session.RowRequestChanges, nil, ""},
		{"a approves", sample(), "a", session.RowApprove, nil, ""},
		{"caps lock does not matter", sample(), "K", session.RowKeep, nil, ""},
		{"the first row approves", sample(), "<home><enter>", session.RowApprove, nil, ""},
		{"k keeps planning", sample(), "k", session.RowKeep, nil, ""},
		{"l leaves", sample(), "l", session.RowLeave, nil, ""},
		{"esc cancels", sample(), "<esc>", session.RowCancel, nil, ""},
		{"the cancel row cancels", sample(), "5<enter>", session.RowCancel, nil, ""},
		{"e uses the edits", odd(), "e", session.RowUseEdits, nil, ""},
		{"r reviews again", odd(), "r", session.RowReopen, nil, ""},
		{"e is no key without that row", sample(), "e", "", nil, ""},
		{"a digit only moves", sample(), "1234567890", "", nil, ""},
		{"a digit and enter take that row", sample(), "1<enter>", session.RowApprove, nil, ""},
		{"moving stops at the ends", sample(), "<up><up><up><up><up><up><up><enter>", session.RowApprove, nil, ""},
		{"other keys do nothing", sample(), "xyz<space><pgdown>", "", nil, ""},
		{"n opens a box, and enter in it sends", sample(), "ncareful with tests<enter>", session.RowApprove, nil, "careful with tests"},
		{"approve with notes needs notes", sample(), "n<enter><space><enter>", "", nil, ""},
		{"c opens a box", sample(), "csplit step 2<enter>", session.RowRequestChanges, nil, "split step 2"},
		{"a request needs a text", sample(), "c<enter>", "", nil, ""},
		{"pending notes are a request of their own", annotated(), "c<enter>", session.RowRequestChanges, nil, ""},
		{"alt+enter breaks the line", sample(), "ca<alt+enter>b<ctrl+j>c<enter>", session.RowRequestChanges, nil, "a\nb\nc"},
		{"letters in a box are text", sample(), "cakl1<enter>", session.RowRequestChanges, nil, "akl1"},
		{"esc leaves the box, and esc again cancels", sample(), "ctext<esc><esc>", session.RowCancel, nil, ""},
		{"esc keeps the text", sample(), "cfirst<esc>c second<enter>", session.RowRequestChanges, nil, "first second"},
		{"the two boxes keep their own text", sample(), "cchange<esc>nnote<esc>c!<enter>", session.RowRequestChanges, nil, "change!"},
		{"text of a box left is not sent by another row", sample(), "cchange<esc>a", session.RowApprove, nil, ""},
		{"with several approaches a only moves", offering(), "a", "", nil, ""},
		{"the second approach", offering(), "a<down><enter>", session.RowApprove, &one, ""},
		{"the first approach", offering(), "a<enter>", session.RowApprove, &zero, ""},
		{"notes go with the first approach", offering(), "nok<enter>", session.RowApprove, &zero, "ok"},
		{"tab changes the approach of the notes", offering(), "nok<tab><enter>", session.RowApprove, &one, "ok"},
		{"notes go with the approach that was looked at", offering(), "2nok<enter>", session.RowApprove, &one, "ok"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, done := open(tt.card).armed().press(tt.script)
			if !done {
				if tt.row != "" {
					t.Fatalf("no verdict, want %s", tt.row)
				}
				return
			}
			want := session.Verdict{Review: "review-1", Hash: hash, Row: tt.row, Option: tt.option, Text: tt.text}
			if !reflect.DeepEqual(v, want) {
				t.Errorf("got %+v, want %+v", v, want)
			}
		})
	}
}

func TestNothingApprovesBeforeTheCardIsArmed(t *testing.T) {
	names := []string{"a", "n", "c", "k", "l", "1", "x", "<enter>", "<up>", "<down>", "<home>"}
	for _, first := range names {
		for _, second := range names {
			for _, third := range names {
				d := open(sample())
				d.card.View(80, 24)
				// Each key comes just before the quiet time is over.
				for _, key := range []string{first, second, third, "<home>", "<enter>", "a"} {
					d.now = d.now.Add(overlay.ArmDelay - time.Millisecond)
					if v, done := d.press(key); done {
						t.Fatalf("%s %s %s gave %+v", first, second, third, v)
					}
				}
			}
		}
	}
	undrawn := open(sample())
	undrawn.now = undrawn.now.Add(time.Hour)
	if v, done := undrawn.press("a<enter>"); done {
		t.Errorf("not drawn yet, it gave %+v", v)
	}
	if _, done := undrawn.press("<esc>"); !done {
		t.Error("esc does not cancel before it is armed")
	}
}

func TestArmingIsShown(t *testing.T) {
	for _, o := range []theme.Options{{Dark: true}, {}, {NoColor: true}} {
		d := openIn(sample(), theme.New(o))
		before := d.card.View(80, 24)
		if w := d.card.Wait(); w != overlay.ArmDelay {
			t.Errorf("wait %v", w)
		}
		d.armed()
		after := d.card.View(80, 24)
		if d.card.Wait() != 0 || reflect.DeepEqual(before, after) {
			t.Errorf("%+v: armed looks like not armed", o)
		}
		if plain(before) != plain(after) {
			t.Error("the text changed with the brightness")
		}
	}
}

func TestItNeverOpensOnApprove(t *testing.T) {
	for _, start := range []session.Row{session.RowApprove, "", "no such row"} {
		c := sample()
		c.Start = start
		if v, _ := open(c).armed().press("<enter>"); v.Row != session.RowKeep {
			t.Errorf("start %q: enter gave %q", start, v.Row)
		}
	}
	c := annotated()
	c.Start = ""
	if v, done := open(c).armed().press("<enter><enter>"); !done || v.Row != session.RowRequestChanges {
		t.Errorf("with notes, enter gave %q", v.Row)
	}
}

func TestPasteGoesToTheOpenBoxOnly(t *testing.T) {
	d := open(sample()).armed()
	d.card.Paste("a\nk\n")
	if _, _, ok := d.card.Cursor(); ok {
		t.Fatal("a paste opened a box")
	}
	d.press("c")
	d.card.Paste("two\x1b[2J\nlines")
	d.card.View(80, 24)
	if x, y, ok := d.card.Cursor(); !ok || x != 7 || y < 1 {
		t.Errorf("cursor at %d,%d,%t", x, y, ok)
	}
	if v, _ := d.press("<enter>"); v.Text != "two\nlines" {
		t.Errorf("got %q", v.Text)
	}
}

func TestHostileTextIsCleaned(t *testing.T) {
	evil := "Plan\x1b[2J\x1b]0;owned\x07\nsecond line \u202egnp"
	c := annotated()
	c.Title, c.Outcome, c.Compared, c.Reviewer = evil, evil, evil, evil
	c.Steps, c.Missing = []string{evil}, []string{evil}
	c.Options = []plan.Option{{Label: evil, Description: evil}, {Label: "b"}}
	c.Notes = []plan.Annotation{{Line: 3, Body: evil}}
	d := open(c).armed()
	for _, script := range []string{"", "n"} {
		d.press(script)
		out := strings.Join(d.card.View(80, 40), "\n")
		for _, bad := range []string{"\x1b[2J", "\x1b]", "\x07", "\u202e", "owned"} {
			if strings.Contains(out, bad) {
				t.Errorf("%q is on the screen", bad)
			}
		}
	}
}

func TestLinesAreExactAtAnySize(t *testing.T) {
	for _, data := range []session.Card{sample(), odd(), offering(), annotated(), chinese(), {}} {
		for _, script := range []string{"", "n", "c"} {
			for width := 1; width <= 200; width++ {
				for _, height := range []int{1, 2, 3, 6, 12, 50} {
					d := open(data).armed()
					d.press(script)
					got := d.card.View(width, height)
					if len(got) > height || len(got) == 0 {
						t.Fatalf("%dx%d: %d lines", width, height, len(got))
					}
					for _, line := range got {
						if w := ansi.StringWidth(line); w != width {
							t.Fatalf("%dx%d: line of %d: %q", width, height, w, line)
						}
					}
					if x, y, ok := d.card.Cursor(); ok && (x < 0 || x >= width || y < 0 || y >= len(got)) {
						t.Fatalf("%dx%d: cursor at %d,%d of %d", width, height, x, y, len(got))
					}
				}
				if width > 20 {
					width += 23
				}
			}
		}
	}
}

func chinese() session.Card {
	c := sample()
	c.Title = "将登录迁移到 OAuth 并逐步替换旧的会话存储，保持向后兼容"
	c.Steps = []string{"阅读处理程序并记录所有入口", "增加令牌存储"}
	c.Compared = ""
	return c
}

func TestScreens(t *testing.T) {
	for name, data := range map[string]session.Card{"clean": sample(), "notes": annotated(), "odd": odd(), "options": offering(), "chinese": chinese()} {
		for _, size := range [][2]int{{80, 24}, {40, 12}, {160, 50}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				golden.RequireEqual(t, plain(open(data).armed().card.View(size[0], size[1])))
			})
		}
	}
	t.Run("ascii", func(t *testing.T) {
		d := openIn(annotated(), theme.New(theme.Options{ASCII: true})).armed()
		d.press("cmore tests<alt+enter>please")
		golden.RequireEqual(t, plain(d.card.View(60, 20)))
	})
	t.Run("writing", func(t *testing.T) {
		d := open(offering()).armed()
		d.press("nkeep the flag<tab>")
		golden.RequireEqual(t, plain(d.card.View(80, 16)))
	})
}

func plain(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
	}
	return b.String()
}
