package tree

import (
	"testing"

	"planmode/plan"
)

func TestTheLastCompactionCounts(t *testing.T) {
	at := func(id plan.EntryID, kind plan.Kind, body any) Entry {
		e, err := New(id, "", plan.Time{}, kind, body)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	u := func(id plan.EntryID) Entry { return at(id, KindUser, User{Text: string(id)}) }
	c := func(id, keep plan.EntryID) Entry {
		return at(id, KindCompaction, Compaction{Reason: Asked, Summary: string(id), Keep: keep})
	}
	broken := Entry{ID: "x", Kind: KindCompaction, Body: []byte(`{"summary":7}`)}
	for _, tc := range []struct {
		name     string
		branch   []Entry
		at, from int
		ok       bool
	}{
		{"a branch without one is told whole", []Entry{u("a")}, 0, 0, false},
		{"what follows is told", []Entry{u("a"), c("c", ""), u("b")}, 1, 2, true},
		{"kept entries before it are told", []Entry{u("a"), u("b"), c("c", "b"), u("d")}, 2, 1, true},
		{"the last of two counts", []Entry{u("a"), c("c", ""), u("b"), c("d", ""), u("e")}, 3, 4, true},
		{"one to keep that is not on the branch keeps nothing", []Entry{u("a"), c("c", "zz")}, 1, 2, true},
		{"a damaged one hides nothing", []Entry{u("a"), c("c", ""), u("b"), broken}, 1, 2, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at, from, _, ok := Boundary(tc.branch)
			if ok != tc.ok || ok && (at != tc.at || from != tc.from) {
				t.Errorf("at %d from %d %v, want %d %d %v", at, from, ok, tc.at, tc.from, tc.ok)
			}
		})
	}
}
