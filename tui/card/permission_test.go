package card

import (
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/session"
)

func in(mode plan.Permission, c session.Card) session.Card {
	c.Permission = mode
	return c
}

func TestThePermissionModeOfTheWorkIsChosenOnTheCard(t *testing.T) {
	for _, c := range []struct {
		name   string
		card   session.Card
		script string
		row    session.Row
		want   plan.Permission
	}{
		{"without a choice nothing is said", in(plan.PermissionManual, sample()), "a", session.RowApprove, ""},
		{"the letter goes to yolo and decides nothing", in(plan.PermissionManual, sample()), "pa", session.RowApprove, plan.PermissionYolo},
		{"asking is a choice of its own", in(plan.PermissionManual, sample()), "ppa", session.RowApprove, plan.PermissionManual},
		{"once around is no choice again", in(plan.PermissionManual, sample()), "pppa", session.RowApprove, ""},
		{"in yolo the first other mode is manual", in(plan.PermissionYolo, sample()), "pa", session.RowApprove, plan.PermissionManual},
		{"auto can be left", in(plan.PermissionAuto, sample()), "ppa", session.RowApprove, plan.PermissionManual},
		{"auto is not chosen", in(plan.PermissionAuto, sample()), "pppa", session.RowApprove, ""},
		{"it goes with notes and a clean context", in(plan.PermissionManual, sample()), "pxnmind it<enter>", session.RowApprove, plan.PermissionYolo},
		{"other rows know nothing of it", in(plan.PermissionManual, sample()), "pk", session.RowKeep, ""},
		{"without a mode in force there is no row", sample(), "pa", session.RowApprove, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, done := open(c.card).armed().press(c.script)
			if !done || v.Row != c.row || v.Permission != c.want {
				t.Errorf("done %t, %+v", done, v)
			}
		})
	}
	d := open(in(plan.PermissionManual, sample()))
	d.card.View(80, 24)
	if d.press("p"); d.card.then() != "" {
		t.Error("a key changed it before the card was armed")
	}
	if got := plain(d.card.View(100, 24)); !strings.Contains(got, "Then: manual, as now (p)") {
		t.Errorf("it is not shown:\n%s", got)
	}
	d.armed().press("p")
	if got := plain(d.card.View(100, 24)); !strings.Contains(got, "Then: yolo (p)") || !strings.Contains(got, "run without asking") {
		t.Errorf("it is not shown:\n%s", got)
	}
}
