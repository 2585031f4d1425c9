package store

import (
	"errors"
	"fmt"
	"io/fs"
)

const (
	draftsName = "drafts"
	draftLimit = 64 << 20 // several of the longest messages
)

// SaveDraft keeps the text that is being composed in a session, replacing what
// was kept before. Empty text removes it.
func (s *Store) SaveDraft(session, text string) error {
	if err := checkSession(session); err != nil {
		return err
	}
	d, err := s.data.ensure(draftsName)
	if err != nil {
		return err
	}
	defer d.close()
	name := session + ".txt"
	if text == "" {
		if err := d.remove(name); err != nil {
			return fmt.Errorf("remove draft of %s: %w", session, err)
		}
		return nil
	}
	if len(text) > draftLimit { // it could not be read back
		return fmt.Errorf("save draft of %s: %w", session, ErrTooLarge)
	}
	lock, err := d.lock(lockName, "drafts", s.opt.Wait, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	if err := d.overwrite(name, []byte(text), synced); err != nil {
		return fmt.Errorf("save draft of %s: %w", session, err)
	}
	return s.keepDrafts()
}

// keepDrafts makes the name of the folder of drafts durable, once a run: whoever
// made it may have been stopped before.
func (s *Store) keepDrafts() error {
	if s.draftsKept.Load() {
		return nil
	}
	if err := s.data.sync(); err != nil {
		return fmt.Errorf("sync %s: %w", s.data.path, err)
	}
	s.draftsKept.Store(true)
	return nil
}

// Draft is the text that SaveDraft kept; empty if there is none.
func (s *Store) Draft(session string) (string, error) {
	if err := checkSession(session); err != nil {
		return "", err
	}
	d, err := s.data.sub(draftsName)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer d.close()
	b, err := d.readFile(session+".txt", draftLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(b), err
}
