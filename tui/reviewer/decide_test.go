package reviewer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/revdiff/brief"
	dialogs "planmode/tui/overlay"
)

// deciding is a review in which the person may decide, on a clock of its own.
func deciding(t *testing.T) *desk {
	t.Helper()
	m := briefed(t, []string{planOne, planTwo}, 1, nil, func(b *brief.Brief) {
		raw, err := json.Marshal(session.Card{
			Review: b.Review, Ref: b.Ref, Title: "A plan", Steps: []string{"Do x", "Do y"}, Start: session.RowKeep,
			Rows: []session.Row{session.RowApprove, session.RowRequestChanges, session.RowKeep, session.RowCancel, session.RowLeave, session.RowReopen},
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Card = raw
	})
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	m.now = func() time.Time { now = now.Add(time.Second); return now }
	return sit(t, m, 80, 24)
}

// run runs a command and hands in what it reports, as the loop would.
func (d *desk) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg, nil:
	default:
		_, next := d.m.Update(msg)
		if _, ticks := msg.(decidedMsg); !ticks {
			d.run(next)
		}
	}
}

// verdict runs what the last key began and reads the file it wrote.
func (d *desk) verdict(keys string) (session.Verdict, bool) {
	d.t.Helper()
	d.screen()
	names := strings.Fields(keys)
	for i, name := range names {
		cmd := d.press(name)
		d.screen()
		if i == len(names)-1 && d.m.deciding {
			d.run(cmd)
		}
	}
	raw, err := os.ReadFile(d.m.brief.Outcome)
	if err != nil {
		return session.Verdict{}, false
	}
	o, err := brief.ParseOutcome(raw, d.m.brief.Review, d.m.brief.Ref.Hash)
	if err != nil {
		d.t.Fatal(err)
	}
	var v session.Verdict
	if err := json.Unmarshal(o.Verdict, &v); err != nil {
		d.t.Fatal(err)
	}
	return v, true
}

func TestDecidingInTheReviewer(t *testing.T) {
	cases := []struct {
		name, keys string
		noted      bool
		want       session.Row
		text       string
		pending    session.Pending
		output     bool
	}{
		{name: "q without notes and then the row", keys: "q k", want: session.RowKeep},
		{name: "approve", keys: "D a", want: session.RowApprove},
		{name: "Esc cancels the review, as the card says", keys: "q esc", want: session.RowCancel},
		{name: "leave Plan Mode", keys: "D l", want: session.RowLeave},
		{name: "changes in words", keys: "D c o k enter", want: session.RowRequestChanges, text: "ok"},
		{name: "notes are sent as changes", keys: "D c enter", noted: true, want: session.RowRequestChanges, output: true},
		{name: "notes pending, approve asks: send instead", keys: "D a c", noted: true, want: session.RowRequestChanges, output: true},
		{name: "notes pending, approve asks: along", keys: "D a s", noted: true, want: session.RowApprove, pending: session.PendingSend, output: true},
		{name: "notes pending, approve asks: without", keys: "D a d", noted: true, want: session.RowApprove, pending: session.PendingDiscard, output: true},
		{name: "approving with words takes the notes along", keys: "D n o k enter", noted: true, want: session.RowApprove, text: "ok", pending: session.PendingSend, output: true},
		{name: "keeping keeps the notes", keys: "D k", noted: true, want: session.RowKeep, output: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := deciding(t)
			if c.noted {
				d.toLine(11)
				d.note("a", "why?")
			}
			v, ok := d.verdict(c.keys)
			if !ok || v.Row != c.want || v.Text != c.text || v.Pending != c.pending || v.Review != "rv1" || v.Hash != hashOf(planTwo) {
				t.Errorf("verdict %+v, %t\n%s", v, ok, d.screen())
			}
			if d.m.ending != endDone {
				t.Errorf("ended with %d", d.m.ending)
			}
			if _, err := os.Stat(d.m.opts.Output); (err == nil) != c.output {
				t.Errorf("output: %v", err)
			}
		})
	}
}

func (d *desk) toLine(line int) { d.m.toLine(line) }

func TestTheCardInTheReviewerDecidesNothingByItself(t *testing.T) {
	for _, keys := range []string{"D r", "D a esc", "D up down 1 2", "D n x esc", "D ctrl+c n"} {
		t.Run(keys, func(t *testing.T) {
			d := deciding(t)
			if strings.Contains(keys, "a esc") {
				d.note("A", "all")
			}
			if v, ok := d.verdict(keys); ok || d.m.ending != endNone {
				t.Errorf("decided %+v, ended with %d", v, d.m.ending)
			}
		})
	}
	t.Run("a key that comes too early", func(t *testing.T) {
		d := deciding(t)
		still := d.m.now()
		d.m.now = func() time.Time { return still }
		if v, ok := d.verdict("q a"); ok || d.m.card == nil {
			t.Errorf("decided %+v", v)
		}
	})
	t.Run("Ctrl+C twice leaves with nothing decided", func(t *testing.T) {
		d := deciding(t)
		if v, ok := d.verdict("D ctrl+c ctrl+c"); ok || d.m.ending != endLeft {
			t.Errorf("decided %+v, ended with %d", v, d.m.ending)
		}
	})
}

func TestADecisionThatCannotBeWrittenIsNotTaken(t *testing.T) {
	d := deciding(t)
	d.m.brief.Outcome = filepath.Join(t.TempDir(), "gone", "outcome.json")
	if _, ok := d.verdict("D a"); ok || d.m.ending != endNone || d.m.card == nil {
		t.Fatalf("ended with %d", d.m.ending)
	}
	d.shows("NOT decided")
	d.m.brief.Outcome = filepath.Join(t.TempDir(), "outcome.json")
	if v, ok := d.verdict("a"); !ok || v.Row != session.RowApprove {
		t.Errorf("the second try gave %+v", v)
	}
}

func TestTheTextInTheCardSurvivesACrash(t *testing.T) {
	d := deciding(t)
	d.verdict("D c m o r e")
	d.settle()
	again := sit(t, reopen(t, d.m), 80, 24)
	again.m.now = d.m.now
	again.verdict("D c")
	again.shows("> more")
}

func TestACardThatIsNotThereIsLeftToTheCaller(t *testing.T) {
	m := briefed(t, []string{planOne}, 0, nil, nil)
	d := sit(t, m, 80, 24)
	d.press("D")
	d.shows("decided by whoever opened it")
	d.press("q")
	if m.ending != endDone {
		t.Error("q did not end the review")
	}
}

func TestTheCardOnSmallScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {20, 6}, {160, 50}, {7, 2}} {
		d := deciding(t)
		d.size(size[0], size[1])
		d.note("A", "全部")
		d.press("D")
		d.checked()
		if size[0] == 80 {
			d.golden("card-80x24")
		}
		d.press("a")
		d.checked()
		d.press("esc n x")
		d.checked()
	}
}

// The timer begins before the card is drawn, so it may end before the card is armed.
func TestTheCardIsDrawnAgainUntilItIsArmed(t *testing.T) {
	d := deciding(t)
	now := d.m.now()
	d.m.now = func() time.Time { return now }
	if d.press("D") == nil {
		t.Fatal("nothing will draw the card again")
	}
	now = now.Add(dialogs.ArmDelay / 2) // a busy machine draws late
	early := d.m.View().Content
	now = now.Add(dialogs.ArmDelay / 2)
	_, again := d.m.Update(armedMsg{})
	if again == nil || d.m.View().Content != early {
		t.Fatal("the timer that ended early was the last one")
	}
	now = now.Add(dialogs.ArmDelay / 2)
	if _, more := d.m.Update(armedMsg{}); more != nil || d.m.View().Content == early {
		t.Error("the card does not show that it is armed")
	}
}
