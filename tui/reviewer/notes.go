package reviewer

import (
	"cmp"
	"slices"
	"strings"

	"planmode/plan/text"
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
	end      int
	body     string
	label    string
	suggests bool   // with is suggested for the lines; empty, it deletes them
	with     string // lines without the last line end
	seq      int    // order of writing, which decides between equal lines
}

func (n note) empty() bool {
	return strings.TrimRight(n.body, "\n") == "" && n.label == "" && !n.suggests
}

// says tells whether two notes at one place say the same.
func (n note) says(o note) bool {
	n.seq = o.seq
	return n == o
}

// remark is what the note says, as the grammar writes it.
func (n note) remark() record.Remark {
	return record.Remark{Label: n.label, Text: n.body, Suggests: n.suggests, Replacement: n.with}
}

// summary is the note on one line.
func (n note) summary() string {
	parts := []string{text.Line(n.body)}
	if n.label != "" {
		parts = append([]string{"[" + n.label + "]"}, parts...)
	}
	switch {
	case n.suggests && n.with == "":
		parts = append(parts, "(delete)")
	case n.suggests:
		parts = append(parts, "(suggestion)")
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// clean makes a note of text that came from outside fit for the notebook.
func (n note) clean() note {
	n.body, n.label, n.with = text.Clean(n.body), text.Line(n.label), text.Clean(n.with)
	return n
}

// notebook holds the notes of one review, at most one for a place, and the
// half-typed ones that are not part of it yet.
type notebook struct {
	notes    map[place]note
	drafts   map[place]note
	versions map[place]uint32               // counts what changed at a place, for caches
	removed  []note                         // for undo, the last one last
	aside    struct{ notes, drafts []note } // not part of what is shown now
	seq      int
}

func newNotebook() *notebook {
	return &notebook{notes: map[place]note{}, drafts: map[place]note{}, versions: map[place]uint32{}}
}

// set keeps a note and ends the draft at its place. An empty one removes.
func (b *notebook) set(n note) {
	if n.empty() {
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
	if before, ok := b.drafts[n.place]; ok && before.says(n) {
		return
	}
	if strings.TrimSpace(n.body) == "" && !n.suggests {
		if _, ok := b.drafts[n.place]; !ok {
			return
		}
		delete(b.drafts, n.place)
	} else {
		b.drafts[n.place] = n
	}
	b.versions[n.place]++
}

// at is the note that an edit at a place goes on with: what is half-typed there,
// else the note.
func (b *notebook) at(p place) note {
	n, ok := b.drafts[p]
	if !ok {
		n = b.notes[p]
	}
	n.place = p
	return n
}

// move gives every note on a line of the new text the kind that op says the line
// has now: another comparison shows the same line as another kind.
func (b *notebook) move(op func(line int) (byte, bool)) {
	for _, notes := range []map[place]note{b.notes, b.drafts} {
		for p, n := range notes {
			if p.line == 0 || p.op == opRemoved {
				continue
			}
			if now, ok := op(p.line); ok && now != p.op {
				delete(notes, p)
				n.op = now
				notes[n.place] = n
				b.versions[n.place]++
			}
		}
	}
}

// setAside keeps notes off the screen that are about lines which are not shown:
// all of them, or those on removed lines. They stay part of the review.
func (b *notebook) setAside(all, removed bool) {
	for _, x := range []struct {
		notes map[place]note
		aside *[]note
	}{{b.notes, &b.aside.notes}, {b.drafts, &b.aside.drafts}} {
		for _, n := range *x.aside {
			x.notes[n.place] = n
			b.versions[n.place]++
		}
		*x.aside = nil
		for p, n := range x.notes {
			if all || removed && p.op == opRemoved {
				*x.aside = append(*x.aside, n)
				delete(x.notes, p)
				b.versions[p]++
			}
		}
	}
}

// count is how many notes there are, those set aside included.
func (b *notebook) count() int { return len(b.notes) + len(b.aside.notes) }

// half is how many half-typed ones there are.
func (b *notebook) half() int { return len(b.drafts) + len(b.aside.drafts) }

func (b *notebook) sorted() []note       { return inOrder(b.notes, b.aside.notes) }
func (b *notebook) sortedDrafts() []note { return inOrder(b.drafts, b.aside.drafts) }

func inOrder(notes map[place]note, aside []note) []note {
	out := append(make([]note, 0, len(notes)+len(aside)), aside...)
	for _, n := range notes {
		out = append(out, n)
	}
	slices.SortFunc(out, func(x, y note) int {
		return cmp.Or(cmp.Compare(x.line, y.line), cmp.Compare(x.seq, y.seq), cmp.Compare(x.op, y.op))
	})
	return out
}

// records are notes in the shape they are handed over in.
func records(path string, notes []note) []record.Record {
	var out []record.Record
	for _, n := range notes {
		r := record.Record{Path: path, Line: n.line, End: n.end, Type: n.op, Body: n.remark().Body()}
		if n.line == 0 {
			r.Type, r.End = 0, 0
		}
		out = append(out, r)
	}
	return out
}

func (b *notebook) format(path string) []byte {
	records := records(path, b.sorted())
	if len(records) == 0 {
		return nil
	}
	return record.Format(records)
}

// output is what is handed over: the notes as the comparison has them that the
// review began with.
func (m *Model) output() []byte {
	home, notes := m.home(), m.notes.sorted()
	for i := range notes {
		if op, ok := home.opAt(notes[i].line); ok && notes[i].op != opRemoved {
			notes[i].op = op
		}
	}
	if len(notes) == 0 {
		return nil
	}
	return record.Format(records(home.key, notes))
}
