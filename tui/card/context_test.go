package card

import (
	"strings"
	"testing"

	"planmode/plan/session"
)

func TestTheContextOfTheWorkIsChosenOnTheCard(t *testing.T) {
	for _, c := range []struct {
		name   string
		card   session.Card
		script string
		row    session.Row
		clean  bool
	}{
		{"without a choice it is kept", sample(), "a", session.RowApprove, false},
		{"the letter makes it clean and decides nothing", sample(), "xa", session.RowApprove, true},
		{"twice is as before", sample(), "xxa", session.RowApprove, false},
		{"the row does the same", sample(), "<end><enter>a", session.RowApprove, true},
		{"it goes with notes", sample(), "xnmind the cache<enter>", session.RowApprove, true},
		{"it goes with an approach", offering(), "x2<enter>", session.RowApprove, true},
		{"other rows know nothing of it", sample(), "xk", session.RowKeep, false},
		{"nor do requested changes", sample(), "xcno<enter>", session.RowRequestChanges, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, done := open(c.card).armed().press(c.script)
			if !done || v.Row != c.row || v.Clean != c.clean {
				t.Errorf("done %t, %+v", done, v)
			}
		})
	}
	d := open(sample())
	d.card.View(80, 24)
	if d.press("x"); d.card.clean {
		t.Error("a key changed it before the card was armed")
	}
	d.armed().press("x")
	if got := plain(d.card.View(80, 24)); !strings.Contains(got, "Context: clean (x)") {
		t.Errorf("it is not shown:\n%s", got)
	}
	used := sample()
	used.Context = 89
	if got := plain(open(used).card.View(120, 24)); !strings.Contains(got, "89% of its context is used") {
		t.Errorf("the use of the context is not shown:\n%s", got)
	}
	bare := sample()
	bare.Rows = []session.Row{session.RowKeep, session.RowCancel}
	if got := plain(open(bare).card.View(80, 24)); strings.Contains(got, "Context") {
		t.Errorf("it is offered where nothing can be approved:\n%s", got)
	}
}
