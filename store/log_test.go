package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

const sessionID = "20260102T030405-0123456789ab"

func createLog(t testing.TB, s *store.Store, entries int) *store.Log {
	t.Helper()
	l, err := s.CreateLog(tree.Header{Session: sessionID, Cwd: "/w/project"})
	if err != nil {
		t.Fatal(err)
	}
	for n := range entries {
		if err := l.Append(entry(t, n, leafOf(l))); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// written makes a closed log of four entries and returns its path.
func written(t testing.TB, home string) string {
	t.Helper()
	l := createLog(t, openIn(t, home, store.Options{}), 4)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Path()
}

func rewrite(t testing.TB, path string, change func([]byte) []byte) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = change(b)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

func openLog(t testing.TB, home string) *store.Log {
	t.Helper()
	l, err := openIn(t, home, store.Options{}).OpenLog(sessionID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestALogIsReadAsItWasWritten(t *testing.T) {
	home := t.TempDir()
	path := written(t, home)
	if got := filepath.Base(filepath.Dir(path)); !strings.HasPrefix(got, "project-") || len(got) != len("project-")+8 {
		t.Errorf("the folder is %s", got)
	}
	l := openLog(t, home)
	all := l.Tree().All()
	if len(all) != 4 || len(l.Problems()) != 0 || l.ReadOnly() != nil || leafOf(l) != "000000000004" {
		t.Fatalf("%d entries, problems %v, read-only %v, leaf %s", len(all), l.Problems(), l.ReadOnly(), leafOf(l))
	}
	for n, e := range all {
		if want := entry(t, n, e.Parent); e.ID != want.ID || string(e.Body) != string(want.Body) || !e.At.Equal(want.At.Time) {
			t.Errorf("entry %d is %+v", n, e)
		}
	}
	if h := l.Header(); h.Cwd != "/w/project" || h.Version != tree.LogVersion || h.CreatedAt.IsZero() {
		t.Errorf("header is %+v", h)
	}
}

func TestATornTailIsCutKeptAndReported(t *testing.T) {
	home := t.TempDir()
	path := written(t, home)
	whole, _ := os.ReadFile(path)
	torn := rewrite(t, path, func(b []byte) []byte { return b[:len(b)-9] })
	l := openLog(t, home)
	if n := l.Tree().Len(); n != 3 || len(l.Problems()) != 1 || l.Lost() != 0 {
		t.Fatalf("%d entries, problems %v", n, l.Problems())
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, torn) {
		t.Error("opening changed the file")
	}
	if err := l.Append(entry(t, 3, leafOf(l))); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, whole) {
		t.Errorf("after the next write the file is\n%s", now)
	}
	kept, _ := filepath.Glob(path + ".torn-*")
	if len(kept) != 1 || len(l.Problems()) != 2 || !strings.Contains(l.Problems()[1], filepath.Base(kept[0])) {
		t.Fatalf("kept %v, problems %v", kept, l.Problems())
	}
	if b, _ := os.ReadFile(kept[0]); !bytes.HasSuffix(torn, b) || len(b) == 0 {
		t.Errorf("kept %q", b)
	}
}

func TestClosingLeavesATornTailAlone(t *testing.T) {
	home := t.TempDir()
	path := written(t, home)
	torn := rewrite(t, path, func(b []byte) []byte { return b[:len(b)-9] })
	if err := openLog(t, home).Close(); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, torn) {
		t.Error("what was not kept aside was cut")
	}
}

func TestADamagedLineIsNamedAndTheRestKept(t *testing.T) {
	home := t.TempDir()
	path := written(t, home)
	bad := rewrite(t, path, func(b []byte) []byte { return bytes.Replace(b, []byte("message 2"), []byte("massage 2"), 1) })
	l := openLog(t, home)
	problems := strings.Join(l.Problems(), "\n")
	if l.ReadOnly() != nil || l.Lost() != 1 || !strings.Contains(problems, "line 4") || !strings.Contains(problems, "line 5: its parent 000000000003 is missing; it is attached to 000000000002") {
		t.Errorf("problems are %s", problems)
	}
	branch := l.Tree().Current()
	if len(branch) != 3 || branch[2].ID != "000000000004" {
		t.Errorf("the branch is %v", branch)
	}
	if err := l.Append(entry(t, 4, leafOf(l))); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(path); !bytes.HasPrefix(now, bad) {
		t.Error("the damaged line is not on the disk any more")
	}
	_ = l.Close()
	if n := openLog(t, home).Tree().Len(); n != 4 {
		t.Errorf("after one more entry there are %d", n)
	}
}

func TestALeafThatMovesToALostEntryIsRepaired(t *testing.T) {
	home := t.TempDir()
	l := createLog(t, openIn(t, home, store.Options{}), 4)
	move, err := tree.New("00000000000a", leafOf(l), plan.Stamp(start), tree.KindLeaf, tree.Leaf{To: "000000000003"})
	if err == nil {
		err = errors.Join(l.Append(move), l.Append(entry(t, 5, "000000000003")), l.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, l.Path(), func(b []byte) []byte { return bytes.Replace(b, []byte("message 2"), []byte("massage 2"), 1) })
	again := openLog(t, home)
	if n := again.Tree().Len(); n != 5 || leafOf(again) != "000000000006" {
		t.Errorf("%d entries, leaf %s, problems %v", n, leafOf(again), again.Problems())
	}
}

func TestLogsThatMustNotBeWritten(t *testing.T) {
	newer := func(b []byte) []byte {
		_, rest, _ := bytes.Cut(b, []byte("\n"))
		h, err := tree.AppendHeader(nil, tree.Header{Session: sessionID, Version: 2})
		if err != nil {
			t.Fatal(err)
		}
		return append(h, rest...)
	}
	for name, change := range map[string]func([]byte) []byte{
		"a damaged header":         func(b []byte) []byte { return bytes.Replace(b, []byte("/w/project"), []byte("/w/projekt"), 1) },
		"a header that is no JSON": func(b []byte) []byte { b[0] = 'x'; return b },
		"a newer version":          newer,
	} {
		t.Run(name+" opens read-only", func(t *testing.T) {
			home := t.TempDir()
			path := written(t, home)
			bad := rewrite(t, path, change)
			l := openLog(t, home)
			if l.ReadOnly() == nil || l.Tree().Len() != 4 {
				t.Fatalf("read-only %v, %d entries", l.ReadOnly(), l.Tree().Len())
			}
			if err := l.Append(entry(t, 4, leafOf(l))); !errors.Is(err, store.ErrReadOnly) {
				t.Errorf("append: %v", err)
			}
			if err := l.SaveStreaming("x"); !errors.Is(err, store.ErrReadOnly) {
				t.Errorf("streaming: %v", err)
			}
			if now, _ := os.ReadFile(path); !bytes.Equal(now, bad) {
				t.Error("the file was changed")
			}
		})
	}
	t.Run("an empty file opens read-only", func(t *testing.T) {
		home := t.TempDir()
		rewrite(t, written(t, home), func([]byte) []byte { return nil })
		if l := openLog(t, home); l.ReadOnly() == nil {
			t.Error("writable")
		}
	})
}

func TestOneWriterPerSession(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	l := createLog(t, s, 2)
	other := openIn(t, home, store.Options{})
	_, err := other.OpenLog(sessionID)
	var held *store.HeldError
	if !errors.As(err, &held) || held.PID != os.Getpid() || held.Host == "" || held.Since.IsZero() {
		t.Fatalf("got %v", err)
	}
	view, err := other.ReadLog(sessionID)
	if err != nil || view.Tree().Len() != 2 || !errors.As(view.ReadOnly(), &held) {
		t.Fatalf("reading: %v", err)
	}
	defer view.Close()
	if h, ok := other.Holder(sessionID); !ok || h.PID != os.Getpid() {
		t.Errorf("holder is %v, %v", h, ok)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ok := other.Holder(sessionID); ok {
		t.Error("still held after closing")
	}
	if l, err := other.OpenLog(sessionID); err != nil || l.Close() != nil {
		t.Errorf("after closing: %v", err)
	}
}

func TestAppendRefusesWhatCouldNotBeReadBack(t *testing.T) {
	l := createLog(t, openIn(t, t.TempDir(), store.Options{}), 2)
	defer l.Close()
	good := entry(t, 5, leafOf(l))
	for name, change := range map[string]func(e *tree.Entry){
		"an id that is taken":          func(e *tree.Entry) { e.ID = "000000000001" },
		"a parent that is missing":     func(e *tree.Entry) { e.Parent = "ffffffffffff" },
		"no body":                      func(e *tree.Entry) { e.Body = nil },
		"a body that changes the id":   func(e *tree.Entry) { e.Body = json.RawMessage(`{"id":"eeeeeeeeeeee"}`) },
		"a leaf that moves to nowhere": func(e *tree.Entry) { e.Kind, e.Body = tree.KindLeaf, json.RawMessage(`{"to":"ffffffffffff"}`) },
		"no kind":                      func(e *tree.Entry) { e.Kind = "" },
		"a body that is no JSON":       func(e *tree.Entry) { e.Body = json.RawMessage("{nope}") },
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			e := good
			change(&e)
			if err := l.Append(e); err == nil || l.Tree().Len() != 2 {
				t.Errorf("%v, %d entries", err, l.Tree().Len())
			}
		})
	}
	t.Run("a body with newlines is written on one line", func(t *testing.T) {
		e := good
		e.Body = json.RawMessage("{\n  \"text\": \"a\"\n}")
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
		b, _ := os.ReadFile(l.Path())
		if n := bytes.Count(b, []byte("\n")); n != 4 {
			t.Errorf("%d lines", n)
		}
	})
}

func TestWhatChangesStateIsSyncedAtOnce(t *testing.T) {
	syncs, writes := 0, 0
	var later []func()
	s := openIn(t, t.TempDir(), store.Options{
		Probe: func(step store.Step) error {
			if strings.HasSuffix(step.Path, ".jsonl") {
				syncs += map[store.Op]int{store.OpSync: 1}[step.Op]
				writes += map[store.Op]int{store.OpWrite: 1}[step.Op]
			}
			return nil
		},
		After: func(d time.Duration, f func()) func() {
			if d > time.Second {
				t.Errorf("a sync comes after %v", d)
			}
			later = append(later, f)
			return func() {}
		},
	})
	l := createLog(t, s, 0)
	syncs, writes = 0, 0
	expect := func(what string, wantSyncs, wantTimers int) {
		t.Helper()
		if syncs != wantSyncs || len(later) != wantTimers {
			t.Errorf("%s: %d syncs, %d timers; want %d, %d", what, syncs, len(later), wantSyncs, wantTimers)
		}
	}
	add := func(e tree.Entry) {
		t.Helper()
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	add(entry(t, 0, ""))
	expect("a message", 0, 1)
	add(entry(t, 2, leafOf(l)))
	expect("two messages", 0, 1)
	later[0]()
	expect("a second later", 1, 1)
	add(entry(t, 1, leafOf(l)))
	expect("an event of the law", 2, 1)
	for i, body := range map[plan.Kind]any{tree.KindLeaf: tree.Leaf{}, tree.KindDecision: tree.Decision{}, tree.KindAnnotations: tree.Annotations{}} {
		before := syncs
		e, err := tree.New(plan.EntryID("aaaaaaaaaa"+string(i[:2])), leafOf(l), plan.Stamp(start), i, body)
		if err != nil {
			t.Fatal(err)
		}
		add(e)
		if syncs != before+1 {
			t.Errorf("%s was not synced", i)
		}
	}
	if writes != 6 {
		t.Errorf("6 lines took %d writes", writes)
	}
	before := syncs
	add(entry(t, 4, leafOf(l)))
	if err := l.Close(); err != nil || syncs != before+1 {
		t.Errorf("closing: %v, %d syncs", err, syncs-before)
	}
}

func TestStreamingTextSurvivesUntilTheMessageEnds(t *testing.T) {
	home := t.TempDir()
	l := createLog(t, openIn(t, home, store.Options{}), 1)
	for _, text := range []string{"Let", "Let me 看"} {
		if err := l.SaveStreaming(text); err != nil {
			t.Fatal(err)
		}
	}
	_ = l.Close()
	again := openLog(t, home)
	if got := again.Streaming(); got != "Let me 看" {
		t.Errorf("got %q", got)
	}
	if err := errors.Join(again.SaveStreaming(""), again.SaveStreaming("")); err != nil || again.Streaming() != "" {
		t.Errorf("after the end: %q, %v", again.Streaming(), err)
	}
	if left, _ := filepath.Glob(again.Path() + ".*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAFailedSyncWritesTheLinesAgain(t *testing.T) {
	writes, fail := 0, false
	var later []func()
	home := t.TempDir()
	s := openIn(t, home, store.Options{
		Probe: func(step store.Step) error {
			switch {
			case !strings.HasSuffix(step.Path, ".jsonl"):
			case step.Op == store.OpWrite:
				writes++
			case step.Op == store.OpSync && fail:
				return syscall.EIO
			}
			return nil
		},
		After: func(_ time.Duration, f func()) func() { later = append(later, f); return func() {} },
	})
	l := createLog(t, s, 0)
	if err := l.Append(entry(t, 0, "")); err != nil {
		t.Fatal(err)
	}
	fail = true
	later[0]()
	if len(l.Problems()) != 1 {
		t.Errorf("a failed sync in the background is not reported: %v", l.Problems())
	}
	if err := l.Append(entry(t, 2, leafOf(l))); !errors.Is(err, syscall.EIO) || l.Tree().Len() != 1 {
		t.Errorf("the next append gave %v", err)
	}
	fail, writes = false, 0
	if err := l.Append(entry(t, 2, leafOf(l))); err != nil || writes != 2 {
		t.Errorf("got %v after %d writes, want the old line again and the new one", err, writes)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if n := openLog(t, home).Tree().Len(); n != 2 {
		t.Errorf("%d entries", n)
	}
}
