package reviewer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"planmode/plan/document"
	"planmode/plan/text"
	"planmode/revdiff/brief"
	"planmode/revdiff/record"
)

// takeUp fills the notebook before the first frame: with the draft of an earlier
// run if there is one, which is newer than anything else, else with the notes
// that the caller gave. It warns of those that cannot be shown.
func (m *Model) takeUp(loaded []record.Record) []string {
	m.saver.given = len(loaded) > 0
	var warnings []string
	if !m.restore() {
		warnings = m.preload(loaded)
	}
	m.keeper.notes = m.notes.count()
	return warnings
}

// preload takes the notes that are about this file and about lines that are
// shown, and warns of the others.
func (m *Model) preload(records []record.Record) []string {
	var warnings []string
	for _, r := range records {
		n := noteOf(r, m.isLabel)
		placed, ok := m.placed(n)
		switch {
		case r.Path != m.subject.key && filepath.Base(r.Path) != filepath.Base(m.subject.key):
			warnings = append(warnings, text.Line(fmt.Sprintf("a note on %s is left out: not the file under review", r.Path)))
		case !ok:
			warnings = append(warnings, text.Line(fmt.Sprintf("a note on %s:%d (%c) is left out: no such line", r.Path, r.Line, r.Type)))
		default:
			m.notes.set(placed)
		}
	}
	m.layItems()
	m.list.Select(max(m.step(-1, 1), 0))
	return warnings
}

// isLabel says whether a word in brackets is a label here.
func (m *Model) isLabel(label string) bool {
	return slices.Contains(m.labels, label) || slices.Contains(DefaultLabels, label)
}

// noteOf reads a note from a record.
func noteOf(r record.Record, isLabel func(string) bool) note {
	said := record.Split(text.Clean(r.Body), isLabel)
	n := note{place: place{r.Line, r.Type}, end: r.End, body: said.Text, label: said.Label, suggests: said.Suggests, with: said.Replacement}
	if r.FileLevel() {
		n.place = wholeFile
	}
	return n
}

// placed gives a note the kind that its line has in this comparison; false when
// there is no such line.
func (m *Model) placed(n note) (note, bool) {
	if n.line == 0 {
		n.place, n.end = wholeFile, 0
		return n, true
	}
	if n.op != opRemoved {
		if op, ok := m.subject.opAt(n.line); ok {
			n.op = op
			return n, true
		}
		return n, false
	}
	_, ok := m.subject.find(n.place)
	return n, ok
}

// opAt is the kind of a line of the new text.
func (s *subject) opAt(line int) (byte, bool) {
	side := s.at[opAdded]
	if line < 1 || line >= len(side) {
		return 0, false
	}
	return s.edits[side[line]].Op, true
}

// restore takes up what an earlier run could not finish, and says whether there
// was something. Notes on a text that has changed since go to where their lines
// are now; one whose lines are gone becomes part of the note on the whole file.
func (m *Model) restore() bool {
	d, ok := m.saver.restore()
	if !ok {
		return false
	}
	r := restoring{m: m}
	if d.New != m.subject.new.hash {
		r.doc = document.Parse([]byte(strings.Join(m.subject.new.lines, "\n") + "\n"))
	}
	r.foreign = m.subject.old == nil || d.Old != m.subject.old.hash
	for _, n := range d.Notes {
		r.take(n, m.notes.notes, m.notes.set)
	}
	for _, n := range d.Typed {
		r.take(n, m.notes.drafts, m.notes.stash)
	}
	m.takeMarks(d.Marks)
	m.cardTyped = d.Card
	m.layItems()
	m.list.Select(max(m.step(-1, 1), 0))
	if _, known := m.subject.opAt(d.Line); known && r.doc == nil {
		m.reveal(place{d.Line, m.subject.edits[m.subject.at[opAdded][d.Line]].Op})
	}
	if r.taken > 0 {
		m.message = text.Count(r.taken, "note") + " of an unfinished review taken up again"
	}
	if r.lost > 0 {
		m.message += fmt.Sprintf("; the lines of %d are gone, see the note on the whole file", r.lost)
	}
	return true
}

// restoring puts the notes of a draft back.
type restoring struct {
	m           *Model
	doc         *document.Document // the text now, if it is not the one the draft is about
	foreign     bool               // the draft was compared with another text
	taken, lost int
}

func (r *restoring) take(saved brief.Note, there map[place]note, put func(note)) {
	n := note{place: place{saved.Line, saved.Type[0]}, end: saved.End, body: saved.Body, label: saved.Label,
		suggests: saved.Suggests(), with: saved.Replacement}.clean()
	ok := n.op != opRemoved || !r.foreign
	if ok && n.line > 0 && n.op != opRemoved && r.doc != nil {
		height := max(n.end-n.line, 0)
		n.line, _ = document.Reanchor(saved.Annotation, r.doc)
		if ok = n.line > 0; ok && n.end > 0 {
			n.end = min(n.line+height, len(r.m.subject.new.lines))
		}
	}
	if ok {
		n, ok = r.m.placed(n)
	}
	r.taken++
	if !ok {
		r.lost++
		r.adrift(n, saved.Quote)
		return
	}
	if before, taken := there[n.place]; taken { // two lines became one, which has one note
		before.body = strings.TrimSpace(before.body + "\n\n" + n.summary())
		n = before
	}
	put(n)
}

// adrift keeps a note that has no line any more in the note on the whole file.
func (r *restoring) adrift(n note, quote string) {
	said := n.remark().Body()
	if quote = text.Line(quote); quote != "" {
		said = fmt.Sprintf("On %q: %s", text.Truncate(quote, 60), said)
	}
	whole := r.m.notes.notes[wholeFile]
	whole.place = wholeFile
	if whole.body != "" {
		whole.body += "\n\n"
	}
	whole.body += said
	r.m.notes.set(whole)
}
