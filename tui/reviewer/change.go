package reviewer

import (
	"fmt"
	"sort"
	"strings"

	"planmode/plan/text"
	"planmode/revdiff/compare"
)

// smart says that the comparison is shown by what it means: moved and rewrapped
// lines as such. The source view shows the bare lines that differ.
func (m *Model) smart() bool { return m.subject.compare && !m.look.raw }

// calm says that nothing a person has to read happened to an edit: it is the
// same, it was moved, or it was only wrapped anew.
func (m *Model) calm(edit int) bool {
	e := m.subject.edits[edit]
	return e.Op == opSame || m.smart() && (e.Twin > 0 || e.Rewrapped)
}

// kept says that an edit is a line of a changed paragraph none of whose own words
// changed.
func (m *Model) kept(edit int) bool {
	e := m.subject.edits[edit]
	if e.Op == opSame || !m.smart() || e.Twin > 0 {
		return false
	}
	return e.Rewrapped || m.subject.kept(edit)
}

// maxKept is how many removed lines of one change may be left out because they
// only moved their line ends. They stay in the list without a row, which has to
// be passed over.
const maxKept = 400

// op is what the line of an edit is drawn as.
func (m *Model) op(edit int) byte {
	if m.calm(edit) || m.kept(edit) {
		return opSame
	}
	return m.subject.edits[edit].Op
}

// calmSign is the mark of a line that is drawn as unchanged.
func (m *Model) calmSign(edit int) string {
	e := m.subject.edits[edit]
	switch {
	case e.Op == opSame:
		return " "
	case e.Twin > 0 && m.theme.ASCII:
		return ">"
	case e.Twin > 0:
		return "»"
	case m.theme.ASCII:
		return "="
	}
	return "≈"
}

// startsRewrap says that the word for it is due behind a line: it is the first
// of those that were only wrapped anew.
func (m *Model) startsRewrap(edit int) bool {
	e := m.subject.edits[edit]
	return e.Op == opAdded && e.Rewrapped && m.smart() && (edit == 0 || m.subject.edits[edit-1].Op == opRemoved)
}

// marksOf compares the words of the change that an edit is part of, once.
func (s *subject) marksOf(edit int) (*compare.Change, hunk, bool) {
	n := s.hunkAt(edit)
	if n < 0 {
		return nil, hunk{}, false
	}
	h := s.hunks[n]
	marks, ok := s.marks[n]
	if !ok {
		marks = compare.Prose(s.drawn(h.first, h.middle), s.drawn(h.middle, h.end))
		s.marks[n] = marks
	}
	return marks, h, true
}

// drawn are lines as they are drawn, so that places in them are places on the
// screen. Moved lines are compared with no others.
func (s *subject) drawn(from, to int) []compare.Line {
	out := make([]compare.Line, 0, to-from)
	for k := from; k < to; k++ {
		e := s.edits[k]
		line, _ := s.line(k)
		joins := s.compared.JoinsNew
		at := e.New
		if e.Op == opRemoved {
			joins, at = s.compared.JoinsOld, e.Old
		}
		l := compare.Line{Text: drawable(line), Joins: joins[at-1]}
		if e.Twin > 0 {
			l = compare.Line{}
		}
		out = append(out, l)
	}
	return out
}

// changed are the words of an edit that its counterpart does not have, as ranges
// of the drawable line.
func (s *subject) changed(edit int) []span {
	marks, h, ok := s.marksOf(edit)
	switch {
	case !ok:
		return nil
	case edit < h.middle:
		spans, _ := marks.Old(edit - h.first)
		return spans
	}
	spans, _ := marks.New(edit - h.middle)
	return spans
}

func (s *subject) kept(edit int) bool {
	marks, h, ok := s.marksOf(edit)
	switch {
	case !ok:
		return false
	case edit < h.middle && h.middle-h.first > maxKept:
		return false
	case edit < h.middle:
		_, kept := marks.Old(edit - h.first)
		return kept
	}
	_, kept := marks.New(edit - h.middle)
	return kept
}

// sizes says how much changed.
func (m *Model) sizes(s compare.Size) string {
	t := m.theme
	out := " " + t.Added.Render(fmt.Sprintf("+%d", s.Added)) + " " + t.Removed.Render(fmt.Sprintf("-%d", s.Removed))
	if s.Moved > 0 {
		out += t.Muted.Render(fmt.Sprintf(" %d moved", s.Moved))
	}
	if s.Rewrapped > 0 && m.width >= 60 {
		out += t.Muted.Render(fmt.Sprintf(" %d rewrapped", s.Rewrapped))
	}
	return out
}

// appendMove lists, where lines were moved from or to, the sentence that says so,
// and returns the first edit from i on that is listed as a line.
func (m *Model) appendMove(i, to int) int {
	e := m.subject.edits[i]
	if e.Twin == 0 || !m.smart() {
		return i
	}
	if e.Op == opAdded {
		if k := m.subject.moveOf(e.Twin); k >= 0 && m.subject.compared.Moves[k].New == e.New {
			m.items = append(m.items, item{edit: itemHere, rest: k})
		}
		return i
	}
	k := m.subject.moveOf(e.Old)
	if n := len(m.items); k >= 0 && (n == 0 || m.items[n-1].edit != itemAway || m.items[n-1].rest != k) && m.subject.compared.Moves[k].Old == e.Old {
		m.items = append(m.items, item{edit: itemAway, rest: k})
	}
	for i < to && m.subject.edits[i].Op == opRemoved && m.subject.edits[i].Twin > 0 && m.subject.moveOf(m.subject.edits[i].Old) == k {
		i++
	}
	return i
}

// moveOf is the move that holds a line of the old text, or -1.
func (s *subject) moveOf(old int) int {
	k := sort.Search(len(s.compared.Moves), func(i int) bool { return s.compared.Moves[i].OldEnd >= old })
	if k < len(s.compared.Moves) && s.compared.Moves[k].Old <= old {
		return k
	}
	return -1
}

// movedRow says where lines went or where they came from.
func (m *Model) movedRow(it item, width int) []string {
	s := m.subject
	v := s.compared.Moves[it.rest]
	if s.oldHeadings == nil {
		s.oldHeadings = headingsOf(s.old.lines, s.oldInfo)
	}
	what := text.Count(v.NewEnd-v.New+1, "line")
	first := v.New
	for first < v.NewEnd && strings.TrimSpace(s.new.lines[first-1]) == "" {
		first++
	}
	if h := headingBefore(s.headings, first+1); h != nil && h.line == first {
		what = "section " + h.title
	}
	from, to := headingBefore(s.oldHeadings, v.Old), headingBefore(s.headings, v.New)
	sentence := what + " moved here from " + after(from)
	switch {
	case from != nil && to != nil && from.title == to.title && it.edit == itemAway:
		sentence = what + " moved within " + to.title
	case from != nil && to != nil && from.title == to.title:
		sentence = what + " moved here within " + to.title
	case it.edit == itemAway:
		sentence = what + " moved to " + after(to)
	}
	sign := "» "
	if m.theme.ASCII {
		sign = "> "
	}
	return []string{m.paint.row(cut([]piece{{spaces(m.gutterWidth() - 2), 0}, {sign + sentence, faceMarker | faceItalic}}, width, piece{m.theme.Glyphs.Ellipsis, faceMarker}))}
}

// headingBefore is the last heading above a line, or nil.
func headingBefore(headings []heading, line int) *heading {
	k := sort.Search(len(headings), func(i int) bool { return headings[i].line >= line })
	if k == 0 {
		return nil
	}
	return &headings[k-1]
}

func after(h *heading) string {
	if h == nil {
		return "the top"
	}
	return "after " + h.title
}

func (m *Model) toggleRaw() {
	m.change(func() { m.look.raw = !m.look.raw })
	switch {
	case m.subject.compare && m.look.raw:
		m.message = "bare lines: moved and rewrapped ones are shown as removed and added"
	default:
		m.say("source text", m.look.raw)
	}
}
