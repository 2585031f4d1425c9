package reviewer

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
)

// search is the prompt and what was searched for. A query without capitals
// ignores case.
type search struct {
	typing  bool
	input   textinput.Model
	query   string
	exact   bool
	version int // changes with the query, for caches
}

func (m *Model) openSearch() tea.Cmd {
	in := textinput.New()
	in.Prompt, in.CharLimit = "/", 200
	in.SetVirtualCursor(false)
	in.KeyMap.Paste.SetEnabled(false)
	in.SetWidth(max(m.width-2, 1))
	m.search.input, m.search.typing = in, true
	return m.search.input.Focus()
}

func (m *Model) searchKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		m.search.typing = false
		m.search.set(m.search.input.Value())
		m.toMatch(1)
		return nil
	case "esc":
		m.search.typing = false
		m.search.clear()
		return nil
	case "up":
		m.search.input.SetValue(m.search.query)
		m.search.input.CursorEnd()
		return nil
	}
	var cmd tea.Cmd
	m.search.input, cmd = m.search.input.Update(msg)
	return cmd
}

func (s *search) paste(content string) {
	s.input.SetValue(s.input.Value() + text.Line(content))
	s.input.CursorEnd()
}

func (s *search) clear() { s.set("") }

func (s *search) set(query string) {
	if query == s.query {
		return
	}
	s.query, s.exact = query, strings.ToLower(query) != query
	s.version++
}

// spans are the places of the query in a text. Where lower case has another
// length than the text, places cannot be told and there are none.
func (s *search) spans(in string) []span {
	if s.query == "" {
		return nil
	}
	if !s.exact {
		lower := strings.ToLower(in)
		if len(lower) != len(in) {
			return nil
		}
		in = lower
	}
	var out []span
	for at := 0; ; {
		n := strings.Index(in[at:], s.query)
		if n < 0 {
			return out
		}
		out = append(out, span{Start: at + n, End: at + n + len(s.query)})
		at += n + len(s.query)
	}
}

// found looks in the source, so that text whose marks are not drawn is found as
// it is written.
func (s *search) found(line string) bool {
	if s.exact {
		return strings.Contains(line, s.query)
	}
	return strings.Contains(strings.ToLower(line), s.query)
}

// toMatch moves to the next or previous match, around the end if need be;
// without a search it moves by headings.
func (m *Model) toMatch(by int) {
	if m.search.query == "" {
		m.toHeading(by)
		return
	}
	at := m.list.Selected()
	for k := range len(m.items) {
		i := at + by*(k+1)
		i = (i%len(m.items) + len(m.items)) % len(m.items)
		if e := m.items[i].edit; e >= 0 {
			if line, _ := m.subject.line(e); m.search.found(line) {
				if (i-at)*by <= 0 {
					m.message = "search went around"
				}
				m.center(i)
				return
			}
		}
	}
	m.message = "not found: " + text.Line(m.search.query)
}

func (m *Model) toHeading(by int) {
	s := m.subject
	edit := m.cursorEdit()
	line := s.newLine(edit)
	k := s.headingAt(line)
	switch {
	case by > 0:
		k++
	case k >= 0 && s.headings[k].line == line && s.edits[edit].Op != opRemoved:
		k--
	}
	if k < 0 || k >= len(s.headings) {
		m.message = "no further heading"
		return
	}
	m.toLine(s.headings[k].line)
}

// toLine moves to a line of the new file.
func (m *Model) toLine(line int) {
	edit := int(m.subject.at[opAdded][line])
	m.reveal(m.subject.placeOf(edit))
}

// cursorEdit is the edit that the cursor is on or before.
func (m *Model) cursorEdit() int {
	return min(m.firstEditFrom(max(m.list.Selected(), 0)), max(len(m.subject.edits)-1, 0))
}

func (m *Model) firstEditFrom(i int) int {
	for ; i < len(m.items); i++ {
		if e := m.items[i].edit; e >= 0 {
			return e
		}
	}
	return len(m.subject.edits)
}
