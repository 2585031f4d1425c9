package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planmode/store"
	"planmode/store/storetest"
)

// fullSession leaves a session with everything that can lie beside a log.
func fullSession(t *testing.T, home string) (log string) {
	t.Helper()
	log = written(t, home)
	s := openIn(t, home, store.Options{})
	if err := s.SaveDraft(sessionID, "unsent"); err != nil {
		t.Fatal(err)
	}
	for _, beside := range []string{".image-" + strings.Repeat("0", 64), ".streaming", ".torn-20260101T000000.000Z"} {
		if err := os.WriteFile(log+beside, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return log
}

// left lists the files of home that have to do with the session.
func left(t *testing.T, home string) []string {
	t.Helper()
	var names []string
	for _, dir := range []string{"sessions/*", "drafts"} {
		found, err := filepath.Glob(filepath.Join(home, "data", dir, "*"+sessionID+"*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			names = append(names, filepath.Base(path))
		}
	}
	return names
}

func TestRemoveLeavesNothingButTheLock(t *testing.T) {
	home := t.TempDir()
	path := fullSession(t, home)
	longer := filepath.Join(filepath.Dir(path), sessionID+".jsonl.torn-other.jsonl")
	if err := os.WriteFile(longer, []byte("another session\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, home, store.Options{})
	l := openLog(t, home)
	files, err := l.Files()
	if err != nil || len(files) != 5 || files[4] != path {
		t.Errorf("the files are %q, %v", files, err)
	}
	if err := l.Remove(); err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(longer), sessionID + ".lock"}
	if got := left(t, home); !slices.Equal(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
	if _, err := s.ReadLog(path); !errors.Is(err, store.ErrNoSession) {
		t.Errorf("opening it gave %v", err)
	}
	if err := l.Append(entry(t, 9, "")); err == nil {
		t.Error("a removed log takes entries")
	}
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Errorf("closing it gave %v", err)
	}
	if l.Remove() == nil {
		t.Error("it is removed twice")
	}
}

func TestASessionThatIsHeldIsNotRemoved(t *testing.T) {
	home := t.TempDir()
	path := fullSession(t, home)
	writer := openLog(t, home)
	reader, err := openIn(t, home, store.Options{}).ReadLog(sessionID)
	if err != nil {
		t.Fatal(err)
	}
	var held *store.HeldError
	if err := reader.Remove(); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(reader.Close(), writer.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestASessionWithADamagedHeaderCanBeRemoved(t *testing.T) {
	home := t.TempDir()
	path := fullSession(t, home)
	rewrite(t, path, func(b []byte) []byte { return append([]byte("{"), b...) })
	if err := openLog(t, home).Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestARemovalThatFailsCanBeRepeated(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rig *storetest.Rig) {
		home := t.TempDir()
		fullSession(t, home)
		broken, armed := &storetest.Rig{}, false
		probe := func(step store.Step) error {
			if !armed {
				return broken.Probe(step)
			}
			return rig.Probe(step)
		}
		s, err := store.Open(dirsIn(home), store.Options{Now: clock(), Probe: probe})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		l, err := s.OpenLog(sessionID)
		if err != nil {
			t.Fatal(err)
		}
		armed = true
		if err := l.Remove(); err == nil {
			if got := left(t, home); len(got) != 1 {
				t.Errorf("left %q", got)
			}
			return
		}
		again, err := openIn(t, home, store.Options{}).OpenLog(sessionID)
		if errors.Is(err, store.ErrNoSession) {
			return // only the last step failed
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Remove(); err != nil {
			t.Fatal(err)
		}
		if got := left(t, home); len(got) != 1 || !strings.HasSuffix(got[0], ".lock") {
			t.Errorf("left %q", got)
		}
	})
}

func TestAShortLookAtALockRefusesNobody(t *testing.T) {
	home := t.TempDir()
	written(t, home)
	s := openIn(t, home, store.Options{})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				s.Holder(sessionID)
			}
		}
	}()
	for range 200 {
		l, err := s.OpenLog(sessionID)
		if err != nil {
			t.Errorf("open: %v", err)
			break
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
}
