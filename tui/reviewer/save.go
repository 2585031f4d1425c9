package reviewer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/process"
	"planmode/revdiff/brief"
	"planmode/store"
)

const stamp = "2006-01-02T15-04-05.000"

// saver writes drafts. Save may be called from several goroutines; a snapshot
// that is older than one already written is dropped.
type saver struct {
	dir     string // empty: nothing is kept
	history bool   // the caller asked for history entries
	subject *subject
	now     func() time.Time
	given   bool // the caller gave notes: an empty draft says that they are gone

	mu    sync.Mutex
	last  int
	docs  map[string]*document.Document // by hash
	stale []string                      // drafts that the next save replaces
	over  bool                          // the review ended cleanly: late saves must not bring it back
}

// path is named after the bytes under review, so that reviews of different texts
// in one directory never overwrite each other.
func (s *saver) path() string {
	return filepath.Join(s.dir, brief.DraftName(s.subject.new.hash))
}

// snapshot is a copy of what is written that no longer changes.
type snapshot struct {
	seq          int
	notes, typed []note
	marks        []brief.Mark
	card         brief.Typed
	line         int
}

func (s snapshot) empty() bool {
	return len(s.notes)+len(s.typed)+len(s.marks) == 0 && s.card == brief.Typed{}
}

func (s *saver) save(snap snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" || s.over || snap.seq <= s.last {
		return nil
	}
	if snap.empty() && !s.given {
		err := removeFile(s.path())
		if err == nil {
			s.last = snap.seq
		}
		return err
	}
	d := brief.Draft{
		Version: brief.DraftVersion, Key: s.subject.key, New: s.subject.new.hash, Notes: s.saved(snap.notes), Typed: s.saved(snap.typed),
		Marks: snap.marks, Card: snap.card, Line: snap.line,
	}
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
	for _, path := range s.stale {
		_ = removeFile(path) // what it held is in the new one
	}
	s.stale = nil
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

// restore reads the draft of an earlier run: on the same bytes, else on an
// earlier text of the same file. A draft that is missing or damaged is none.
func (s *saver) restore() (brief.Draft, bool) {
	if s.dir == "" {
		return brief.Draft{}, false
	}
	if d, err := readDraft(s.path()); err == nil && d.New == s.subject.new.hash {
		return d, true
	}
	return s.restoreMoved()
}

// maxLooked is how many drafts are looked through for one on an earlier text.
const maxLooked = 200

// restoreMoved finds the newest draft on another text of the same file.
func (s *saver) restoreMoved() (best brief.Draft, ok bool) {
	if s.subject.compare {
		return best, false // the file of a comparison is known by its base name only
	}
	entries, _ := os.ReadDir(s.dir)
	var newest time.Time
	for _, e := range entries[:min(len(entries), maxLooked)] {
		info, err := e.Info()
		if err != nil || !brief.IsDraftName(e.Name()) || ok && info.ModTime().Before(newest) {
			continue
		}
		path := filepath.Join(s.dir, e.Name())
		if d, err := readDraft(path); err == nil && d.Key == s.subject.key && !d.Empty() {
			best, ok, newest = d, true, info.ModTime()
			s.stale = append(s.stale, path)
		}
	}
	return best, ok
}

func readDraft(path string) (brief.Draft, error) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return brief.Draft{}, errors.Join(err, fs.ErrNotExist)
	}
	raw, err := readFile(path, brief.MaxFile)
	if err != nil {
		return brief.Draft{}, err
	}
	return brief.ParseDraft(raw)
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

// maxAnchored bounds the size of a text whose notes are saved with what they
// quote: it is parsed for that.
const maxAnchored = 1 << 20

// saved are notes as the draft has them, each with what it quotes, so that it is
// found again when the text has moved.
func (s *saver) saved(notes []note) []brief.Note {
	out := make([]brief.Note, 0, len(notes))
	for _, n := range notes {
		a := plan.Annotation{Line: n.line, End: n.end, Body: n.body, Label: n.label, Replacement: n.with, Delete: n.suggests && n.with == ""}
		side := s.subject.new
		if n.op == opRemoved {
			a.Side, side = "old", s.subject.old
		}
		if d := s.parsed(side); d != nil {
			a = document.Anchor(d, a)
		}
		out = append(out, brief.Note{Annotation: a, Type: string(n.op)})
	}
	return out
}

// parsed is the document of one side, parsed when it is first needed. It needs mu.
func (s *saver) parsed(d *textFile) *document.Document {
	if d == nil || d.bytes > maxAnchored {
		return nil
	}
	if s.docs == nil {
		s.docs = map[string]*document.Document{}
	}
	if s.docs[d.hash] == nil {
		s.docs[d.hash] = document.Parse([]byte(strings.Join(d.lines, "\n") + "\n"))
	}
	return s.docs[d.hash]
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
