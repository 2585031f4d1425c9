package reviewer

import (
	"cmp"
	"slices"
	"strings"

	"planmode/revdiff/record"
)

// place is what a note is about: a line of one kind, or the whole file when line
// is 0.
type place struct {
	line int
	op   byte
}

// note is one comment. End is the last line of a range, or 0.
type note struct {
	place
	end  int
	body string
	seq  int // order of writing, which decides between equal lines
}

// notebook holds the notes of one review, at most one for a place, and the
// half-typed ones that are not part of it yet.
type notebook struct {
	notes    map[place]note
	drafts   map[place]note
	versions map[place]uint32 // counts what changed at a place, for caches
	removed  []note           // for undo, the last one last
	seq      int
}

func newNotebook() *notebook {
	return &notebook{notes: map[place]note{}, drafts: map[place]note{}, versions: map[place]uint32{}}
}

// set keeps a note and ends the draft at its place. An empty body removes.
func (b *notebook) set(n note) {
	if strings.TrimRight(n.body, "\n") == "" {
		b.remove(n.place)
		b.stash(note{place: n.place})
		return
	}
	n.body = strings.TrimRight(n.body, "\n")
	if n.end <= n.line {
		n.end = 0
	}
	if before, ok := b.notes[n.place]; ok {
		n.seq = before.seq
	} else {
		b.seq++
		n.seq = b.seq
	}
	b.notes[n.place] = n
	delete(b.drafts, n.place)
	b.versions[n.place]++
}

func (b *notebook) remove(at place) bool {
	n, ok := b.notes[at]
	if !ok {
		return false
	}
	b.removed = append(b.removed, n)
	delete(b.notes, at)
	b.versions[at]++
	return true
}

// undo brings back the note that was removed last. A newer note at its place is
// not overwritten.
func (b *notebook) undo() (place, bool) {
	for len(b.removed) > 0 {
		n := b.removed[len(b.removed)-1]
		b.removed = b.removed[:len(b.removed)-1]
		if _, taken := b.notes[n.place]; taken {
			continue
		}
		b.notes[n.place] = n
		b.versions[n.place]++
		return n.place, true
	}
	return place{}, false
}

// stash keeps half-typed text; an empty one is forgotten.
func (b *notebook) stash(n note) {
	if before, ok := b.drafts[n.place]; ok && before.body == n.body && before.end == n.end {
		return
	}
	if strings.TrimSpace(n.body) == "" {
		if _, ok := b.drafts[n.place]; !ok {
			return
		}
		delete(b.drafts, n.place)
	} else {
		b.drafts[n.place] = n
	}
	b.versions[n.place]++
}

func (b *notebook) sorted() []note       { return inOrder(b.notes) }
func (b *notebook) sortedDrafts() []note { return inOrder(b.drafts) }

func inOrder(notes map[place]note) []note {
	out := make([]note, 0, len(notes))
	for _, n := range notes {
		out = append(out, n)
	}
	slices.SortFunc(out, func(x, y note) int {
		return cmp.Or(cmp.Compare(x.line, y.line), cmp.Compare(x.seq, y.seq), cmp.Compare(x.op, y.op))
	})
	return out
}

// records are the notes in the shape they are handed over in.
func (b *notebook) records(path string) []record.Record {
	var out []record.Record
	for _, n := range b.sorted() {
		r := record.Record{Path: path, Line: n.line, End: n.end, Type: n.op, Body: n.body}
		if n.line == 0 {
			r.Type, r.End = 0, 0
		}
		out = append(out, r)
	}
	return out
}

func (b *notebook) format(path string) []byte {
	records := b.records(path)
	if len(records) == 0 {
		return nil
	}
	return record.Format(records)
}
