package tree

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"planmode/plan"
)

func add(t *testing.T, tr *Tree, entries ...Entry) {
	t.Helper()
	for _, e := range entries {
		if err := tr.Add(e); err != nil {
			t.Fatal(err)
		}
	}
}

func ids(entries []Entry) []plan.EntryID {
	var out []plan.EntryID
	for _, e := range entries {
		out = append(out, e.ID)
	}
	return out
}

func TestTheZeroTreeIsEmpty(t *testing.T) {
	var tr Tree
	if tr.Len() != 0 || tr.Leaf() != "" || tr.Current() != nil || tr.All() != nil {
		t.Errorf("got %+v", tr)
	}
	if _, ok := tr.Entry("1"); ok {
		t.Error("it holds an entry")
	}
}

func TestBranches(t *testing.T) {
	var tr Tree
	user := func(id, parent plan.EntryID) Entry { return entry(t, id, parent, KindUser, User{Text: "x"}) }
	add(t, &tr, user("1", ""), user("2", "1"), user("3", "2"))
	if got := ids(tr.Current()); !slices.Equal(got, []plan.EntryID{"1", "2", "3"}) {
		t.Fatalf("current branch %q", got)
	}
	add(t, &tr, entry(t, "4", "3", KindLeaf, Leaf{To: "1"}))
	if got := tr.Leaf(); got != "1" {
		t.Fatalf("leaf %q after moving to 1", got)
	}
	add(t, &tr, user("5", "1"))
	tests := []struct {
		name string
		leaf plan.EntryID
		want []plan.EntryID
	}{
		{"the new branch leaves the old one out", tr.Leaf(), []plan.EntryID{"1", "5"}},
		{"the old branch is still there", "3", []plan.EntryID{"1", "2", "3"}},
		{"a leaf entry is at the end of the branch that was left", "4", []plan.EntryID{"1", "2", "3", "4"}},
		{"an unknown leaf has no branch", "99", nil},
		{"no leaf has no branch", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(tr.Branch(tt.leaf)); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := ids(tr.All()); !slices.Equal(got, []plan.EntryID{"1", "2", "3", "4", "5"}) {
		t.Errorf("all entries in the order written: %q", got)
	}
}

func TestMovingBeforeTheRootStartsAnotherTree(t *testing.T) {
	var tr Tree
	add(t, &tr, entry(t, "1", "", KindUser, User{Text: "x"}), entry(t, "2", "1", KindLeaf, Leaf{}))
	if tr.Leaf() != "" || tr.Current() != nil {
		t.Errorf("leaf %q", tr.Leaf())
	}
	add(t, &tr, entry(t, "3", "", KindUser, User{Text: "y"}))
	if got := ids(tr.Current()); !slices.Equal(got, []plan.EntryID{"3"}) {
		t.Errorf("current branch %q", got)
	}
}

func TestAddRefuses(t *testing.T) {
	tests := []struct {
		name string
		e    Entry
		want error
	}{
		{"an id that is used", entry(t, "1", "", KindUser, User{}), ErrDuplicate},
		{"a parent that is not there", entry(t, "3", "9", KindUser, User{}), ErrNoEntry},
		{"its own parent", entry(t, "3", "3", KindUser, User{}), ErrNoEntry},
		{"a move to nowhere", entry(t, "3", "1", KindLeaf, Leaf{To: "9"}), ErrNoEntry},
		{"a move to itself", entry(t, "3", "1", KindLeaf, Leaf{To: "3"}), ErrNoEntry},
		{"a move that cannot be read", Entry{ID: "3", Parent: "1", Kind: KindLeaf, Body: []byte(`{"to":1}`)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tr Tree
			add(t, &tr, entry(t, "1", "", KindUser, User{}))
			err := tr.Add(tt.e)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if tr.Len() != 1 || tr.Leaf() != "1" {
				t.Errorf("the tree changed: %d entries, leaf %q", tr.Len(), tr.Leaf())
			}
		})
	}
}

func TestFindTakesAnIDOrHowOneBegins(t *testing.T) {
	var tr Tree
	for _, id := range []plan.EntryID{"ab12", "ab34", "ab", "cd56"} {
		add(t, &tr, entry(t, id, "", KindUser, User{}))
	}
	for given, want := range map[string]plan.EntryID{"ab12": "ab12", "ab1": "ab12", "ab": "ab", "c": "cd56", "a": "", "x": "", "": "", "ab123": ""} {
		e, err := tr.Find(given)
		if e.ID != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", given, e.ID, err)
		}
	}
	if _, err := tr.Find("a"); !errors.Is(err, ErrManyEntries) {
		t.Errorf("got %v", err)
	}
}

var draft = plan.Ref{Plan: "20260304T050607-oauth-0a1b2c3d", Revision: 1, Hash: plan.Hash("sha256:" + strings.Repeat("ab", 32))}

// script is a branch up to an approval: enter, submit, show, approve.
func script(t *testing.T) []Entry {
	return []Entry{
		entry(t, "1", "", KindUser, User{Text: "plan it"}),
		entry(t, "2", "1", plan.KindPlanningEntered, plan.PlanningEntered{}),
		entry(t, "3", "2", plan.KindRevisionSubmitted, plan.RevisionSubmitted{Ref: draft, Title: "OAuth", Author: plan.ByAgent, Steps: 1}),
		entry(t, "4", "3", plan.KindReviewOpened, plan.ReviewOpened{Review: "r1", Ref: draft, Round: 1}),
		entry(t, "5", "4", plan.KindPlanApproved, plan.PlanApproved{Review: "r1", Ref: draft, Submission: "3", By: plan.ByUser}),
	}
}

func TestFoldFollowsTheBranch(t *testing.T) {
	var tr Tree
	add(t, &tr, script(t)...)
	s, skipped := Fold(tr.Current())
	if len(skipped) != 0 || s.Mode != plan.ModeNormal || s.OpenWork() == nil || s.Work.Ref != draft || !s.Work.Since.Equal(when.Time) {
		t.Fatalf("after the approval: %+v, %v", s, skipped)
	}
	add(t, &tr, entry(t, "6", "5", plan.KindWorkCompleted, plan.WorkCompleted{Ref: draft, By: plan.ByAgent}))
	add(t, &tr, entry(t, "7", "6", KindLeaf, Leaf{To: "3"}))
	if s, skipped = Fold(tr.Current()); len(skipped) != 0 || !s.IsPlanning() || s.Work != nil || *s.Planning != draft || s.Submission != "3" {
		t.Errorf("on the branch before the review: %+v, %v", s, skipped)
	}
	if s, _ = Fold(tr.Branch("4")); s.Review == nil || s.Review.ID != "r1" || s.Review.Submission != "3" {
		t.Errorf("on the branch with the open review: %+v", s)
	}
	if s, _ = Fold(tr.Branch("5")); s.OpenWork() == nil {
		t.Errorf("completing on one branch closed the work of another: %+v", s)
	}
	if s, _ = Fold(tr.Branch("6")); s.OpenWork() != nil || s.Work.Status != plan.Completed {
		t.Errorf("on the branch of the completion: %+v", s)
	}
	if s, _ = Fold(nil); s.Mode != plan.ModeNormal {
		t.Errorf("an empty branch: %+v", s)
	}
}

// broken is an event whose body cannot be decoded.
func broken(id, parent plan.EntryID, kind plan.Kind) Entry {
	return Entry{ID: id, Parent: parent, Kind: kind, At: when, Body: []byte(`{"ref":7,"continue":7,"review":7}`)}
}

func TestFoldFailsClosed(t *testing.T) {
	approved := script(t)
	tests := []struct {
		name    string
		branch  []Entry
		skipped plan.EntryID
		mode    plan.Mode
		work    bool
	}{
		{"an unreadable entering still turns planning on", []Entry{broken("1", "", plan.KindPlanningEntered)}, "1", plan.ModePlanning, false},
		{"an unreadable attaching still turns planning on", []Entry{broken("1", "", plan.KindRevisionAttached)}, "1", plan.ModePlanning, false},
		{"a refused entering still turns planning on and keeps the work", append(slices.Clone(approved),
			entry(t, "6", "5", plan.KindPlanningEntered, plan.PlanningEntered{})), "6", plan.ModePlanning, true},
		{"a refused attaching still turns planning on", []Entry{entry(t, "1", "", plan.KindRevisionAttached, plan.RevisionAttached{})}, "1", plan.ModePlanning, false},
		{"a refused approval leaves planning on", append(slices.Clone(approved[:4]),
			entry(t, "5", "4", plan.KindPlanApproved, plan.PlanApproved{Review: "r2", Ref: draft, Submission: "3", By: plan.ByUser})), "5", plan.ModePlanning, false},
		{"an unreadable approval leaves planning on", append(slices.Clone(approved[:4]), broken("5", "4", plan.KindPlanApproved)), "5", plan.ModePlanning, false},
		{"an approval without a review changes nothing", []Entry{entry(t, "1", "", plan.KindPlanApproved,
			plan.PlanApproved{Review: "r1", Ref: draft, Submission: "3", By: plan.ByUser})}, "1", plan.ModeNormal, false},
		{"an unreadable submission changes nothing in normal mode", []Entry{broken("1", "", plan.KindRevisionSubmitted)}, "1", plan.ModeNormal, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, skipped := Fold(tt.branch)
			if len(skipped) != 1 || skipped[0].Entry != tt.skipped || skipped[0].Err == nil {
				t.Errorf("skipped %v, want %s", skipped, tt.skipped)
			}
			if s.Mode != tt.mode || (s.OpenWork() != nil) != tt.work {
				t.Errorf("mode %s, work %+v", s.Mode, s.Work)
			}
		})
	}
}

func TestPlanningThatFailedClosedCanBeLeft(t *testing.T) {
	s, _ := Fold([]Entry{
		broken("1", "", plan.KindPlanningEntered),
		entry(t, "2", "1", plan.KindPlanningLeft, plan.PlanningLeft{}),
	})
	if s.IsPlanning() {
		t.Errorf("got %+v", s)
	}
}

func TestFoldIgnoresWhatIsNoEvent(t *testing.T) {
	branch := slices.Insert(script(t), 2, entry(t, "x", "2", "from_the_future", map[string]int{"mode": 1}))
	if s, skipped := Fold(branch); len(skipped) != 0 || s.OpenWork() == nil {
		t.Errorf("got %+v, %v", s, skipped)
	}
}
