// Package result puts the changes of many files into two texts that a reviewer of
// two texts can compare, and finds the way back: from a line of these texts to the
// file and the line it stands for.
//
// It is pure and never fails. What is too much is named and left out, and the
// texts say so; what is no text is named only.
package result

import (
	"bytes"
	"fmt"
	"strings"

	"planmode/plan/text"
	"planmode/revdiff/compare"
	"planmode/revdiff/record"
)

// Limits of what is shown.
const (
	Around   = 6         // unchanged lines beside a change
	MaxBytes = 200 << 10 // of each of the two texts
	MaxFile  = 512 << 10 // of one file
)

// File is one file that changed. Old is nil when it was not there before, New when
// it is no longer there.
type File struct {
	Path     string
	Old, New []byte
	Unknown  string // why its content is not shown; empty when it is
}

// Place is a line of a file. Line is 0 for the file as a whole.
type Place struct {
	Path string
	Line int
	Old  bool // of the earlier content
}

// Changes are the two texts, with the file that each line of them stands for.
type Changes struct {
	Old, New []byte
	Shown    int      // files whose changes are in the texts
	Left     []string // files that are only named, with the reason
	old, new []Place
}

// At is the place of a line, counted from 1, of one of the texts.
func (c Changes) At(line int, old bool) (Place, bool) {
	places := c.new
	if old {
		places = c.old
	}
	if line < 1 || line > len(places) || places[line-1].Path == "" {
		return Place{}, false
	}
	return places[line-1], true
}

// writer collects the two texts.
type writer struct {
	old, new     bytes.Buffer
	oldAt, newAt []Place
	changes      Changes
}

// Of writes the changes of all files, one after the other, under a head and the
// name of each.
func Of(head string, files []File) Changes {
	w := &writer{}
	for line := range strings.SplitSeq(strings.TrimRight(text.Clean(head), "\n"), "\n") {
		w.both(line, Place{})
	}
	for _, f := range files {
		w.file(f)
	}
	if len(w.changes.Left) > 0 {
		w.both("", Place{})
		w.both("## Not shown", Place{})
		w.both("", Place{})
		for _, l := range w.changes.Left {
			w.both("- "+l, Place{})
		}
	}
	c := w.changes
	c.Old, c.New, c.old, c.new = w.old.Bytes(), w.new.Bytes(), w.oldAt, w.newAt
	return c
}

func (w *writer) both(line string, p Place) {
	was := p
	was.Old = p.Path != ""
	w.before(line, was)
	w.after(line, p)
}

func (w *writer) before(line string, p Place) {
	w.old.WriteString(line + "\n")
	w.oldAt = append(w.oldAt, p)
}

func (w *writer) after(line string, p Place) {
	w.new.WriteString(line + "\n")
	w.newAt = append(w.newAt, p)
}

func (w *writer) leave(f File, why string) {
	w.changes.Left = append(w.changes.Left, text.Line(f.Path)+": "+why)
}

func (w *writer) file(f File) {
	switch {
	case f.Unknown != "":
		w.leave(f, text.Line(f.Unknown))
	case len(f.Old) > MaxFile || len(f.New) > MaxFile:
		w.leave(f, "too large")
	case binary(f.Old) || binary(f.New):
		w.leave(f, "no text")
	default:
		w.text(f)
	}
}

func binary(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 }

func (w *writer) text(f File) {
	old, fresh := split(f.Old), split(f.New)
	edits := compare.Lines(old, fresh)
	shown := around(edits)
	size := 0
	for _, r := range shown {
		for _, e := range edits[r[0]:r[1]] {
			size += 1 + longest(e, old, fresh)
		}
	}
	if size+max(w.old.Len(), w.new.Len()) > MaxBytes {
		w.leave(f, "there is no room for it here")
		return
	}
	w.changes.Shown++
	whole := Place{Path: f.Path}
	w.both("", Place{})
	w.both("## "+text.Line(f.Path)+word(f), whole)
	w.both("", whole)
	fence := fenceFor(f.Old, f.New)
	w.both(fence+language(f.Path), whole)
	at := 0
	for _, r := range shown {
		if n := r[0] - at; n > 0 {
			w.both(fmt.Sprintf("… %s", text.Count(n, "unchanged line")), whole)
		}
		for _, e := range edits[r[0]:r[1]] {
			w.edit(f.Path, e, old, fresh)
		}
		at = r[1]
	}
	if n := len(edits) - at; n > 0 {
		w.both(fmt.Sprintf("… %s", text.Count(n, "unchanged line")), whole)
	}
	w.both(fence, whole)
}

func (w *writer) edit(path string, e compare.Edit, old, fresh []string) {
	if e.Op != record.Added {
		w.before(old[e.Old-1], Place{path, e.Old, true})
	}
	if e.Op != record.Removed {
		w.after(fresh[e.New-1], Place{path, e.New, false})
	}
}

func longest(e compare.Edit, old, fresh []string) int {
	n := 0
	if e.Old > 0 {
		n = len(old[e.Old-1])
	}
	if e.New > 0 {
		n = max(n, len(fresh[e.New-1]))
	}
	return n
}

// word says what became of the file as a whole.
func word(f File) string {
	switch {
	case f.Old == nil:
		return " (new)"
	case f.New == nil:
		return " (deleted)"
	}
	return ""
}

// split cleans a file and cuts it into lines: a reviewer must not draw what a file
// would like to.
func split(b []byte) []string {
	s := strings.TrimSuffix(text.Clean(string(b)), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// around are the half-open ranges of edits that are worth showing.
func around(edits []compare.Edit) [][2]int {
	var out [][2]int
	for i, e := range edits {
		if e.Op == record.Context {
			continue
		}
		from, to := max(i-Around, 0), min(i+1+Around, len(edits))
		if n := len(out); n > 0 && from <= out[n-1][1] {
			out[n-1][1] = to
			continue
		}
		out = append(out, [2]int{from, to})
	}
	return out
}

// fenceFor is a code fence that neither content holds.
func fenceFor(contents ...[]byte) string {
	fence := "```"
	for _, c := range contents {
		for bytes.Contains(c, []byte(fence)) {
			fence += "`"
		}
	}
	return fence
}

// language is the info of a code fence: the extension, if that is a plain word.
func language(path string) string {
	ext := path[strings.LastIndexByte(path, '.')+1:]
	if ext == path || len(ext) > 12 {
		return ""
	}
	for _, r := range ext {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return ""
		}
	}
	return ext
}
