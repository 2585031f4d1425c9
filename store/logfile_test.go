package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func logIn(t *testing.T, home string, limit int64) *LogFile {
	t.Helper()
	l, err := openLogFile(below(home), limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestTheLogDoesNotGrowWithoutBound(t *testing.T) {
	home := t.TempDir()
	l := logIn(t, home, 1000)
	record := []byte(strings.Repeat("x", 99) + "\n")
	for range 100 {
		if _, err := l.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{logFileName, logFileOld} {
		st, err := os.Lstat(filepath.Join(home, "state", name))
		if err != nil || st.Size() == 0 || st.Size() > 1000 || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, st, err)
		}
	}
}

func TestARecordLargerThanTheLimitIsWrittenWhole(t *testing.T) {
	l := logIn(t, t.TempDir(), 10)
	for range 3 {
		if n, err := l.Write(bytes.Repeat([]byte("y"), 50)); n != 50 || err != nil {
			t.Fatal(n, err)
		}
	}
}

func TestSeveralWritersLoseNoRecordOfTheLastTwoFiles(t *testing.T) {
	home := t.TempDir()
	const writers, each = 4, 100
	var wg sync.WaitGroup
	for w := range writers {
		l := logIn(t, home, 6000) // all of it needs a little more than one file
		wg.Go(func() {
			for i := range each {
				if _, err := fmt.Fprintf(l, "writer %d record %03d\n", w, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var all []byte
	for _, name := range []string{logFileOld, logFileName} {
		b, err := os.ReadFile(filepath.Join(home, "state", name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	for w := range writers {
		for i := range each {
			if !bytes.Contains(all, fmt.Appendf(nil, "writer %d record %03d\n", w, i)) {
				t.Fatalf("record %d of writer %d is lost", i, w)
			}
		}
	}
}

func TestTheLogIsNotWrittenThroughALink(t *testing.T) {
	home, target := t.TempDir(), filepath.Join(t.TempDir(), "target")
	if err := os.Mkdir(filepath.Join(home, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(home, "state", logFileName)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLogFile(below(home)); !errors.Is(err, ErrSymlink) {
		t.Errorf("got %v", err)
	}
}

func TestAClosedLogRefusesRecords(t *testing.T) {
	l := logIn(t, t.TempDir(), 1000)
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Write([]byte("late\n")); err == nil {
		t.Error("written")
	}
}
