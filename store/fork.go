package store

import (
	"errors"
	"fmt"

	"planmode/plan/tree"
)

// NewSessionID draws an id for a session that is yet to be made. A fork needs it
// before its log: the plans that it takes along must list it first.
func (s *Store) NewSessionID() (string, error) { return s.newSessionID() }

// ForkLog makes the log of a new session that begins with entries, each the child
// of the one before it. The header names the session and the one it comes from. The
// log is durable and whole when this returns, and not there at all after an error,
// except that the folder could not be synced; it is then opened like any other.
func (s *Store) ForkLog(h tree.Header, entries []tree.Entry) error {
	if err := checkSession(h.Session); err != nil {
		return err
	}
	fail := func(err error) error { return fmt.Errorf("fork session %s to %s: %w", h.Parent, h.Session, err) }
	h.Version, h.CreatedAt = tree.LogVersion, s.now()
	b, err := forkBytes(h, entries)
	if err != nil {
		return fail(err)
	}
	d, err := s.data.ensure(sessionsName, folderOf(h.Cwd))
	if err != nil {
		return fail(err)
	}
	defer d.close()
	lock, err := d.lock(h.Session+lockSuffix, "session "+h.Session, peekGrace, s.opt.Now())
	if err != nil {
		return fail(err)
	}
	defer lock.release()
	if err := s.forkImages(d, h, entries); err != nil {
		return fail(err)
	}
	if err := d.create(h.Session+logSuffix, b); err != nil {
		return fail(err)
	}
	if err := s.syncFolders(); err != nil {
		return fail(err)
	}
	return nil
}

// forkBytes writes the log and reads it back: what could not be read as it was
// meant must not become a session.
func forkBytes(h tree.Header, entries []tree.Entry) ([]byte, error) {
	b, err := tree.AppendHeader(nil, h)
	for _, e := range entries {
		if err != nil {
			return nil, err
		}
		b, err = tree.AppendLine(b, e)
	}
	if err != nil {
		return nil, err
	}
	if len(b) > logLimit {
		return nil, ErrTooLarge
	}
	r := readLog(b)
	if r.err != nil || len(r.problems) > 0 || r.tree.Len() != len(entries) {
		return nil, errors.Join(r.err, fmt.Errorf("the copy would not be read as it is written: %q", r.problems))
	}
	return b, nil
}
