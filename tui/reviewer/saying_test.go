package reviewer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

const sections = "# Plan\n\n## Goal\n\nSay it.\n\n### Part\n\nmore\n\n## Steps\n\n1. Do `x`\n2. Do y\n"

func TestSuggestingAndLabelling(t *testing.T) {
	cases := []struct {
		name string
		do   func(*desk)
		want string
	}{
		{"another text for a line", func(d *desk) { d.press("G c"); d.write("!"); d.press("enter") },
			"## p:14 ( )\n```suggestion\n2. Do y!\n```\n"},
		{"another text for a range", func(d *desk) { d.press("G V k c"); d.write("!"); d.press("enter") },
			"## p:13-14 ( )\n```suggestion\n1. Do `x`\n2. Do y!\n```\n"},
		{"the same text is no suggestion", func(d *desk) { d.press("G c enter") }, ""},
		{"nor is it half-typed", func(d *desk) { d.press("G c"); d.write("!"); d.press("backspace esc") }, ""},
		{"an emptied text deletes", func(d *desk) { d.press("V j"); d.press("X") }, "## p:1-2 ( )\n```suggestion\n```\n"},
		{"a comment goes with a suggestion", func(d *desk) { d.press("G X"); d.note("a", "too much") },
			"## p:14 ( )\ntoo much\n\n```suggestion\n```\n"},
		{"a suggestion goes with a comment", func(d *desk) {
			d.press("G")
			d.note("a", "exactly")
			d.press("c")
			d.write("!")
			d.press("enter")
		}, "## p:14 ( )\nexactly\n\n```suggestion\n2. Do y!\n```\n"},
		{"a suggestion is edited where it is", func(d *desk) {
			d.press("G c")
			d.write("!")
			d.press("enter c")
			d.write("?")
			d.press("enter")
		}, "## p:14 ( )\n```suggestion\n2. Do y!?\n```\n"},
		{"a half-typed one is not handed over", func(d *desk) { d.press("G c"); d.write("!"); d.press("esc") }, ""},
		{"and c goes on with it", func(d *desk) { d.press("G c"); d.write("!"); d.press("esc c"); d.write("?"); d.press("enter") },
			"## p:14 ( )\n```suggestion\n2. Do y!?\n```\n"},
		{"a digit labels and asks for words", func(d *desk) { d.note("2", "no") }, "## p:1 ( )\n[blocker] no\n"},
		{"a label needs no words", func(d *desk) { d.press("3 enter") }, "## p:1 ( )\n[nit]\n"},
		{"a digit labels a note that is there", func(d *desk) { d.note("a", "x"); d.press("3") }, "## p:1 ( )\n[nit] x\n"},
		{"the same digit takes the label away", func(d *desk) { d.note("3", "x"); d.press("3") }, "## p:1 ( )\nx\n"},
		{"the list labels", func(d *desk) { d.press("l j enter"); d.write("x"); d.press("enter") }, "## p:1 ( )\n[blocker] x\n"},
		{"a digit in the list does, too", func(d *desk) { d.press("l 3"); d.write("x"); d.press("enter") }, "## p:1 ( )\n[nit] x\n"},
		{"Ctrl+L goes through the labels", func(d *desk) { d.press("a ctrl+l ctrl+l"); d.write("x"); d.press("enter") }, "## p:1 ( )\n[blocker] x\n"},
		{"a section from its heading", func(d *desk) { d.press("j j"); d.note("s", "all") }, "## p:3-9 ( )\nall\n"},
		{"a section from inside, only its own level", func(d *desk) { d.press("G k"); d.note("s", "all") }, "## p:11-14 ( )\nall\n"},
		{"an inner section", func(d *desk) { d.press("j j j j j j"); d.note("s", "all") }, "## p:7-9 ( )\nall\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t, reviewOf(t, sections, nil), 60, 16)
			c.do(d)
			d.screen()
			if got := d.notes(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestASuggestionIsShownAsAComparison(t *testing.T) {
	d := sit(t, reviewOf(t, sections, nil), 60, 20)
	d.press("G V k c")
	d.write("!")
	d.press("enter")
	for _, want := range []string{"note on lines 13-14 suggests", "▌ - 1. Do `x`", "▌ - 2. Do y", "▌ + 1. Do `x`", "▌ + 2. Do y!"} {
		d.shows(want)
	}
	d.press("d")
	if strings.Contains(d.screen(), "suggests") {
		t.Error("a deleted suggestion is still shown")
	}
	d.press("u @")
	d.shows("lines 13-14: (suggestion)")
}

func TestASuggestionForARemovedLineIsRefused(t *testing.T) {
	d := sit(t, compareOf(t, "a\nb\n", "a\n", nil), 60, 12)
	d.press("] c")
	d.shows("a suggestion is about lines of the new text")
	d.press("X")
	if got := d.notes(); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestEverythingWrittenComesBack(t *testing.T) {
	m := reviewOf(t, sections, nil)
	d := sit(t, m, 60, 16)
	d.note("2", "no")
	d.press("G c")
	d.write("!")
	d.press("enter k c")
	d.write(" later")
	d.settle()
	again := reopen(t, m)
	want := d.notes()
	if got := string(again.notes.format("p")); got != want {
		t.Errorf("came back as %q, want %q", got, want)
	}
	if n := again.notes.drafts[at(13, ' ')]; !n.suggests || n.with != "1. Do `x` later" {
		t.Errorf("the half-typed suggestion came back as %+v", n)
	}
	if p, _ := again.placeAt(again.list.Selected()); p != at(13, ' ') {
		t.Errorf("the cursor came back to %v", p)
	}
	e := sit(t, again, 60, 16)
	e.shows("half-typed suggestion; c goes on with it")
	e.press("c enter")
	if got := e.notes(); !strings.Contains(got, "1. Do `x` later") {
		t.Errorf("went on with %q", got)
	}
}

func TestNotesFollowTheTextOfAFile(t *testing.T) {
	m := reviewOf(t, sections, nil)
	d := sit(t, m, 60, 16)
	d.press("G k")
	d.note("3", "which x?")
	d.press("g j j j j")
	d.note("a", "say more")
	d.press("j j")
	d.note("a", "why?")
	d.press("j j V k a")
	d.write("half")
	d.settle()
	write(t, m.opts.Only, "# Plan\n\n## Preface\n\nNew here.\n\n## Steps\n\n0. Look\n1. Do `x`\n2. Do y\n\n## Goal\n\nSay it now.\n\nmore\n")
	again := reopen(t, m)
	got := string(again.notes.format("p"))
	want := "## p (file-level)\nOn \"### Part\": why?\n\n## p:10 ( )\n[nit] which x?\n\n## p:15 ( )\nsay more\n"
	if got != want {
		t.Errorf("notes %q\nwant %q", got, want)
	}
	if n := again.notes.drafts[at(16, ' ')]; n.body != "half" {
		t.Errorf("half-typed notes %+v", again.notes.drafts)
	}
	for _, want := range []string{"4 notes", "lines of 1 are gone"} {
		if !strings.Contains(again.message, want) {
			t.Errorf("the person is told %q", again.message)
		}
	}
	sit(t, again, 60, 16).settleNow()
	if found, _ := filepath.Glob(filepath.Join(m.opts.HistoryDir, "autosave*")); len(found) != 1 {
		t.Errorf("drafts left: %v", found)
	}
}

// settleNow saves what is there.
func (d *desk) settleNow() {
	d.t.Helper()
	d.m.save()
	d.settle()
}

func TestAFullDiskLosesNothing(t *testing.T) {
	m := reviewOf(t, sections, nil)
	d := sit(t, m, 20, 6)
	if err := os.MkdirAll(filepath.Dir(m.saver.dir), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, m.saver.dir, "a file where the directory should be")
	d.press("a")
	d.write("precious")
	for i := 0; m.keeper.running && i < 9; i++ {
		m.Update(savedMsg{err: m.saver.save(m.snapshot())})
	}
	d.shows("NOT SAVED")
	d.press("enter")
	d.shows("NOT SAVED")
	if err := os.Remove(m.saver.dir); err != nil {
		t.Fatal(err)
	}
	m.Update(tea.Msg(retryMsg{}))
	d.settle()
	d.shows("saved again")
	if got := string(reopen(t, m).notes.format("p")); got != "## p:1 ( )\nprecious\n" {
		t.Errorf("came back as %q", got)
	}
}
