package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"planmode/plan"
)

// ReviewDir makes a fresh private directory for the files of one review. When
// the review had one before, the new one gets another name and the old one
// stays until EndReview.
func (s *Store) ReviewDir(id plan.ID, review plan.ReviewID) (string, error) {
	top, err := s.reviewTop(id, review)
	if err != nil {
		return "", err
	}
	defer top.close()
	for name := string(review); ; {
		err := top.mkdir(name)
		if err == nil {
			return top.join(name), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("create directory of review %s: %w", review, err)
		}
		again, err := s.randomName()
		if err != nil {
			return "", err
		}
		name = string(review) + "." + again
	}
}

func (s *Store) reviewTop(id plan.ID, review plan.ReviewID) (*dir, error) {
	if strings.HasPrefix(string(review), ".") {
		return nil, fmt.Errorf("%q is not a review id", review)
	}
	if err := checkName(string(review)); err != nil {
		return nil, fmt.Errorf("review id: %w", err)
	}
	d, err := s.planDir(id)
	if err != nil {
		return nil, err
	}
	defer d.close()
	return d.ensure(reviewName)
}

// ReviewDirs are the directories that ReviewDir made for the review and that
// still exist, in no order: after a crash they hold what was saved.
func (s *Store) ReviewDirs(id plan.ID, review plan.ReviewID) ([]string, error) {
	top, err := s.reviewTop(id, review)
	if err != nil {
		return nil, err
	}
	defer top.close()
	names, err := top.names()
	if err != nil {
		return nil, fmt.Errorf("list reviews of %s: %w", id, err)
	}
	var found []string
	for _, e := range names {
		mine := e.Name() == string(review) || strings.HasPrefix(e.Name(), string(review)+".")
		if mine && e.IsDir() {
			found = append(found, top.join(e.Name()))
		}
	}
	return found, nil
}

// EndReview removes the directories of the review with the copies in them. What
// the person wrote was kept by SaveReview.
func (s *Store) EndReview(id plan.ID, review plan.ReviewID) error {
	dirs, err := s.ReviewDirs(id, review)
	if err != nil {
		return err
	}
	for _, path := range dirs {
		err := s.opt.Probe.run(Step{Op: OpRemove, Path: path}, func() error { return os.RemoveAll(path) }) // does not follow symlinks
		if err != nil {
			return fmt.Errorf("remove directory of review %s: %w", review, err)
		}
	}
	return nil
}

// SaveReview keeps the annotations of one round exactly as they were collected.
// A round is never overwritten; saving the same bytes again is no error.
func (s *Store) SaveReview(id plan.ID, revision, round int, raw []byte) error {
	if revision < 1 || round < 1 {
		return fmt.Errorf("save review of %s: no revision %d or round %d", id, revision, round)
	}
	d, err := s.planDir(id)
	if err != nil {
		return err
	}
	defer d.close()
	lock, err := d.lock(lockName, "plan "+string(id), s.opt.Wait, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	reviews, err := d.ensure(reviewsName)
	if err != nil {
		return err
	}
	defer reviews.close()
	if err := reviews.createOrSame(roundName(revision, round), raw); err != nil {
		return fmt.Errorf("save review of %s r%d: %w", id, revision, err)
	}
	return d.sync()
}

// Review reads the annotations of a round as SaveReview kept them.
func (s *Store) Review(id plan.ID, revision, round int) ([]byte, error) {
	d, err := s.planDir(id)
	if err != nil {
		return nil, err
	}
	defer d.close()
	reviews, err := d.sub(reviewsName)
	if err != nil {
		return nil, err
	}
	defer reviews.close()
	return reviews.readFile(roundName(revision, round), manifestLimit)
}

func roundName(revision, round int) string { return fmt.Sprintf("r%d-%d.md", revision, round) }

// NextRound is the number of the next round of the revision: one more than any
// that was saved or decided.
func (s *Store) NextRound(id plan.ID, revision int) (int, error) {
	d, err := s.planDir(id)
	if err != nil {
		return 0, err
	}
	defer d.close()
	m, _, err := d.readManifest(id)
	if err != nil {
		return 0, err
	}
	last := 0
	for _, decision := range m.Decisions {
		if decision.Revision == revision {
			last = max(last, decision.Round)
		}
	}
	reviews, err := d.sub(reviewsName)
	if errors.Is(err, fs.ErrNotExist) {
		return last + 1, nil
	}
	if err != nil {
		return 0, err
	}
	defer reviews.close()
	names, err := reviews.names()
	if err != nil {
		return 0, fmt.Errorf("list reviews of %s: %w", id, err)
	}
	for _, e := range names {
		name, ok := strings.CutPrefix(e.Name(), fmt.Sprintf("r%d-", revision))
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSuffix(name, ".md")); err == nil {
			last = max(last, n)
		}
	}
	return last + 1, nil
}
