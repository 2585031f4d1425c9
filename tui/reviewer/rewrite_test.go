package reviewer

import (
	"errors"
	"os"
	"strings"
	"testing"

	"planmode/plan/session"
)

// edits lets the person's editor end, having written text.
func (d *desk) edits(text string, err error) {
	d.t.Helper()
	if d.press("e") == nil {
		d.t.Fatalf("e opened nothing: %s", d.m.message)
	}
	write(d.t, d.m.brief.Edit, text)
	d.m.Update(rewrittenMsg{err})
}

func TestAnEditIsShownAndProposed(t *testing.T) {
	d := deciding(t)
	d.toLine(11)
	d.note("a", "mine")
	want := string(d.m.output())
	d.edits(strings.Replace(planTwo, "3. Look", "3. Look twice", 1), nil)
	for _, s := range []string{"r2 → your edit", "Look twice", "q makes it r3"} {
		d.shows(s)
	}
	d.press("a")
	d.shows("this is your edit")
	d.press("esc")
	d.shows("your edit is kept")
	d.shows("mine")
	d.edits(strings.Replace(planTwo, "3. Look", "3. Look thrice", 1), nil)
	d.shows("Look thrice")
	v, ok := d.verdict("q y")
	if !ok || v.Row != session.RowUseEdits || v.Hash != hashOf(planTwo) {
		t.Fatalf("verdict %+v, %t\n%s", v, ok, d.screen())
	}
	if raw, _ := os.ReadFile(d.m.brief.Edit); !strings.Contains(string(raw), "thrice") {
		t.Errorf("the edit is %q", raw)
	}
	if raw, _ := os.ReadFile(d.m.opts.Output); string(raw) != want {
		t.Errorf("the notes are %q, want %q", raw, want)
	}
}

func TestAnEditWithoutAChangeIsNone(t *testing.T) {
	d := deciding(t)
	d.edits(planTwo, nil)
	d.shows("nothing was changed")
	if d.m.away != nil || d.m.hasEdit {
		t.Error("it is taken for an edit")
	}
	d.edits(planTwo, errors.New("exit status 1"))
	d.shows("nothing was changed")
}

func TestAnEditIsKeptUntilItIsDropped(t *testing.T) {
	d := deciding(t)
	d.edits(planTwo+"\nMore.\n", errors.New("killed"))
	d.shows("More.")
	again := sit(t, reopen(t, d.m), 80, 24)
	again.shows("your edit of this text is kept")
	again.press("q")
	again.shows("Put your edit aside?")
	again.press("n e")
	again.m.Update(rewrittenMsg{nil})
	again.shows("More.")
	again.press("Q")
	again.shows("Drop your edit?")
	again.press("y")
	again.shows("your edit is dropped")
	if _, err := os.Stat(d.m.brief.Edit); !os.IsNotExist(err) {
		t.Errorf("its file: %v", err)
	}
	again.press("q")
	if again.m.card == nil {
		t.Error("q did not lead to the card")
	}
}

func TestAnEditThatCannotBeShownIsKept(t *testing.T) {
	d := deciding(t)
	d.edits("a\x00b", nil)
	d.shows("your edit is kept, but it cannot be shown")
	if !d.m.hasEdit || d.m.away != nil {
		t.Error("it is gone")
	}
}

func TestATextThatCannotBeEditedHere(t *testing.T) {
	d := sit(t, reviewOf(t, "a\n", nil), 80, 24)
	d.press("e")
	d.shows("cannot be edited here")
}
