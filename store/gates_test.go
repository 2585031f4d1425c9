package store

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"planmode/plan"
)

func gateStore(t *testing.T) (*Store, *time.Time) {
	t.Helper()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	s, err := Open(below(t.TempDir()), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, &now
}

func gateDecision(key, decision, output string, notes ...plan.Annotation) GateRecord {
	return GateRecord{ID: "1", Key: key, Path: strings.TrimPrefix(key, "file:"), Hash: plan.HashOf([]byte("# Plan\n")), Decision: decision, Output: output, Notes: notes}
}

func TestADecisionForgetsTheDraftOnlyAfterItIsRecorded(t *testing.T) {
	note := plan.Annotation{Line: 1, Body: "why?"}
	for _, c := range []struct {
		decision string
		draft    bool
		notes    int
	}{{"approved", false, 1}, {"annotated", false, 1}, {"dismissed", true, 0}} {
		t.Run(c.decision, func(t *testing.T) {
			s, now := gateStore(t)
			const key = "file:/w/plan.md"
			if err := s.SaveGateDraft(GateDraft{Key: key, Notes: []plan.Annotation{note}}); err != nil {
				t.Fatal(err)
			}
			if err := s.SettleGate(gateDecision(key, c.decision, "x\n", note), []byte("# Plan\n")); err != nil {
				t.Fatal(err)
			}
			d, ok, err := s.GateDraft(key)
			if ok != c.draft || err != nil {
				t.Errorf("the draft is there: %v, %v", ok, err)
			}
			seen, ok, err := s.GateSeen(key)
			if !ok || err != nil || seen.Markdown != "# Plan\n" || len(seen.Notes) != c.notes {
				t.Errorf("seen %+v, %v", seen, err)
			}
			r, ok, err := s.LastGate(nil)
			if !ok || err != nil || r.Output != "x\n" || r.Decision != c.decision {
				t.Errorf("record %+v, %v", r, err)
			}
			if !c.draft {
				return
			}
			if len(d.Notes) != 1 || d.Closed == nil {
				t.Errorf("draft %+v", d)
			}
			*now = now.Add(gateDraftKept + time.Second)
			if _, ok, _ := s.GateDraft(key); ok {
				t.Error("a draft that was closed is kept for ever")
			}
		})
	}
}

func TestAClosedReviewLeavesWhatWasSaidBefore(t *testing.T) {
	s, _ := gateStore(t)
	for _, r := range []GateRecord{gateDecision("k", "annotated", "", plan.Annotation{Line: 1, Body: "first"}), gateDecision("k", "dismissed", "")} {
		if err := s.SettleGate(r, []byte(r.Decision)); err != nil {
			t.Fatal(err)
		}
	}
	if seen, ok, err := s.GateSeen("k"); !ok || err != nil || seen.Markdown != "dismissed" || len(seen.Notes) != 1 {
		t.Errorf("%+v, %v", seen, err)
	}
}

func TestARecordThatCannotBeWrittenKeepsTheDraft(t *testing.T) {
	home := t.TempDir()
	fails := false
	probe := func(st Step) error {
		if fails && st.Op == OpWrite && strings.Contains(st.Path, gateRecordsName) {
			return os.ErrPermission
		}
		return nil
	}
	s, err := Open(below(home), Options{Probe: probe})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.SaveGateDraft(GateDraft{Key: "k", Notes: []plan.Annotation{{Body: "x"}}}); err != nil {
		t.Fatal(err)
	}
	fails = true
	if err := s.SettleGate(gateDecision("k", "annotated", "x\n"), nil); err == nil {
		t.Fatal("no error")
	}
	if _, ok, _ := s.GateDraft("k"); !ok {
		t.Error("the draft is gone and nothing is recorded")
	}
}

func TestAnEmptyDraftIsNone(t *testing.T) {
	s, _ := gateStore(t)
	if err := s.SaveGateDraft(GateDraft{Key: "k", Reviewer: []byte(`{"version":1}`)}); err != nil {
		t.Fatal(err)
	}
	if d, ok, err := s.GateDraft("k"); !ok || err != nil || string(d.Reviewer) != `{"version":1}` {
		t.Errorf("%+v, %v", d, err)
	}
	if err := s.SaveGateDraft(GateDraft{Key: "k"}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.GateDraft("k"); ok || err != nil {
		t.Errorf("still there, %v", err)
	}
}

func TestTheLastDecisionIsTheNewestThatFits(t *testing.T) {
	s, now := gateStore(t)
	for i, path := range []string{"/a", "/b", "/a", "/b"} {
		*now = now.Add(time.Second)
		if err := s.SettleGate(gateDecision("file:"+path, "annotated", strings.Repeat("x", i)), nil); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(s.dirs.Data, gatesName, gateRecordsName)
	for name, content := range map[string]string{"99999999T000000-torn.json": `{"version":1,"id":`, "99999999T000001-new.json": `{"version":9}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r, ok, err := s.LastGate(func(r GateRecord) bool { return r.Path == "/a" }); !ok || err != nil || r.Output != "xx" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, ok, err := s.LastGate(func(r GateRecord) bool { return false }); ok || err != nil {
		t.Errorf("found what does not fit: %v", err)
	}
}

func TestAReviewThatWasKilledIsLeftForTheNext(t *testing.T) {
	s, _ := gateStore(t)
	first, err := s.OpenGateReview("k")
	if err != nil || len(first.Left) > 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := s.OpenGateReview("k")
	if err != nil || len(second.Left) > 0 || second.Dir == first.Dir {
		t.Fatalf("a review that runs was taken for one that was killed: %+v, %v", second, err)
	}
	first.lock.release() // as the kernel does it
	third, err := s.OpenGateReview("k")
	if err != nil || len(third.Left) != 1 || third.Left[0] != first.Dir {
		t.Fatalf("%+v, %v", third, err)
	}
	if err := third.Forget(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(first.Dir); err == nil {
		t.Error("what was taken over is still there")
	}
	for _, r := range []*GateReview{second, third} {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.dirs.Data, gatesName, "*", gateReviewsName, "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestFiftyGatesAtOnceAreRecordedOnceEach(t *testing.T) {
	s, _ := gateStore(t)
	var all sync.WaitGroup
	errs := make(chan error, 50)
	for range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			r, err := s.OpenGateReview("k")
			if err == nil {
				err = s.SettleGate(gateDecision("k", "approved", "x"), []byte("text"))
			}
			if err == nil {
				err = r.Close()
			}
			errs <- err
		}()
	}
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(s.dirs.Data, gatesName, gateRecordsName, "*.json")); len(found) != 50 {
		t.Errorf("%d records", len(found))
	}
}

func TestAPlantedLinkIsNotFollowed(t *testing.T) {
	s, _ := gateStore(t)
	if err := s.SaveGateDraft(GateDraft{Key: "k", Notes: []plan.Annotation{{Body: "x"}}}); err != nil {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(filepath.Join(s.dirs.Data, gatesName, "*", gateDraftName))
	target := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(found[0])
	if err := os.Symlink(target, found[0]); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveGateDraft(GateDraft{Key: "k", Notes: []plan.Annotation{{Body: "y"}}}); err == nil {
		t.Error("a link was written through")
	}
	if _, _, err := s.GateDraft("k"); err == nil {
		t.Error("a link was read through")
	}
	if b, _ := os.ReadFile(target); string(b) != "mine" {
		t.Errorf("%q", b)
	}
}
