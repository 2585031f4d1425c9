package store

import (
	"errors"
	"fmt"
	"strings"
)

// Remove removes the session: its log, what is kept beside it, and the draft of
// its next message. The lock of the log is held until the end, so nobody can write
// to what goes away; the lock file stays, as every lock file does. Plans are not
// touched. The log goes last: after a crash or an error the session is still listed
// and can be removed again. The log is closed in every case.
func (l *Log) Remove() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return fmt.Errorf("remove session %s: it is closed", l.header.Session)
	case l.lock == nil:
		return fmt.Errorf("remove session %s: %w: %w", l.header.Session, ErrReadOnly, l.readOnly)
	}
	l.closed = true
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	if l.file != nil {
		_ = l.file.f.Close() // what it holds is about to go
	}
	err := l.store.removeDraft(l.header.Session)
	if err == nil {
		err = l.dir.removeLog(l.name)
	}
	l.lock.release()
	l.dir.close()
	if err != nil {
		return fmt.Errorf("remove session %s: %w", l.header.Session, err)
	}
	return nil
}

// Files are the paths that Remove removes, the log itself last.
func (l *Log) Files() ([]string, error) {
	beside, err := l.dir.besideLog(l.name)
	if err != nil {
		return nil, fmt.Errorf("list the files of session %s: %w", l.header.Session, err)
	}
	var paths []string
	if d, err := l.store.data.sub(draftsName); err == nil {
		if there, _ := d.exists(l.header.Session + ".txt"); there {
			paths = append(paths, d.join(l.header.Session+".txt"))
		}
		d.close()
	}
	for _, name := range append(beside, l.name) {
		paths = append(paths, l.dir.join(name))
	}
	return paths, nil
}

// removeDraft also makes the removal durable: a draft that came back after a
// power cut would belong to no session.
func (s *Store) removeDraft(session string) error {
	if text, err := s.Draft(session); err == nil && text == "" {
		return nil
	}
	if err := s.SaveDraft(session, ""); err != nil {
		return err
	}
	d, err := s.data.sub(draftsName)
	if err != nil {
		return err
	}
	defer d.close()
	return d.sync()
}

func (d *dir) removeLog(name string) error {
	beside, err := d.besideLog(name)
	if err != nil {
		return err
	}
	for _, other := range beside {
		err = errors.Join(err, d.remove(other))
	}
	if err != nil {
		return err
	}
	if err := d.remove(name); err != nil {
		return err
	}
	return d.sync()
}

// besideLog lists what is kept beside the log name: streamed text, torn ends, images, and
// temporary files of these. An id may hold dots, so another log could begin with
// the same letters.
func (d *dir) besideLog(name string) ([]string, error) {
	entries, err := d.names()
	if err != nil {
		return nil, err
	}
	var beside []string
	for _, e := range entries {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(e.Name(), tempPrefix), name)
		ours := rest == streamingSuffix || strings.HasPrefix(rest, tornSuffix) || strings.HasPrefix(rest, imageSuffix) || rest == "" && e.Name() != name
		if ok && ours && !e.IsDir() && !strings.HasSuffix(rest, logSuffix) && !strings.HasSuffix(rest, lockSuffix) {
			beside = append(beside, e.Name())
		}
	}
	return beside, nil
}
