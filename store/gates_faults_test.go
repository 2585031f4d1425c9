package store_test

import (
	"testing"

	"planmode/plan"
	"planmode/store"
	"planmode/store/storetest"
)

// Whatever step fails, what the person wrote is in the draft or in the record of the
// decision, and the decision can be kept again.
func TestNotesAtAGateSurviveAFaultAtEveryStep(t *testing.T) {
	notes := []plan.Annotation{{Line: 1, Body: "why?"}}
	record := store.GateRecord{ID: "1", Key: "k", Decision: "annotated", Notes: notes, Output: "x\n"}
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		if err := openIn(t, home, store.Options{}).SaveGateDraft(store.GateDraft{Key: "k", Notes: notes}); err != nil {
			t.Fatal(err)
		}
		err := openIn(t, home, store.Options{Probe: rig.Probe}).SettleGate(record, []byte("text"))
		s := openIn(t, home, store.Options{})
		last, told, lerr := s.LastGate(nil)
		draft, kept, derr := s.GateDraft("k")
		if lerr != nil || derr != nil {
			t.Fatalf("what is kept cannot be read: %v, %v", lerr, derr)
		}
		if (!told || len(last.Notes) != 1) && (!kept || len(draft.Notes) != 1) {
			t.Error("the notes are gone")
		}
		if err == nil && !told {
			t.Error("a decision was acknowledged and is not on record")
		}
		if err := s.SettleGate(record, []byte("text")); err != nil {
			t.Errorf("again: %v", err)
		}
		if seen, ok, err := s.GateSeen("k"); !ok || err != nil || seen.Markdown != "text" {
			t.Errorf("seen: %+v, %v", seen, err)
		}
	})
}

func TestADraftAtAGateSurvivesAFaultAtEveryStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		if err := openIn(t, home, store.Options{}).SaveGateDraft(store.GateDraft{Key: "k", Notes: []plan.Annotation{{Body: "one"}}}); err != nil {
			t.Fatal(err)
		}
		err := openIn(t, home, store.Options{Probe: rig.Probe}).SaveGateDraft(store.GateDraft{Key: "k", Notes: []plan.Annotation{{Body: "two"}}})
		d, ok, rerr := openIn(t, home, store.Options{}).GateDraft("k")
		if !ok || rerr != nil || len(d.Notes) != 1 || err == nil && d.Notes[0].Body != "two" {
			t.Errorf("%+v, %v", d, rerr)
		}
	})
}
