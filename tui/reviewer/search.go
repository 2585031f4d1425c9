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

	history []string // what was searched for, the last one last
	at      int      // which of them is in the prompt; len(history) for what is typed
	typed   string

	hits    []int32 // the edits that hold the query
	counted bool    // hits are complete
	current int     // the hit that was gone to
	item    int     // and where it was shown
}

func (m *Model) openSearch() tea.Cmd {
	in := textinput.New()
	in.Prompt, in.CharLimit = "/", 200
	in.SetVirtualCursor(false)
	in.KeyMap.Paste.SetEnabled(false)
	in.SetWidth(max(m.width-2, 1))
	m.search.input, m.search.typing = in, true
	m.search.at, m.search.typed = len(m.search.history), ""
	return m.search.input.Focus()
}

func (m *Model) searchKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		m.search.typing = false
		m.search.remember(m.search.input.Value())
		m.search.set(m.search.input.Value())
		return m.startSearch()
	case "esc":
		m.search.typing = false
		m.search.clear()
		return nil
	case "up", "ctrl+p":
		m.search.recall(-1)
		return nil
	case "down", "ctrl+n":
		m.search.recall(1)
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
	s.hits, s.counted, s.item = nil, false, -1
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
