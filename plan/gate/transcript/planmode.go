package transcript

import (
	"fmt"
	"strings"

	"planmode/plan/tree"
	"planmode/store"
)

// ReadOwn reads a session of planmode itself: the branch it is on.
func ReadOwn(st *store.Store, id string) (Session, error) {
	log, err := st.ReadLog(id)
	if err != nil {
		return Session{}, fmt.Errorf("read the session %s: %w", id, err)
	}
	h := log.Header()
	s := Session{Harness: Planmode, ID: h.Session, Path: log.Path(), Cwd: h.Cwd}
	for _, e := range log.Tree().Current() {
		s.Modified = e.At.Time
		if e.Kind != tree.KindAssistant {
			continue
		}
		if m, err := tree.Decode[tree.Assistant](e); err == nil && strings.TrimSpace(m.Text) != "" {
			s.Messages = append(s.Messages, Message{ID: string(e.ID), Text: m.Text, At: e.At.Time})
		}
	}
	if err := log.Close(); err != nil {
		return Session{}, fmt.Errorf("read the session %s: %w", id, err)
	}
	if len(s.Messages) == 0 {
		return Session{}, fmt.Errorf("read the session %s: %w", id, ErrNoMessage)
	}
	s.Messages = newest(s.Messages)
	return s, nil
}
