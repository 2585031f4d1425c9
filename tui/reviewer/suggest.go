package reviewer

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
)

// annotateSection opens the note on the section that the cursor is in: its
// heading and all below it.
func (m *Model) annotateSection() tea.Cmd {
	t, ok := m.sectionTarget()
	if !ok {
		m.message = "there is no heading above this line; A writes a note on the whole file"
		return nil
	}
	m.rangeFrom = -1
	m.reveal(t.place)
	return m.open(t)
}

// sectionTarget is the section around the cursor: from the nearest heading above
// to the next one of its level or higher.
func (m *Model) sectionTarget() (target, bool) {
	p, ok := m.placeAt(m.list.Selected())
	if !ok || p.op == opRemoved || p.line == 0 {
		return target{}, false
	}
	s := m.subject
	h := s.headingAt(p.line)
	if h < 0 {
		return target{}, false
	}
	end := len(s.new.lines)
	for _, next := range s.headings[h+1:] {
		if next.level <= s.headings[h].level {
			end = next.line - 1
			break
		}
	}
	for end > s.headings[h].line && strings.TrimSpace(s.new.lines[end-1]) == "" {
		end--
	}
	t := target{place: s.placeOf(int(s.at[opAdded][s.headings[h].line]))}
	if end > t.line {
		t.end = end
	}
	return t, true
}

// lines is the text that a target is about, and whether it is part of the text
// under review.
func (m *Model) lines(t target) (string, bool) {
	if t.line < 1 || t.op == opRemoved || t.line > len(m.subject.new.lines) {
		return "", false
	}
	last := min(max(t.line, t.end), len(m.subject.new.lines))
	return strings.Join(m.subject.new.lines[t.line-1:last], "\n"), true
}

// suggest opens the lines of the selection for editing: what they become is a
// suggestion.
func (m *Model) suggest() tea.Cmd {
	t, ok := m.selection()
	was, ok2 := m.lines(t)
	switch {
	case !ok || !ok2:
		m.message = "a suggestion is about lines of the new text; go to one first"
		return nil
	case len(was) > maxTyped:
		m.message = "that is too much to edit here; select fewer lines"
		return nil
	}
	n := m.begin(&t)
	b := &noteBox{target: t, rest: n, suggests: true}
	value := was
	if n.suggests {
		value = n.with
	}
	m.openBox(b, value)
	if !n.suggests {
		b.was = b.Value()
	}
	return nil
}

// suggestDeletion suggests to delete the lines of the selection.
func (m *Model) suggestDeletion() tea.Cmd {
	t, ok := m.selection()
	if _, ok2 := m.lines(t); !ok || !ok2 {
		m.message = "a suggestion is about lines of the new text; go to one first"
		return nil
	}
	n := m.begin(&t)
	n.suggests, n.with = true, ""
	m.message = "suggested to delete " + t.String() + "; a adds why, d takes it back"
	said := m.message
	cmd := m.keep(n)
	m.message = said
	return cmd
}

// maxLabels is how many labels have a digit.
const maxLabels = 9

// labelLine gives the note on the selection a label, or opens a note with it. The
// same label once more takes it away.
func (m *Model) labelLine(i int) tea.Cmd {
	if i >= len(m.labels) {
		m.message = "there are " + text.Count(len(m.labels), "quick label") + "; l lists them"
		return nil
	}
	t, ok := m.selection()
	if !ok {
		m.message = "there is no line here"
		return nil
	}
	n := m.begin(&t)
	fresh := n.empty()
	if n.label == m.labels[i] {
		n.label = ""
	} else {
		n.label = m.labels[i]
	}
	if _, typed := m.notes.drafts[t.place]; fresh || typed {
		m.openBox(&noteBox{target: t, rest: n}, n.body)
		return m.save()
	}
	return m.keep(n)
}

// nextLabel goes through the labels and none.
func (m *Model) nextLabel() {
	for i, l := range m.labels {
		if l == m.box.rest.label {
			m.box.rest.label = append(m.labels, "")[i+1]
			return
		}
	}
	if len(m.labels) > 0 {
		m.box.rest.label = m.labels[0]
	}
}

// openLabels lists the labels to choose from.
func (m *Model) openLabels() {
	if len(m.labels) == 0 {
		m.message = "no quick labels are set (config: reviewerLabels)"
		return
	}
	rows := make([]string, len(m.labels))
	for i, l := range m.labels {
		rows[i] = "[" + text.Line(l) + "]"
	}
	m.page = &page{title: "Quick labels", rows: rows, hint: "Enter label this line  Esc back",
		digits: true, choose: func(i int) tea.Cmd { return m.labelLine(i) }}
}
