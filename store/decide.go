package store

import (
	"fmt"
	"slices"

	"planmode/plan"
)

// Decide records a decision. One that approves or completes is recorded only if
// the file of the revision, read again now, has exactly the hash the person
// saw; abandoning never looks, because it is the way out of a damaged plan.
//
// At and Hash are filled in when empty, except that an approval and a completion
// must name their hash. Recording the decision of a review a second time
// changes nothing; another decision on a review that was decided is ErrDecided.
func (s *Store) Decide(id plan.ID, d plan.Decision) (plan.Manifest, error) {
	m, err := s.update(id, func(dir *dir, m *plan.Manifest) error { return s.decide(dir, m, d) })
	if err != nil {
		return plan.Manifest{}, fmt.Errorf("record %s of %s r%d: %w", d.Kind, id, d.Revision, err)
	}
	return m, nil
}

func (s *Store) decide(dir *dir, m *plan.Manifest, d plan.Decision) error {
	r := m.Find(d.Revision)
	if r == nil {
		return ErrNoRevision
	}
	if err := repeated(*m, d); err != nil {
		return err
	}
	switch d.Kind {
	case plan.DecidedApproved, plan.DecidedAutoApproved, plan.DecidedCompleted:
		if d.Hash != r.Hash {
			return fmt.Errorf("%w: decided on %s, stored as %s", ErrTampered, d.Hash.Short(), r.Hash.Short())
		}
		if _, err := dir.readRevision(plan.Ref{Plan: m.PlanID, Revision: d.Revision, Hash: d.Hash}); err != nil {
			return err
		}
	case plan.DecidedAbandoned:
		d.Hash = r.Hash
	default:
		if d.Hash == "" {
			d.Hash = r.Hash
		}
		if d.Hash != r.Hash {
			return fmt.Errorf("%w: decided on %s, stored as %s", ErrTampered, d.Hash.Short(), r.Hash.Short())
		}
	}
	if d.At.IsZero() {
		d.At = s.now()
	}
	d.At = plan.Stamp(d.At.Time)
	d.Collected = dir.collected(d)
	d.Digest = plan.Digest(r.Chain, d)
	m.Decisions = append(slices.Clone(m.Decisions), d)
	if d.Kind.Approves() {
		m.ApprovedRevision, m.ApprovedHash = d.Revision, d.Hash
	}
	m.Status = m.StatusOf(m.CurrentRevision)
	return nil
}

// repeated looks for an earlier use of what d decides: the very same decision
// gives errNothing, an approval of a review that had another outcome ErrDecided.
func repeated(m plan.Manifest, d plan.Decision) error {
	for _, old := range m.Decisions {
		same := old.Kind == d.Kind && old.Revision == d.Revision && old.Session == d.Session && old.Entry == d.Entry
		switch {
		case d.Review == "" && old.Review == "" && same && !d.At.IsZero() && old.At.Equal(plan.Stamp(d.At.Time).Time):
			return errNothing
		case d.Review == "" || old.Review != d.Review:
		case same:
			return errNothing
		case d.Kind.Approves() || old.Kind.Approves():
			return fmt.Errorf("%w: %s", ErrDecided, old.Kind)
		}
	}
	return nil
}

// collected is the hash of the notes that the round of a decision left, so that
// a change of them can be found. It is empty when there are none to read.
func (d *dir) collected(decided plan.Decision) plan.Hash {
	if decided.Round < 1 {
		return ""
	}
	reviews, err := d.sub(reviewsName)
	if err != nil {
		return ""
	}
	defer reviews.close()
	b, err := reviews.readFile(roundName(decided.Revision, decided.Round), manifestLimit)
	if err != nil {
		return ""
	}
	return plan.HashOf(b)
}
