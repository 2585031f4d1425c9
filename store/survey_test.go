package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/store"
)

func TestLookFindsWhatIsThereAndWhoHoldsIt(t *testing.T) {
	home := t.TempDir()
	fullSession(t, home)
	m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
	l := openLog(t, home)
	defer l.Close()
	log, err := store.OpenLogFile(dirsIn(home))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if _, err := log.Write([]byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	s, err := store.Look(dirsIn(home))
	if err != nil || len(s.Faults) > 0 {
		t.Fatalf("%+v, %v", s.Faults, err)
	}
	want := map[string]int{"plans": 1, "sessions": 1, "drafts": 1, "other": 0, "log": 1}
	for _, a := range s.Areas {
		if a.Count != want[a.Name] || (a.Count > 0) != (a.Bytes > 0) {
			t.Errorf("%+v, want %d", a, want[a.Name])
		}
	}
	if len(s.Areas) != len(want) {
		t.Errorf("%d areas", len(s.Areas))
	}
	if len(s.Locks) != 1 || s.Locks[0].What != "session "+sessionID || s.Locks[0].PID != os.Getpid() {
		t.Errorf("locks: %+v", s.Locks)
	}
	if m.PlanID == "" {
		t.Error("no plan")
	}
}

func TestLookDoesNotCountLocks(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	for _, text := range []string{"draft", ""} { // which leaves the lock alone
		if err := s.SaveDraft("20260101T000000-0123456789ab", text); err != nil {
			t.Fatal(err)
		}
	}
	survey, err := store.Look(dirsIn(home))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range survey.Areas {
		if a.Count != 0 || a.Bytes != 0 {
			t.Errorf("%+v", a)
		}
	}
}

func TestLookNamesWhatDoesNotBelong(t *testing.T) {
	home := t.TempDir()
	path := fullSession(t, home)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, "data", "plans")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := os.Symlink("nowhere", filepath.Join(home, "data", "sessions", strings.Repeat("x", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Look(dirsIn(home))
	if err != nil || len(s.Faults) != 20 || s.More != 22 {
		t.Fatalf("%d faults and %d more, %v", len(s.Faults), s.More, err)
	}
	if f := s.Faults[0]; f.Path != link || !strings.Contains(f.Why, "symbolic link") {
		t.Errorf("%+v", f)
	}
}

func TestLookAtNothing(t *testing.T) {
	home := filepath.Join(t.TempDir(), "nothing")
	s, err := store.Look(dirsIn(home))
	if err != nil || len(s.Areas) != 5 || len(s.Locks) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := os.Stat(home); err == nil {
		t.Error("looking made something")
	}
}

func TestProbeRoot(t *testing.T) {
	now := func() time.Time { return time.Unix(0, 0) }
	home := t.TempDir()
	t.Run("a directory is written to and left as it was", func(t *testing.T) {
		r := store.ProbeRoot(home, now)
		if r.Err != nil || r.Missing || r.Free == 0 {
			t.Errorf("%+v", r)
		}
		if names, err := os.ReadDir(home); err != nil || len(names) > 0 {
			t.Errorf("left %v, %v", names, err)
		}
	})
	t.Run("a missing one is not made", func(t *testing.T) {
		r := store.ProbeRoot(filepath.Join(home, "a", "b"), now)
		if r.Err != nil || !r.Missing {
			t.Errorf("%+v", r)
		}
		if _, err := os.Stat(filepath.Join(home, "a")); err == nil {
			t.Error("it was made")
		}
	})
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"a file in its place": file, "a file above it": filepath.Join(file, "below")} {
		t.Run(name+" is an error", func(t *testing.T) {
			if r := store.ProbeRoot(path, now); r.Err == nil {
				t.Errorf("%+v", r)
			}
		})
	}
}
