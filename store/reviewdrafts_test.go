package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"planmode/plan"
	"planmode/store"
	"planmode/store/storetest"
)

func TestDraftsOfAReviewSurviveAFaultAtEveryStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
		ref := plan.Ref{Plan: m.PlanID, Revision: 1}
		s := openIn(t, home, store.Options{})
		if err := s.SaveReviewDraft(ref, store.NotesDraft, []byte("before")); err != nil {
			t.Fatal(err)
		}
		err := openIn(t, home, store.Options{Probe: rig.Probe}).SaveReviewDraft(ref, store.NotesDraft, []byte("after"))
		b, rerr := s.ReviewDraft(ref, store.NotesDraft)
		if rerr != nil || err == nil && string(b) != "after" || string(b) != "after" && string(b) != "before" {
			t.Fatalf("the draft is %q, %v after %v", b, rerr, err)
		}
	})
}

func TestADraftOfAReviewOutlivesTheReview(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	m, _ := submit(t, s, first("# One\n"))
	ref := plan.Ref{Plan: m.PlanID, Revision: 1}
	if b, err := s.ReviewDraft(ref, store.EditDraft); err != nil || b != nil {
		t.Fatalf("a draft that is not there is %q, %v", b, err)
	}
	dir, err := s.ReviewDir(m.PlanID, "rv")
	if err == nil {
		err = s.SaveReviewDraft(ref, store.EditDraft, []byte("mine"))
	}
	if err == nil {
		err = s.EndReview(m.PlanID, "rv")
	}
	if err != nil {
		t.Fatal(err)
	}
	if b, err := s.ReviewDraft(ref, store.EditDraft); err != nil || string(b) != "mine" {
		t.Fatalf("the draft is %q, %v", b, err)
	}
	info, err := os.Lstat(filepath.Join(filepath.Dir(dir), "r1.edit.md"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its file: %v, %v", info, err)
	}
	if err := s.SaveReviewDraft(ref, store.EditDraft, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveReviewDraft(ref, store.EditDraft, nil); err != nil {
		t.Errorf("removed twice: %v", err)
	}
	if b, _ := s.ReviewDraft(ref, store.EditDraft); b != nil {
		t.Errorf("removed, it is %q", b)
	}
}
