package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"planmode/plan"
	"planmode/store"
)

func TestApprovalIsRecorded(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	m, r1 := submit(t, s, first("# One\n"))
	m, err := s.Decide(m.PlanID, approve(r1))
	if err != nil || m.Status != plan.StatusApproved || m.ApprovedRevision != 1 || m.ApprovedHash != r1.Hash {
		t.Fatalf("got %+v, %v", m, err)
	}
	_, r2 := submit(t, s, next(m.PlanID, 1, "# Two\n"))
	m, err = s.Manifest(m.PlanID)
	if err != nil || m.Status != plan.StatusDraft || m.ApprovedRevision != 1 || m.Approval(1) == nil {
		t.Errorf("after r2: %+v, %v", m, err)
	}
	if m, err = s.Decide(m.PlanID, approve(r2)); err != nil || m.ApprovedRevision != 2 || m.Approval(1) == nil {
		t.Errorf("after approving r2: %+v, %v", m, err)
	}
	t.Run("r1 can still be completed on its branch", func(t *testing.T) {
		if _, err := s.Decide(m.PlanID, plan.Decision{Revision: 1, Kind: plan.DecidedCompleted, By: plan.ByAgent, Hash: r1.Hash}); err != nil {
			t.Error(err)
		}
	})
}

func TestAReviewDecidesOnce(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	m, ref := submit(t, s, first("# One\n"))
	for range 2 {
		got, err := s.Decide(m.PlanID, approve(ref))
		if err != nil || len(got.Decisions) != 1 {
			t.Fatalf("%d decisions, %v", len(got.Decisions), err)
		}
	}
	other := approve(ref)
	other.Kind = plan.DecidedChanges
	if _, err := s.Decide(m.PlanID, other); !errors.Is(err, store.ErrDecided) {
		t.Errorf("another decision of the review: %v", err)
	}
	_, r2 := submit(t, s, next(m.PlanID, 1, "# Two\n"))
	stolen := approve(r2)
	stolen.Review = "review-1"
	if _, err := s.Decide(m.PlanID, stolen); !errors.Is(err, store.ErrDecided) {
		t.Errorf("another revision approved by the review: %v", err)
	}
}

func TestDecisionsOnDamagedRevisions(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"that was changed":        func(path string) error { return os.WriteFile(path, []byte("# Bad\n"), 0o600) },
		"that is gone":            os.Remove,
		"whose directory is gone": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"that is a link to its copy": func(path string) error {
			return errors.Join(os.Rename(path, path+".copy"), os.Symlink(path+".copy", path))
		},
	} {
		t.Run("a revision "+name, func(t *testing.T) {
			s := openIn(t, t.TempDir(), store.Options{})
			m, ref := submit(t, s, first("# One\n"))
			if err := damage(s.RevisionPath(ref)); err != nil {
				t.Fatal(err)
			}
			for _, kind := range []plan.DecisionKind{plan.DecidedApproved, plan.DecidedAutoApproved, plan.DecidedCompleted} {
				d := approve(ref)
				d.Kind = kind
				if _, err := s.Decide(m.PlanID, d); !errors.Is(err, store.ErrTampered) {
					t.Errorf("%s: %v", kind, err)
				}
			}
			if got, err := s.Manifest(m.PlanID); err != nil || len(got.Decisions) != 0 {
				t.Errorf("recorded %v, %v", got.Decisions, err)
			}
			got, err := s.Decide(m.PlanID, plan.Decision{Revision: 1, Kind: plan.DecidedAbandoned, By: plan.ByUser})
			if err != nil || len(got.Decisions) != 1 {
				t.Errorf("abandoning: %v", err)
			}
		})
	}
}

func TestDecideRefuses(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	m, ref := submit(t, s, first("# One\n"))
	for name, c := range map[string]struct {
		change func(d *plan.Decision)
		want   error
	}{
		"a hash that was not shown":    {func(d *plan.Decision) { d.Hash = plan.HashOf(nil) }, store.ErrTampered},
		"an approval without a hash":   {func(d *plan.Decision) { d.Hash = "" }, store.ErrTampered},
		"a revision that is not there": {func(d *plan.Decision) { d.Revision = 2 }, store.ErrNoRevision},
		"an approval by the agent":     {func(d *plan.Decision) { d.By = plan.ByAgent }, plan.ErrManifest},
		"an option that was not there": {func(d *plan.Decision) { d.Option = new(int) }, plan.ErrManifest},
		"a kind that does not exist":   {func(d *plan.Decision) { d.Kind = "liked" }, plan.ErrManifest},
		"changes to bytes not shown":   {func(d *plan.Decision) { d.Kind, d.Hash = plan.DecidedChanges, plan.HashOf(nil) }, store.ErrTampered},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			d := approve(ref)
			c.change(&d)
			if _, err := s.Decide(m.PlanID, d); !errors.Is(err, c.want) {
				t.Errorf("got %v", err)
			}
			if got, err := s.Manifest(m.PlanID); err != nil || len(got.Decisions) != 0 {
				t.Errorf("recorded %v, %v", got.Decisions, err)
			}
		})
	}
}

func TestReviewRounds(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	m, ref := submit(t, s, first("# One\n"))
	round := func() int {
		t.Helper()
		n, err := s.NextRound(m.PlanID, 1)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := round(); n != 1 {
		t.Errorf("the first round is %d", n)
	}
	for range 2 {
		if err := s.SaveReview(m.PlanID, 1, 1, []byte("notes")); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SaveReview(m.PlanID, 1, 1, []byte("other")); !errors.Is(err, os.ErrExist) {
		t.Errorf("a round was overwritten: %v", err)
	}
	if b, err := s.Review(m.PlanID, 1, 1); err != nil || string(b) != "notes" {
		t.Errorf("kept %q, %v", b, err)
	}
	if n := round(); n != 2 {
		t.Errorf("after a saved round it is %d", n)
	}
	d := approve(ref)
	d.Kind, d.Round = plan.DecidedKept, 4
	if _, err := s.Decide(m.PlanID, d); err != nil {
		t.Fatal(err)
	}
	if n := round(); n != 5 {
		t.Errorf("after round 4 was decided it is %d", n)
	}
}

func TestReviewDirsAreFresh(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	m, _ := submit(t, s, first("# One\n"))
	a, errA := s.ReviewDir(m.PlanID, "rv")
	b, errB := s.ReviewDir(m.PlanID, "rv")
	c, errC := s.ReviewDir(m.PlanID, "rv2")
	if err := errors.Join(errA, errB, errC, os.WriteFile(filepath.Join(a, "notes"), nil, 0o600)); err != nil || a == b {
		t.Fatalf("%s, %s, %v", a, b, err)
	}
	if dirs, err := s.ReviewDirs(m.PlanID, "rv"); err != nil || len(dirs) != 2 {
		t.Errorf("got %v, %v", dirs, err)
	}
	if err := s.EndReview(m.PlanID, "rv"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(a); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", a, err)
	}
	if _, err := os.Stat(c); err != nil {
		t.Errorf("the directory of another review went too: %v", err)
	}
	for _, bad := range []plan.ReviewID{"", "..", "a/b", ".x"} {
		if _, err := s.ReviewDir(m.PlanID, bad); err == nil {
			t.Errorf("review id %q was accepted", bad)
		}
	}
}
