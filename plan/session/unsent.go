package session

import (
	"slices"
	"strings"
	"sync"

	"planmode/plan/tree"
)

// written is what the person wrote and no turn has taken: the messages that wait,
// and the text being composed. One file keeps both, so that whatever ends
// planmode, the composer has all of it at the next start.
type written struct {
	mu    sync.Mutex // held while it is written
	known bool       // text is what is being composed
	text  string     // being composed
	sure  bool       // saved is what the file holds
	saved string
	told  bool // that the queue could not be saved
}

// found notes what the file held.
func (w *written) found(text string) {
	w.known, w.text, w.sure, w.saved = true, text, true, text
}

// SaveDraft keeps the text being composed, so that it survives any end. The
// draft of a session that can only be read belongs to whoever writes in it.
func (s *Session) SaveDraft(text string) error {
	if s.readOnly() != nil {
		return nil
	}
	s.written.mu.Lock()
	defer s.written.mu.Unlock()
	s.written.known, s.written.text = true, text
	return s.saveUnsent()
}

// saveUnsent writes what changed. It needs the lock of written.
func (s *Session) saveUnsent() error {
	s.mu.Lock()
	parts := slices.Clone(s.queue)
	s.mu.Unlock()
	if s.written.text != "" {
		parts = append(parts, s.written.text)
	}
	whole := strings.Join(parts, "\n\n")
	if s.written.sure && whole == s.written.saved {
		return nil
	}
	if err := s.opt.Store.SaveDraft(s.opt.Session, whole); err != nil {
		return err
	}
	s.written.sure, s.written.saved = true, whole
	return nil
}

// keepQueue saves the messages that wait, after they changed. They wait all the
// same when that cannot be, and the person is told once.
func (s *Session) keepQueue() {
	if s.readOnly() != nil {
		return
	}
	if err := s.saveQueue(); err != nil && !s.queueTold() {
		s.say(tree.Warning, "The messages that wait could not be saved (%v). They are sent in turn, but would be lost if planmode were killed.", err)
	}
}

func (s *Session) saveQueue() error {
	s.written.mu.Lock()
	defer s.written.mu.Unlock()
	if !s.written.known {
		text, err := s.opt.Store.Draft(s.opt.Session)
		if err != nil {
			return err // what is there is not to be overwritten
		}
		s.written.found(text)
	}
	return s.saveUnsent()
}

func (s *Session) queueTold() bool {
	s.written.mu.Lock()
	defer s.written.mu.Unlock()
	was := s.written.told
	s.written.told = true
	return was
}

// closeUnsent puts messages that no turn took before the text being composed,
// where the person finds them on resume.
func (s *Session) closeUnsent() error {
	s.mu.Lock()
	waiting := len(s.queue)
	s.mu.Unlock()
	if waiting == 0 || s.readOnly() != nil {
		return nil
	}
	return s.saveQueue()
}

// Draft is the unsent text that was saved last; empty if there is none or it
// cannot be read.
func (s *Session) Draft() string {
	if s.readOnly() != nil {
		return ""
	}
	s.written.mu.Lock()
	text, err := s.opt.Store.Draft(s.opt.Session)
	if err == nil {
		s.written.found(text)
	}
	s.written.mu.Unlock()
	if err != nil {
		s.say(tree.Warning, "The unsent text of this session could not be read: %v. It was not touched.", err)
		return ""
	}
	return text
}
