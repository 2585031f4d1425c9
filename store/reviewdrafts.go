package store

import (
	"errors"
	"fmt"
	"io/fs"

	"planmode/plan"
)

// ReviewDraft is what the person has written about a revision and not finished:
// the kinds are files of their own, which no review removes.
type ReviewDraft string

// The kinds.
const (
	NotesDraft ReviewDraft = "notes.json" // notes, half-typed ones included, as the reviewer keeps them
	EditDraft  ReviewDraft = "edit.md"    // the person's own edit of the text
)

const reviewDraftLimit = 32 << 20

// SaveReviewDraft keeps a draft about a revision, replacing what was kept before.
// No bytes remove it.
func (s *Store) SaveReviewDraft(ref plan.Ref, kind ReviewDraft, data []byte) error {
	top, err := s.reviewFolder(ref.Plan)
	if err != nil {
		return err
	}
	defer top.close()
	name := draftFile(ref, kind)
	if len(data) == 0 {
		if err := top.remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the draft of the review of %s: %w", ref, err)
		}
		return nil
	}
	if have, err := top.readFile(name, reviewDraftLimit); err == nil && string(have) == string(data) {
		return nil
	}
	if err := top.overwrite(name, data, synced); err != nil {
		return fmt.Errorf("save the draft of the review of %s: %w", ref, err)
	}
	return nil
}

// ReviewDraft is what SaveReviewDraft kept; nil if there is nothing.
func (s *Store) ReviewDraft(ref plan.Ref, kind ReviewDraft) ([]byte, error) {
	top, err := s.reviewFolder(ref.Plan)
	if err != nil {
		return nil, err
	}
	defer top.close()
	b, err := top.readFile(draftFile(ref, kind), reviewDraftLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

func draftFile(ref plan.Ref, kind ReviewDraft) string {
	return fmt.Sprintf("r%d.%s", ref.Revision, kind)
}

// reviewFolder is the folder for the files of reviews of a plan.
func (s *Store) reviewFolder(id plan.ID) (*dir, error) {
	d, err := s.planDir(id)
	if err != nil {
		return nil, err
	}
	defer d.close()
	return d.ensure(reviewName)
}
