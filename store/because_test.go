package store_test

import (
	"errors"
	"testing"

	"planmode/store"
)

func TestTheReasonOfALogThatIsOnlyRead(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	l := createLog(t, s, 1)
	full := errors.New("the disk is full")
	if l.Because(full); l.ReadOnly() != nil {
		t.Error("a log that is open for writing became read-only")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := s.ReadLog(sessionID)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Because(full); !errors.Is(r.ReadOnly(), full) {
		t.Errorf("the reason is %v", r.ReadOnly())
	}
}
