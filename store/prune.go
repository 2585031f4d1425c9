package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"planmode/plan"
)

// removedPrefix begins the names of plans that are on their way out: no list
// shows them, and whoever finds one after a crash may finish the removal.
const removedPrefix = ".removed-"

// ErrKept reports a plan that was not removed because something about it changed
// while it was being looked at.
var ErrKept = errors.New("the plan changed meanwhile and was kept")

// RemovePlan removes a plan for good, with all of its revisions. It holds the lock
// of the plan, reads the manifest again and asks allow about it; an error of allow
// leaves everything as it was. The directory leaves the list in one step and is
// emptied after that, so that a crash leaves the plan whole or gone.
func (s *Store) RemovePlan(id plan.ID, allow func(plan.Manifest) error) error {
	if err := s.removePlan(id, allow); err != nil {
		return fmt.Errorf("remove plan %s: %w", id, err)
	}
	return nil
}

func (s *Store) removePlan(id plan.ID, allow func(plan.Manifest) error) error {
	d, err := s.planDir(id)
	if err != nil {
		return err
	}
	defer d.close()
	lock, err := d.lock(lockName, "plan "+string(id), peekGrace, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	m, _, err := d.readManifest(id)
	if err != nil {
		return err
	}
	if err := allow(m); err != nil {
		return err
	}
	plans, err := s.data.sub(plansName)
	if err != nil {
		return err
	}
	defer plans.close()
	aside := removedPrefix + string(id)
	if err := plans.removeTree(aside); err != nil {
		return err
	}
	if err := plans.rename(string(id), aside); err != nil {
		return err
	}
	if err := plans.sync(); err != nil {
		return err
	}
	return plans.removeTree(aside)
}

// removeTree removes a directory with all that is in it, following no link. A
// missing one is no error.
func (d *dir) removeTree(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return d.do(OpRemove, name, func() error { return os.RemoveAll(d.join(name)) })
}

// Leftover is something that no plan or session needs any more.
type Leftover struct {
	Path   string
	Plan   plan.ID       // whose review it was
	Review plan.ReviewID // empty for what is not of a review
	Time   time.Time     // when it was last written
}

// ReviewCopies lists the private copies that reviews of the plan left behind.
func (s *Store) ReviewCopies(id plan.ID) ([]Leftover, error) {
	d, err := s.planDir(id)
	if err != nil {
		return nil, err
	}
	defer d.close()
	top, err := d.sub(reviewName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer top.close()
	names, err := top.names()
	if err != nil {
		return nil, fmt.Errorf("list reviews of %s: %w", id, err)
	}
	var out []Leftover
	for _, e := range names {
		st, err := top.stat(e.Name())
		if err != nil || !e.IsDir() {
			continue // gone, or not ours
		}
		review, _, _ := strings.Cut(e.Name(), ".")
		out = append(out, Leftover{top.join(e.Name()), id, plan.ReviewID(review), st.mod})
	}
	return out, nil
}

// RemoveReviewCopies removes what ReviewCopies lists of one review.
func (s *Store) RemoveReviewCopies(id plan.ID, review plan.ReviewID) error {
	d, err := s.planDir(id)
	if err != nil {
		return err
	}
	defer d.close()
	lock, err := d.lock(lockName, "plan "+string(id), peekGrace, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	return s.EndReview(id, review)
}

// Drafts lists the unsent texts: the session that each belongs to, and when it was
// last saved.
func (s *Store) Drafts() (map[string]Leftover, error) {
	d, err := s.data.sub(draftsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.close()
	names, err := d.names()
	if err != nil {
		return nil, fmt.Errorf("list drafts: %w", err)
	}
	out := map[string]Leftover{}
	for _, e := range names {
		session, ok := strings.CutSuffix(e.Name(), ".txt")
		if !ok || checkSession(session) != nil {
			continue
		}
		if st, err := d.stat(e.Name()); err == nil && st.mode.IsRegular() {
			out[session] = Leftover{Path: d.join(e.Name()), Time: st.mod}
		}
	}
	return out, nil
}

// RemoveDraft removes the unsent text of a session for good.
func (s *Store) RemoveDraft(session string) error { return s.removeDraft(session) }

// Unfinished lists the directories of plans that a crash left on their way in or
// out. No plan is in them.
func (s *Store) Unfinished() ([]Leftover, error) {
	d, err := s.data.sub(plansName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.close()
	names, err := d.names()
	if err != nil {
		return nil, fmt.Errorf("list plans: %w", err)
	}
	var out []Leftover
	for _, e := range names {
		if !strings.HasPrefix(e.Name(), removedPrefix) && !strings.HasPrefix(e.Name(), importPrefix) {
			continue
		}
		if st, err := d.stat(e.Name()); err == nil {
			out = append(out, Leftover{Path: d.join(e.Name()), Time: st.mod})
		}
	}
	return out, nil
}

// RemoveUnfinished removes one of those.
func (s *Store) RemoveUnfinished(l Leftover) error {
	d, err := s.data.sub(plansName)
	if err != nil {
		return err
	}
	defer d.close()
	name := filepath.Base(l.Path)
	if !strings.HasPrefix(name, removedPrefix) && !strings.HasPrefix(name, importPrefix) {
		return fmt.Errorf("remove %s: %w", l.Path, ErrKept)
	}
	lock, err := d.lock(importLock, "an import", peekGrace, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	return d.removeTree(name)
}

// PlanHolder says whether somebody writes to the plan at this moment.
func (s *Store) PlanHolder(id plan.ID) (Holder, bool) {
	d, err := s.planDir(id)
	if err != nil {
		return Holder{}, false
	}
	defer d.close()
	return d.peek(lockName)
}
