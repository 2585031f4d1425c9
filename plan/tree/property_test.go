package tree

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"planmode/plan"
)

// gardener grows a random tree of events and of entries that are none, moving
// between branches, the way a session does: only what the law allows is added.
type gardener struct {
	t      *testing.T
	chance *rand.Rand
	tree   Tree
	state  plan.State                  // at the leaf
	kept   map[plan.EntryID]plan.State // at every entry, as it was reached step by step
	n      int
}

func (g *gardener) id() plan.EntryID { g.n++; return plan.EntryID(fmt.Sprintf("%012x", g.n)) }

func (g *gardener) add(kind plan.Kind, body any) Entry {
	g.t.Helper()
	at := plan.Stamp(time.Date(2026, 3, 1, 9, 0, g.n, 0, time.UTC))
	e, err := New(g.id(), g.tree.Leaf(), at, kind, body)
	if err == nil {
		err = g.tree.Add(e)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return e
}

// step adds an entry or moves.
func (g *gardener) step() {
	switch g.chance.IntN(8) {
	case 0:
		all := g.tree.All()
		if len(all) == 0 {
			return
		}
		to := all[g.chance.IntN(len(all))]
		if to.Kind == KindLeaf {
			return
		}
		g.add(KindLeaf, Leaf{To: to.ID})
		g.state = g.kept[to.ID]
	case 1:
		g.still(KindUser, User{Text: "words"})
	case 2:
		g.still(KindCompaction, Compaction{Reason: Asked, Summary: "short"})
	case 3:
		g.still(KindLabel, Label{Target: g.tree.Leaf(), Text: "here"})
	default:
		ev := g.event()
		if _, err := plan.Apply(g.state, ev, plan.At{}); err != nil {
			return
		}
		e := g.add(ev.Kind(), ev)
		next, err := plan.Apply(g.state, ev, plan.At{Entry: e.ID, Time: e.At.Time})
		if err != nil {
			g.t.Fatal(err)
		}
		g.state = next
		g.kept[e.ID] = next
	}
}

// still adds an entry that must not change the state.
func (g *gardener) still(kind plan.Kind, body any) { g.kept[g.add(kind, body).ID] = g.state }

// event draws one that often fits the state.
func (g *gardener) event() plan.Event {
	id := plan.ID("20260301T090000-login-0000000" + string("ab"[g.chance.IntN(2)]))
	ref := func(n int) plan.Ref {
		return plan.Ref{Plan: id, Revision: n, Hash: plan.HashOf(fmt.Append(nil, id, n, g.n))}
	}
	now, named := ref(1), plan.ID("")
	if p := g.state.Planning; p != nil {
		id = p.Plan
		now, named = ref(p.Revision+1), p.Plan
	}
	draft, work, review := plan.Ref{}, plan.Ref{}, plan.OpenReview{}
	if p := g.state.Planning; p != nil {
		draft = *p
	}
	if w := g.state.Work; w != nil {
		work = w.Ref
	}
	if r := g.state.Review; r != nil {
		review = *r
	}
	all := []plan.Event{
		plan.PlanningEntered{Continue: g.chance.IntN(2) == 0},
		plan.RevisionAttached{Ref: work},
		plan.RevisionSubmitted{Ref: now, Named: named, Author: plan.ByAgent},
		plan.ReviewOpened{Review: plan.ReviewID(fmt.Sprint("v", g.n)), Ref: draft, Round: 1},
		plan.ReviewClosed{Review: review.ID, Outcome: plan.OutcomeKept},
		plan.ChangesRequested{Review: review.ID, Count: 1},
		plan.PlanApproved{Review: review.ID, Ref: review.Ref, Submission: review.Submission, By: plan.ByUser},
		plan.PlanApproved{Review: review.ID, Ref: review.Ref, Submission: review.Submission, By: plan.ByUser},
		plan.PlanningLeft{},
		plan.DraftDetached{Ref: draft},
		plan.WorkCompleted{Ref: work, By: plan.ByUser},
		plan.WorkAbandoned{Ref: work, By: plan.ByUser},
		plan.WorkAdopted{Ref: now},
	}
	return all[g.chance.IntN(len(all))]
}

func grow(t *testing.T, seed uint64, steps int) *gardener {
	g := &gardener{t: t, chance: rand.New(rand.NewPCG(seed, 7)), kept: map[plan.EntryID]plan.State{"": {Mode: plan.ModeNormal}}}
	g.state = g.kept[""]
	for range steps {
		g.step()
	}
	return g
}

// TestStateFollowsThePathAlone is the promise of branches: at every entry of any
// tree the state is what the events of the path to it make, whatever happened on
// other branches, before or after.
func TestStateFollowsThePathAlone(t *testing.T) {
	reached := map[string]int{}
	for seed := range uint64(60) {
		g := grow(t, seed, 150)
		for _, e := range g.tree.All() {
			if e.Kind == KindLeaf {
				continue
			}
			folded, skipped := Fold(g.tree.Branch(e.ID))
			if len(skipped) > 0 || !reflect.DeepEqual(folded, g.kept[e.ID]) {
				t.Fatalf("seed %d, entry %s: folded %+v (%v), reached as %+v", seed, e.ID, folded, skipped, g.kept[e.ID])
			}
			reached[fmt.Sprintf("%s %v %v", folded.Mode, folded.Review != nil, workOf(folded))]++
		}
	}
	for _, want := range []string{"planning true ", "normal false implementing", "normal false completed", "planning false implementing"} {
		if reached[want] == 0 {
			t.Errorf("no tree ever reached %q: %v", want, reached)
		}
	}
}

func workOf(s plan.State) plan.WorkStatus {
	if s.Work == nil {
		return ""
	}
	return s.Work.Status
}

// TestClosingOnOneBranchClosesNoOther closes all open work, branch after branch,
// and finds the work of every other branch as it was.
func TestClosingOnOneBranchClosesNoOther(t *testing.T) {
	closed := 0
	for seed := range uint64(40) {
		g := grow(t, seed, 120)
		var open []plan.EntryID
		for id, s := range g.kept {
			if s.OpenWork() != nil && !s.IsPlanning() && len(open) < 12 {
				open = append(open, id)
			}
		}
		for _, id := range open {
			g.add(KindLeaf, Leaf{To: id})
			s := g.kept[id]
			ev := plan.WorkCompleted{Ref: s.Work.Ref, By: plan.ByUser}
			e := g.add(ev.Kind(), ev)
			if after, skipped := Fold(g.tree.Branch(e.ID)); len(skipped) > 0 || after.Work.Status != plan.Completed {
				t.Fatalf("seed %d: %+v %v", seed, after, skipped)
			}
			for _, other := range open {
				if s, _ := Fold(g.tree.Branch(other)); s.OpenWork() == nil {
					t.Fatalf("seed %d: completing at %s closed the work at %s", seed, id, other)
				}
			}
			closed++
		}
	}
	if closed < 50 {
		t.Errorf("only %d were closed", closed)
	}
}

// TestACompactionChangesNoState adds one at the end of random branches.
func TestACompactionChangesNoState(t *testing.T) {
	for seed := range uint64(60) {
		g := grow(t, seed, 80)
		before, _ := Fold(g.tree.Current())
		g.add(KindCompaction, Compaction{Reason: Automatic, Summary: "short", Plans: "told"})
		if after, skipped := Fold(g.tree.Current()); len(skipped) > 0 || !reflect.DeepEqual(before, after) {
			t.Fatalf("seed %d: before %+v, after %+v %v", seed, before, after, skipped)
		}
	}
}
