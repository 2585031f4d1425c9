package reviewer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"planmode/plan/process"
	"planmode/store"
)

const (
	draftVersion = 1
	stamp        = "2006-01-02T15-04-05.000"
)

// draft is the file that survives a crash. It is private to this package and
// bound to the exact bytes under review.
type draft struct {
	Version int         `json:"version"`
	Key     string      `json:"key"`
	Old     string      `json:"old,omitempty"`
	New     string      `json:"new"`
	Notes   []savedNote `json:"notes"`
	Typed   []savedNote `json:"typed,omitempty"` // half-typed, not part of the review
}

type savedNote struct {
	Line int    `json:"line"`
	End  int    `json:"end,omitempty"`
	Type string `json:"type"`
	Body string `json:"body"`
}

// saver writes drafts. Save may be called from several goroutines; a snapshot
// that is older than one already written is dropped.
type saver struct {
	dir     string // empty: nothing is kept
	history bool   // the caller asked for history entries
	subject *subject
	now     func() time.Time

	mu   sync.Mutex
	last int
	over bool // the review ended cleanly: late saves must not bring it back
}

// path is named after the bytes under review, so that reviews of different texts
// in one directory never overwrite each other.
func (s *saver) path() string {
	sum := sha256.New()
	if s.subject.old != nil {
		sum.Write([]byte(s.subject.old.hash))
	}
	sum.Write([]byte(s.subject.new.hash))
	return filepath.Join(s.dir, "autosave-"+hex.EncodeToString(sum.Sum(nil))[:12]+".json")
}

// snapshot is a copy of the notes that no longer changes.
type snapshot struct {
	seq          int
	notes, typed []note
}

func (s *saver) save(snap snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" || s.over || snap.seq <= s.last {
		return nil
	}
	if len(snap.notes)+len(snap.typed) == 0 {
		err := removeFile(s.path())
		if err == nil {
			s.last = snap.seq
		}
		return err
	}
	d := draft{Version: draftVersion, Key: s.subject.key, New: s.subject.new.hash, Notes: saved(snap.notes), Typed: saved(snap.typed)}
	if s.subject.old != nil {
		d.Old = s.subject.old.hash
	}
	raw, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the draft of %s: %w", s.subject.key, err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("save the draft of %s: %w", s.subject.key, err)
	}
	if err := store.ReplaceFile(s.path(), append(raw, '\n')); err != nil {
		return err
	}
	s.last = snap.seq
	return nil
}

// end forgets the draft after a clean end.
func (s *saver) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.dir == "" {
		return nil
	}
	return removeFile(s.path())
}

// restore reads the draft of an earlier run on the same bytes. A draft that is
// missing, damaged or about another text is none.
func (s *saver) restore() (draft, bool) {
	if s.dir == "" {
		return draft{}, false
	}
	info, err := os.Lstat(s.path())
	if err != nil || !info.Mode().IsRegular() {
		return draft{}, false
	}
	raw, err := readFile(s.path(), maxFile)
	if err != nil {
		return draft{}, false
	}
	var d draft
	if json.Unmarshal(raw, &d) != nil || d.Version != draftVersion || d.New != s.subject.new.hash {
		return draft{}, false
	}
	if (s.subject.old == nil) != (d.Old == "") || (s.subject.old != nil && d.Old != s.subject.old.hash) {
		return draft{}, false
	}
	return d, true
}

// enter leaves a history entry with the notes, in the layout that callers of
// revdiff look for when a review ended without an output.
func (s *saver) enter(notes []byte) error {
	if !s.history || len(notes) == 0 {
		return nil
	}
	dir := filepath.Join(s.dir, filepath.Base(filepath.Dir(mustAbsolute(s.subject.new.path))))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the notes in %s: %w", dir, err)
	}
	now := s.now()
	head := fmt.Sprintf("# Review: %s\npath: %s\n\n## Annotations\n\n", now.Format("2006-01-02 15:04:05"), s.subject.key)
	return store.ReplaceFile(filepath.Join(dir, now.Format(stamp)+".md"), append([]byte(head), notes...))
}

func mustAbsolute(path string) string {
	abs, err := absolute(path)
	if err != nil {
		return path
	}
	return abs
}

func saved(notes []note) []savedNote {
	out := make([]savedNote, 0, len(notes))
	for _, n := range notes {
		out = append(out, savedNote{n.line, n.end, string(n.op), n.body})
	}
	return out
}

func (n savedNote) note() (note, bool) {
	ok := len(n.Type) == 1 && n.Line >= 0 && n.Body != ""
	if !ok {
		return note{}, false
	}
	return note{place: place{n.Line, n.Type[0]}, end: n.End, body: n.Body}, true
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	return nil
}

// draftDir is where drafts go when the caller names no directory; empty if there
// is no home to keep them in.
func draftDir(env []string) string {
	dirs, err := store.Locate(func(name string) string { return process.Lookup(env, name) })
	if err != nil {
		return ""
	}
	return filepath.Join(dirs.State, "reviewer")
}
