package session

import (
	"context"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tree"
)

// cleanly approves and asks for a clean context.
func cleanly(_ context.Context, c Card) (Verdict, error) {
	return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove, Text: "mind the cache", Clean: true}, nil
}

func TestACleanContextHoldsThePlanAndTheNotesAlone(t *testing.T) {
	r := submitUnder(t, clean, cleanly)
	turns := r.agent.told()
	if len(turns) != 2 {
		t.Fatalf("%d turns", len(turns))
	}
	work := turns[1]
	if len(work.Messages) != 1 || work.Messages[0].Role != agent.RoleHandoff {
		t.Fatalf("the work begins with %+v", work.Messages)
	}
	for _, want := range []string{"The person approved", "clean context", "> mind the cache", planText("login")} {
		if !strings.Contains(work.Messages[0].Text, want) {
			t.Errorf("no %q in the handoff", want)
		}
	}
	if strings.Contains(work.System, "plan the login") || work.Mode != plan.ModeNormal || work.Work == nil {
		t.Errorf("the turn is %+v", work)
	}
	kinds := ""
	for _, e := range r.Items(0) {
		switch e.Kind {
		case tree.KindUser, plan.KindPlanApproved, tree.KindCompaction, tree.KindHandoff:
			kinds += string(e.Kind) + " "
		}
	}
	if kinds != "user plan_approved compaction handoff " {
		t.Errorf("the person sees %s", kinds)
	}
	r.say("go on")
	last := r.lastTurn().Messages
	if last[0].Role != agent.RoleHandoff || last[len(last)-1].Text != "go on" {
		t.Errorf("later it is told %+v", last)
	}
	r.resume()
	r.say("and on")
	if r.lastTurn().Messages[0].Role != agent.RoleHandoff {
		t.Error("a resume brought the old conversation back")
	}
}

func TestAnApprovalThatKeepsTheContextMakesNoBoundary(t *testing.T) {
	r := submitUnder(t, clean, row(RowApprove))
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindCompaction {
			t.Errorf("a boundary: %s", e.Body)
		}
	}
	if first := r.agent.told()[1].Messages[1]; first.Text != "plan the login" {
		t.Errorf("the work begins with %+v", first)
	}
}

// Whatever a crash leaves between the approval, the boundary and the handoff, the
// next turn begins with the plan alone.
func TestACleanContextSurvivesACrashBetweenItsEntries(t *testing.T) {
	whole := submitUnder(t, clean, cleanly)
	items := whole.Items(0)
	entry := func(kind plan.Kind) Item {
		for _, e := range items {
			if e.Kind == kind {
				return e
			}
		}
		t.Fatalf("no %s", kind)
		return Item{}
	}
	user, approved, boundary, handoff := entry(tree.KindUser), entry(plan.KindPlanApproved), entry(tree.KindCompaction), entry(tree.KindHandoff)
	for name, c := range map[string]struct {
		branch []Item
		want   bool
	}{
		"nothing approved":         {[]Item{user}, false},
		"approved":                 {[]Item{user, approved}, true},
		"approved and said more":   {[]Item{user, approved, user}, true},
		"the boundary is there":    {[]Item{user, approved, boundary}, false},
		"the plan is there":        {[]Item{user, approved, boundary, handoff}, false},
		"the plan without it":      {[]Item{user, approved, handoff, user}, false},
		"approved anew after that": {[]Item{user, approved, boundary, handoff, user, approved}, true},
	} {
		if got := wantsClean(c.branch); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
