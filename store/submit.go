package store

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"planmode/plan"
)

// Submission is a text to be stored as the next revision of a plan, or as the
// first of a new one when Plan is empty. The text is stored byte for byte; it
// was normalised before.
type Submission struct {
	Plan     plan.ID
	Session  string
	Cwd      string
	Title    string
	Text     []byte
	BasedOn  int // the revision it changes; 0 stands for the current one
	Author   plan.Actor
	Language string
	Steps    []string
	Options  []plan.Option
}

// Submit stores a submission and returns the new manifest and the new revision.
// The number is always the one after the current revision, whoever submits.
func (s *Store) Submit(sub Submission) (plan.Manifest, plan.Ref, error) {
	if len(sub.Text) == 0 || len(sub.Text) > plan.MaxPlanBytes {
		return plan.Manifest{}, plan.Ref{}, fmt.Errorf("submit: %w: %d bytes, 1 to %d are allowed", ErrTooLarge, len(sub.Text), plan.MaxPlanBytes)
	}
	m, err := s.submit(sub)
	if err != nil {
		return plan.Manifest{}, plan.Ref{}, fmt.Errorf("submit: %w", err)
	}
	ref, _ := m.Ref(m.CurrentRevision)
	return m, ref, nil
}

func (s *Store) submit(sub Submission) (plan.Manifest, error) {
	if sub.Plan == "" {
		return s.submitFirst(sub)
	}
	return s.update(sub.Plan, func(d *dir, m *plan.Manifest) error {
		if err := s.describe(m, sub); err != nil {
			return err
		}
		return d.storeRevision(m.CurrentRevision, sub.Text)
	})
}

// submitFirst makes the plan. Its directory has no manifest until the revision
// is stored, and is no plan until then.
func (s *Store) submitFirst(sub Submission) (plan.Manifest, error) {
	plans, err := s.data.ensure(plansName)
	if err != nil {
		return plan.Manifest{}, err
	}
	defer plans.close()
	now := s.now()
	m := plan.Manifest{
		Version: plan.ManifestVersion, Storage: s.storage, Sessions: []string{sub.Session},
		Cwd: sub.Cwd, CreatedAt: now, UpdatedAt: now, Decisions: []plan.Decision{},
		PlanID: plan.NewID(now.Time, sub.Title, [4]byte{}), // until there is a directory
	}
	if err := s.describe(&m, sub); err != nil {
		return m, err
	}
	d, err := s.newPlanDir(plans, &m, sub.Title)
	if err != nil {
		return m, err
	}
	defer d.close()
	lock, err := d.lock(lockName, "plan "+string(m.PlanID), s.opt.Wait, s.opt.Now())
	if err != nil {
		return m, err
	}
	defer lock.release()
	if err := d.storeRevision(m.CurrentRevision, sub.Text); err != nil {
		return m, err
	}
	if m, err = d.writeManifest(m, nil); err != nil {
		return m, err
	}
	// The directory of the plan, and the one of all plans if this is the first.
	if err := plans.sync(); err != nil {
		return m, fmt.Errorf("sync %s: %w", plans.path, err)
	}
	if err := s.data.sync(); err != nil {
		return m, fmt.Errorf("sync %s: %w", s.data.path, err)
	}
	return m, nil
}

// newPlanDir makes a directory for a plan with a new id.
func (s *Store) newPlanDir(plans *dir, m *plan.Manifest, title string) (*dir, error) {
	for {
		var random [4]byte
		if err := s.random(random[:]); err != nil {
			return nil, err
		}
		m.PlanID = plan.NewID(m.CreatedAt.Time, title, random)
		err := plans.mkdir(string(m.PlanID))
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("create plan %s: %w", m.PlanID, err)
		}
		return plans.sub(string(m.PlanID))
	}
}

// describe adds the submission to m as the next revision, or says what is wrong
// with it, before anything is written.
func (s *Store) describe(m *plan.Manifest, sub Submission) error {
	hash := plan.HashOf(sub.Text)
	if !slices.Contains(m.Sessions, sub.Session) {
		return fmt.Errorf("%s: %w", m.PlanID, ErrForeign)
	}
	basedOn := sub.BasedOn
	if basedOn == 0 {
		basedOn = m.CurrentRevision
	}
	if base := m.Find(basedOn); base == nil && basedOn != 0 {
		return fmt.Errorf("%s r%d: %w", m.PlanID, basedOn, ErrNoRevision)
	} else if base != nil && base.Hash == hash && slices.Equal(base.Options, sub.Options) {
		return fmt.Errorf("%s r%d: %w", m.PlanID, basedOn, ErrUnchanged)
	}
	r := plan.Revision{
		Revision: m.CurrentRevision + 1, Path: plan.RevisionPath(m.CurrentRevision + 1), Hash: hash,
		CreatedAt: s.now(), BasedOn: basedOn, Author: sub.Author, Language: sub.Language,
		Title: sub.Title, Steps: sub.Steps, Options: sub.Options,
	}
	if r.Steps == nil {
		r.Steps = []string{}
	}
	var prev plan.Hash
	if last := m.Find(m.CurrentRevision); last != nil {
		if retried(*m, *last, r) {
			return errNothing
		}
		prev = last.Chain
	}
	r.Chain = plan.Chain(prev, r)
	m.Revisions = append(slices.Clone(m.Revisions), r)
	m.CurrentRevision, m.Title = r.Revision, r.Title
	m.Status = m.StatusOf(r.Revision)
	return m.Check()
}

// retried says whether last is what a submission wrote that ended in an error
// after all and is now repeated as r: the same text and options, on the same base,
// by the same author, and nobody has decided about it.
func retried(m plan.Manifest, last, r plan.Revision) bool {
	if last.Hash != r.Hash || !slices.Equal(last.Options, r.Options) || last.BasedOn != r.BasedOn || last.Author != r.Author || last.Title != r.Title {
		return false
	}
	return !slices.ContainsFunc(m.Decisions, func(d plan.Decision) bool { return d.Revision == last.Revision })
}

// storeRevision makes the file of a revision that no manifest knows yet. What
// lies there after a crash is taken over if it has the same bytes, else moved
// out of the way.
func (d *dir) storeRevision(n int, text []byte) error {
	revisions, err := d.ensure(revisionsName)
	if err != nil {
		return err
	}
	defer revisions.close()
	name := revisionName(n)
	if there, err := revisions.exists(name); err != nil {
		return err
	} else if there {
		have, err := revisions.readFile(name, plan.MaxPlanBytes)
		if err == nil && bytes.Equal(have, text) {
			return revisions.resync(name)
		}
		if err := revisions.setAside(name, have, err); err != nil {
			return err
		}
	}
	return revisions.create(name, text)
}

// setAside renames an orphan. It is never deleted: somebody may miss it.
func (d *dir) setAside(name string, have []byte, rerr error) error {
	mark := "unreadable"
	if rerr == nil {
		mark = plan.HashOf(have).Short()
	}
	for i := 1; ; i++ {
		aside := ".orphan-" + mark + "-" + name
		if i > 1 {
			aside = fmt.Sprintf(".orphan-%s-%d-%s", mark, i, name)
		}
		there, err := d.exists(aside)
		if err == nil && !there {
			err = d.rename(name, aside)
		} else if err == nil {
			continue
		}
		if err != nil {
			return fmt.Errorf("set %s aside: %w", d.join(name), err)
		}
		return d.sync()
	}
}

// randomName is a name for something short-lived.
func (s *Store) randomName() (string, error) {
	var b [6]byte
	err := s.random(b[:])
	return hex.EncodeToString(b[:]), err
}
