package session

import (
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"maps"

	"planmode/plan"
	"planmode/plan/tree"
)

// newEntryID draws an id that the log does not hold yet.
func (s *Session) newEntryID() (plan.EntryID, error) {
	for {
		var b [6]byte
		if _, err := io.ReadFull(s.opt.Random, b[:]); err != nil {
			return "", fmt.Errorf("draw an entry id: %w", err)
		}
		id := plan.EntryID(hex.EncodeToString(b[:]))
		if _, taken := s.opt.Log.Tree().Entry(id); !taken {
			return id, nil
		}
	}
}

func (s *Session) newReviewID() (plan.ReviewID, error) {
	var b [8]byte
	if _, err := io.ReadFull(s.opt.Random, b[:]); err != nil {
		return "", fmt.Errorf("draw a review id: %w", err)
	}
	return plan.ReviewID(hex.EncodeToString(b[:])), nil
}

// record appends an entry that is no event of the law.
func (s *Session) record(kind plan.Kind, body any) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	id, err := s.newEntryID()
	if err != nil {
		return err
	}
	return s.append(id, plan.Stamp(s.opt.Now()), kind, body, nil)
}

// apply runs an event through the law, appends it, and publishes the state.
func (s *Session) apply(ev plan.Event) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	id, err := s.newEntryID()
	if err != nil {
		return err
	}
	return s.applyAs(id, ev)
}

// applyWith is apply for an event whose act is also recorded in a manifest:
// commit gets the id that the entry will have, and runs after the law agreed
// and before the entry is written. A crash between the two is found on resume
// by an id that the log does not hold.
func (s *Session) applyWith(ev plan.Event, commit func(plan.EntryID) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.readOnly(); err != nil {
		return err // before the manifest is touched
	}
	id, err := s.newEntryID()
	if err != nil {
		return err
	}
	if _, err := plan.Apply(s.state, ev, plan.At{Entry: id, Time: s.opt.Now()}); err != nil {
		return err
	}
	if err := commit(id); err != nil {
		return err
	}
	return s.applyAs(id, ev)
}

// applyUnder is apply for an entry whose id is already spoken for, if any.
func (s *Session) applyUnder(id plan.EntryID, ev plan.Event) error {
	if id == "" {
		return s.apply(ev)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.applyAs(id, ev)
}

// applyAs needs the writing lock. Only holders of it write s.state, so reading
// it without mu is safe here.
func (s *Session) applyAs(id plan.EntryID, ev plan.Event) error {
	at := plan.Stamp(s.opt.Now()) // one reading, or a resume folds to another state
	next, err := plan.Apply(s.state, ev, plan.At{Entry: id, Time: at.Time})
	if err != nil {
		return err
	}
	return s.append(id, at, ev.Kind(), ev, &next)
}

// append writes one entry and then publishes it, with the new state if any. It
// needs the writing lock.
func (s *Session) append(id plan.EntryID, at plan.Time, kind plan.Kind, body any, next *plan.State) error {
	e, err := tree.New(id, s.opt.Log.Tree().Leaf(), at, kind, body)
	if err != nil {
		return err
	}
	if err := s.opt.Log.Append(e); err != nil {
		slog.Warn("an entry could not be recorded", "session", s.opt.Session, "kind", kind, "error", err)
		return err // names the kind and the file
	}
	// Kinds and ids only: what the entry says is the person's, not the log's.
	slog.Debug("recorded", "session", s.opt.Session, "kind", kind, "entry", id)
	var views map[plan.Ref]*PlanView
	if next != nil {
		views = s.loadViews(*next, s.Items(0), []Item{e})
	}
	s.mu.Lock()
	s.branch = append(s.branch, e)
	if next != nil {
		s.state = *next
		maps.Copy(s.views, views)
	}
	s.mu.Unlock()
	s.poke()
	return nil
}

// say logs a notice. A log that cannot be written must not hide what happened,
// so the notice then appears on the screen only.
func (s *Session) say(level tree.Level, format string, args ...any) {
	n := tree.Notice{Level: level, Text: fmt.Sprintf(format, args...)}
	if err := s.record(tree.KindNotice, n); err != nil {
		s.showUnsaved(tree.KindNotice, n)
	}
}

// showUnsaved shows on the screen what the log could not take.
func (s *Session) showUnsaved(kind plan.Kind, body any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsaved++
	// An id of its own, or a screen that knows entries by id shows another one.
	id := plan.EntryID(fmt.Sprintf("unsaved-%d", s.unsaved))
	e, err := tree.New(id, "", plan.Stamp(s.opt.Now()), kind, body)
	if err != nil {
		return
	}
	s.branch = append(s.branch, e)
	s.poke()
}

// current copies the state.
func (s *Session) current() plan.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}
