package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
	"planmode/store/storetest"
)

// intact reopens the store and checks that every revision and decision that was
// acknowledged is there, and that the plan is at r<low> or r<low+1>.
func intact(t *testing.T, home string, id plan.ID, low int, texts ...string) (*store.Store, plan.Manifest) {
	t.Helper()
	s := openIn(t, home, store.Options{})
	m, err := s.Manifest(id)
	if err != nil {
		t.Fatalf("the plan cannot be read any more: %v", err)
	}
	if m.CurrentRevision != low && m.CurrentRevision != low+1 {
		t.Fatalf("the plan is at r%d", m.CurrentRevision)
	}
	for i, text := range texts {
		ref, _ := m.Ref(i + 1)
		if b, err := s.Revision(ref); err != nil || string(b) != text {
			t.Fatalf("%s is %q, %v", ref, b, err)
		}
	}
	return s, m
}

func TestSubmitSurvivesAFaultAtEveryStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
		broken := openIn(t, home, store.Options{Probe: rig.Probe})
		_, ref, err := broken.Submit(next(m.PlanID, 1, "# Two\n"))
		if err == nil {
			if rig.At != 0 && rig.Kind == storetest.Crash {
				t.Error("a crash was acknowledged")
			}
			if ref.Revision != 2 {
				t.Errorf("acknowledged as %v", ref)
			}
			intact(t, home, m.PlanID, 2, "# One\n", "# Two\n")
			return
		}
		s, _ := intact(t, home, m.PlanID, 1, "# One\n")
		if _, ref, err = s.Submit(next(m.PlanID, 1, "# Two\n")); err != nil || ref.Revision != 2 {
			t.Fatalf("the retry gave %v, %v", ref, err)
		}
		intact(t, home, m.PlanID, 2, "# One\n", "# Two\n")
	})
}

func TestAnotherTextAfterAFaultIsStoredToo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
		broken := openIn(t, home, store.Options{Probe: rig.Probe})
		_, _, _ = broken.Submit(next(m.PlanID, 1, "# Two\n"))
		s, now := intact(t, home, m.PlanID, 1, "# One\n")
		_, ref, err := s.Submit(next(m.PlanID, 1, "# Other\n"))
		if err != nil || ref.Revision != now.CurrentRevision+1 {
			t.Fatalf("got %v at r%d, %v", ref, now.CurrentRevision, err)
		}
		if b, err := s.Revision(ref); err != nil || string(b) != "# Other\n" {
			t.Errorf("%s is %q, %v", ref, b, err)
		}
	})
}

func TestTheFirstSubmissionSurvivesAFaultAtEveryStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		openIn(t, home, store.Options{}) // made before: every step is one of the submission
		broken := openIn(t, home, store.Options{Probe: rig.Probe})
		m, _, err := broken.Submit(first("# One\n"))
		if err == nil {
			intact(t, home, m.PlanID, 1, "# One\n")
			return
		}
		s := openIn(t, home, store.Options{Now: clock()})
		list, err := s.Plans()
		if err != nil || len(list) > 1 {
			t.Fatalf("listed %v, %v", list, err)
		}
		for _, p := range list { // not acknowledged, and whole
			intact(t, home, p.ID, 1, "# One\n")
		}
		m, _ = submit(t, s, first("# One\n"))
		intact(t, home, m.PlanID, 1, "# One\n")
	})
}

func TestDecideSurvivesAFaultAtEveryStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		m, ref := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
		broken := openIn(t, home, store.Options{Probe: rig.Probe})
		_, err := broken.Decide(m.PlanID, approve(ref))
		s, now := intact(t, home, m.PlanID, 1, "# One\n")
		if err == nil && now.Approval(1) == nil {
			t.Fatal("an acknowledged approval is lost")
		}
		if now, err = s.Decide(m.PlanID, approve(ref)); err != nil || len(now.Decisions) != 1 || now.Approval(1) == nil {
			t.Errorf("the retry gave %v, %v", now.Decisions, err)
		}
	})
}

func TestSaveReviewSurvivesAFaultAtEveryStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
		broken := openIn(t, home, store.Options{Probe: rig.Probe})
		err := broken.SaveReview(m.PlanID, 1, 1, []byte("notes"))
		s := openIn(t, home, store.Options{})
		if b, rerr := s.Review(m.PlanID, 1, 1); err == nil && (rerr != nil || string(b) != "notes") {
			t.Fatalf("acknowledged notes are %q, %v", b, rerr)
		}
		if err := s.SaveReview(m.PlanID, 1, 1, []byte("notes")); err != nil {
			t.Errorf("the retry: %v", err)
		}
	})
}

func TestTheLogSurvivesAFaultAtEveryStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		openIn(t, home, store.Options{}) // made before: every step is one of the log
		s := openIn(t, home, store.Options{Probe: rig.Probe, After: never})
		l, err := s.CreateLog(tree.Header{Session: "20260102T030405-0123456789ab", Cwd: "/w"})
		var acked []tree.Entry
		crashed := false
		if err == nil {
			for n := range 6 {
				e := entry(t, n, leafOf(l))
				err := l.Append(e)
				if err != nil && errors.Is(err, storetest.ErrCrash) {
					crashed = true
					break
				}
				if err != nil {
					err = l.Append(e) // as a person would
				}
				if err != nil {
					t.Fatalf("the retry: %v", err)
				}
				acked = append(acked, e)
			}
			err = l.Close()
		}
		if rig.At == 0 && (err != nil || len(acked) != 6) {
			t.Fatalf("without a fault: %d entries, %v", len(acked), err)
		}
		again, err := openIn(t, home, store.Options{}).OpenLog("20260102T030405-0123456789ab")
		if errors.Is(err, store.ErrNoSession) && len(acked) == 0 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		all := again.Tree().All()
		if len(all) < len(acked) || len(all) > len(acked)+1 || len(all) > len(acked) && !crashed {
			t.Fatalf("%d entries were acknowledged, %d are there; %v", len(acked), len(all), again.Problems())
		}
		for i, e := range acked {
			if all[i].ID != e.ID || string(all[i].Body) != string(e.Body) {
				t.Errorf("entry %d is %v, want %v", i, all[i], e)
			}
		}
		if err := again.Append(entry(t, 7, leafOf(again))); err != nil {
			t.Errorf("it cannot go on: %v", err)
		}
	})
}

func never(_ time.Duration, _ func()) func() { return func() {} }

func leafOf(l *store.Log) plan.EntryID { return l.Tree().Leaf() }

// entry makes the n-th entry of a log: events of the law and messages in turn.
func entry(t testing.TB, n int, parent plan.EntryID) tree.Entry {
	t.Helper()
	var kind plan.Kind = tree.KindUser
	var body any = tree.User{Text: fmt.Sprintf("message %d", n)}
	switch {
	case n%4 == 1:
		kind, body = plan.KindPlanningEntered, plan.PlanningEntered{}
	case n%4 == 3:
		kind, body = plan.KindPlanningLeft, plan.PlanningLeft{}
	}
	e, err := tree.New(plan.EntryID(fmt.Sprintf("%012x", n+1)), parent, plan.Stamp(start), kind, body)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAFullDiskIsReportedAndChangesNothing(t *testing.T) {
	rig := &storetest.Rig{}
	home := t.TempDir()
	m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
	full := openIn(t, home, store.Options{Probe: func(s store.Step) error {
		if s.Op == store.OpWrite || s.Op == store.OpCreate {
			rig.At, rig.Kind = len(rig.Steps())+1, storetest.Applied
		}
		return rig.Probe(s)
	}})
	for range 3 {
		if _, _, err := full.Submit(next(m.PlanID, 1, "# Two\n")); err == nil {
			t.Fatal("a full disk was not reported")
		}
	}
	intact(t, home, m.PlanID, 1, "# One\n")
}
