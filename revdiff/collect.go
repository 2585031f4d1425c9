package revdiff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/revdiff/brief"
	"planmode/revdiff/record"
)

// source says where notes were found.
type source int

const (
	fromNowhere source = iota
	fromOutput
	fromHistory
)

// collection is what a run left behind as notes.
type collection struct {
	from   source
	raw    []byte
	items  []plan.Annotation
	damage string // why not all of it can be taken as notes on the text shown
}

// maxNotes is the most that is read of an annotations file.
const maxNotes = 1 << 20

var (
	errTooLarge = errors.New("too large")
	errLink     = errors.New("not a regular file")
)

// collect reads the notes: the output if there is one, else what was saved on
// the way, so that a reviewer that failed to write loses nothing.
func (j *Job) collect() collection {
	raw, err := readRegular(j.Output, maxNotes)
	switch {
	case err == nil && !record.Blank(raw):
		return j.parse(fromOutput, raw)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return collection{damage: fmt.Sprintf("the annotations cannot be read: %v", err)}
	}
	if raw := j.saved(); !record.Blank(raw) {
		return j.parse(fromHistory, raw)
	}
	return collection{}
}

func (j *Job) parse(from source, raw []byte) collection {
	c := collection{from: from, raw: raw}
	records, err := record.Parse(raw)
	if err != nil {
		c.damage = fmt.Sprintf("the annotations cannot be understood: %v", err)
		return c
	}
	a := j.newAnchors()
	for _, r := range records {
		if reason := j.foreign(r, a); reason != "" {
			c.damage = reason
			continue
		}
		c.items = append(c.items, a.annotation(r))
	}
	return c
}

// foreign says why r cannot be a note on what was shown, or nothing.
func (j *Job) foreign(r record.Record, a *anchors) string {
	if !j.shows(r.Path) {
		return fmt.Sprintf("an annotation is about %q, which was not shown", r.Path)
	}
	old := r.Type == record.Removed && !r.FileLevel()
	if old && j.shown.oldCopy == "" {
		return "an annotation is about a removed line, and no change was shown"
	}
	lines, shown := a.lines(old), j.shown.new
	if old {
		shown = j.shown.old
	}
	if last := max(r.Line, r.End); last > lines {
		return fmt.Sprintf("an annotation is about line %d of %s, which has %d lines", last, shown.label(), lines)
	}
	return ""
}

// shows reports whether path is how a reviewer names the copy: its base name
// when comparing, its full path otherwise, which may lead through links.
func (j *Job) shows(path string) bool {
	if path == j.Copy || path == filepath.Base(j.Copy) {
		return true
	}
	if filepath.Base(path) != filepath.Base(j.Copy) || !filepath.IsAbs(path) {
		return false
	}
	theirs, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return false
	}
	ours, err := os.Stat(filepath.Dir(j.Copy))
	return err == nil && os.SameFile(theirs, ours)
}

// saved returns the notes of the newest history entry, or of the built-in
// reviewer's autosave, in the form of an output; nil if there are none.
func (j *Job) saved() []byte {
	var entries, autosaves []string
	for _, path := range append(list(j.History), below(j.History)...) {
		switch name := filepath.Base(path); {
		case strings.HasSuffix(name, ".md"):
			entries = append(entries, path)
		case brief.IsDraftName(name):
			autosaves = append(autosaves, path)
		}
	}
	// The names are times.
	slices.SortFunc(entries, func(a, b string) int { return strings.Compare(filepath.Base(b), filepath.Base(a)) })
	for _, path := range entries {
		if b, err := readRegular(path, maxNotes); err == nil {
			if notes := historyNotes(b); !record.Blank(notes) {
				return notes
			}
		}
	}
	for _, path := range autosaves {
		if b, err := readRegular(path, maxNotes); err == nil {
			if notes := autosaved(b, filepath.Base(j.Copy)); len(notes) > 0 {
				return notes
			}
		}
	}
	return nil
}

// list names what is in dir; nothing if it cannot be read.
func list(dir string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		paths = append(paths, filepath.Join(dir, e.Name()))
	}
	return paths
}

// below names what is in the directories of dir, one level down.
func below(dir string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			paths = append(paths, list(filepath.Join(dir, e.Name()))...)
		}
	}
	return paths
}

const (
	notesMark = "\n## Annotations\n\n"
	diffMark  = "\n---\n\n## Diff\n\n"
)

// historyNotes cuts the notes out of a history entry. A diff follows only when
// the entry names a commit, so that a note cannot look like its start.
func historyNotes(b []byte) []byte {
	head, notes, ok := bytes.Cut(b, []byte(notesMark))
	if !ok {
		return nil
	}
	if bytes.Contains(head, []byte("\ncommit: ")) {
		notes, _, _ = bytes.Cut(notes, []byte(diffMark))
	}
	return notes
}

// autosaved reads the draft that the built-in reviewer keeps while it runs and
// that outlives it only when it was killed.
func autosaved(b []byte, key string) []byte {
	draft, err := brief.ParseDraft(b)
	if err != nil {
		return nil
	}
	var records []record.Record
	for _, n := range draft.Notes {
		r := record.Record{Path: key, Line: n.Line, End: n.End, Body: body(n.Annotation)}
		if n.Line > 0 {
			r.Type = n.Type[0]
		}
		if r.Check() == nil {
			records = append(records, r)
		}
	}
	record.Sort(records)
	return record.Format(records)
}

// Unended is a review that planmode did not see the end of.
type Unended struct {
	Dir      string // of its files
	Review   plan.ReviewID
	Old, New Text
	Labels   []string
}

// Recover reads what a review left behind when planmode ended before it. The
// notes are for offering again. A verdict among it was given and never recorded:
// it is for telling the person, and decides nothing.
func Recover(u Unended) Result {
	j := &Job{Output: filepath.Join(u.Dir, outputName), History: filepath.Join(u.Dir, HistoryName), Copy: copyPath(u.Dir, u.New)}
	j.shown = shown{old: u.Old, new: u.New}
	if u.Old.Revision > 0 {
		if _, err := os.Lstat(copyPath(u.Dir, u.Old)); err == nil {
			j.shown.oldCopy = copyPath(u.Dir, u.Old)
		}
	}
	j.Edit, j.Outcome, j.labels = filepath.Join(u.Dir, editName), filepath.Join(u.Dir, outcomeName), u.Labels
	j.asked = asked{u.Review, plan.HashOf(u.New.Bytes)}
	notes := j.collect()
	r := Result{Notes: notes.items, Raw: notes.raw}
	j.left(&r)
	if drafted := r.Marks; j.concluded(&r) != "" || len(r.Marks) == 0 {
		r.Marks = drafted
	}
	return r.is(Interrupted, "planmode ended before the review of r%d did", u.New.Revision)
}

// readRegular reads a regular file, never through a link, and refuses one larger
// than limit.
func readRegular(path string, limit int64) ([]byte, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: %w", path, errLink)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	// Another file may have taken the name since.
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		return nil, fmt.Errorf("read %s: %w", path, errLink)
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("read %s: %w", path, errTooLarge)
	}
	return b, nil
}
