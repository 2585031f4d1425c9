package archive

import (
	"errors"

	"planmode/store"
)

var (
	// ErrOpenWork reports a session whose approved plan is still being worked on.
	ErrOpenWork = errors.New("its work is open")
	// ErrDamaged reports a session of which so much is damaged that it may have
	// open work without showing it.
	ErrDamaged = errors.New("it is damaged and may have open work")
)

// Removal says what is removed, or would be.
type Removal struct {
	Summary Summary
	Files   []string
}

// RemoveOptions say how far a removal goes. A session that somebody holds is
// refused in every case: its holder would go on writing into nothing.
type RemoveOptions struct {
	DryRun bool
	Force  bool // also with open work
}

// Remove removes the log of a session for good, with what belongs to it alone. Its
// plans and their decisions stay. It refuses with ErrOpenWork, ErrDamaged or a
// *store.HeldError; the removal is filled in as far as it is known.
func Remove(s *store.Store, session string, o RemoveOptions) (Removal, error) {
	sum, err := Describe(s, session)
	if err != nil {
		return Removal{}, err
	}
	r := Removal{Summary: sum}
	if o.DryRun {
		return r, r.dryRun(s, o)
	}
	log, err := s.OpenLog(sum.Path)
	if err != nil {
		return r, err
	}
	// It may have changed until the lock was ours. The holder it names is us.
	r.Summary.Problems = nil
	r.Summary.read(s, log)
	r.Summary.Holder = nil
	if err = r.refusal(o); err == nil {
		r.Files, err = log.Files()
	}
	if err != nil {
		return r, errors.Join(err, log.Close())
	}
	return r, log.Remove()
}

func (r *Removal) dryRun(s *store.Store, o RemoveOptions) error {
	log, err := s.ReadLog(r.Summary.Path)
	if err != nil {
		return err
	}
	r.Files, err = log.Files()
	if err = errors.Join(err, log.Close()); err != nil {
		return err
	}
	if h := r.Summary.Holder; h != nil {
		return &store.HeldError{Holder: *h, What: "session " + r.Summary.ID}
	}
	return r.refusal(o)
}

func (r *Removal) refusal(o RemoveOptions) error {
	switch {
	case o.Force:
		return nil
	case r.Summary.Work.Open():
		return ErrOpenWork
	case r.Summary.damaged:
		return ErrDamaged
	}
	return nil
}
