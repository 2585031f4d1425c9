package reviewer

import (
	"fmt"
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/revdiff/compare"
)

const (
	// searchNow is the text up to which a search looks through all of it before
	// the next frame; a longer one is searched in the background.
	searchNow = 1 << 20

	maxHistory = 100
)

// remember puts a query at the end of the history.
func (s *search) remember(query string) {
	if query == "" {
		return
	}
	s.history = append(slices.DeleteFunc(s.history, func(q string) bool { return q == query }), query)
	if len(s.history) > maxHistory {
		s.history = s.history[1:]
	}
}

// recall puts an older or newer query into the prompt; what was typed is the
// newest.
func (s *search) recall(by int) {
	if s.at == len(s.history) {
		s.typed = s.input.Value()
	}
	s.at = max(min(s.at+by, len(s.history)), 0)
	value := s.typed
	if s.at < len(s.history) {
		value = s.history[s.at]
	}
	s.input.SetValue(value)
	s.input.CursorEnd()
}

// matchesMsg is the answer of a search in the background.
type matchesMsg struct {
	version int
	found   []int32
}

// startSearch finds all matches and goes to the next one.
func (m *Model) startSearch() tea.Cmd {
	if m.search.query == "" {
		return nil
	}
	find := m.finder()
	size := m.subject.new.bytes
	if m.subject.compare {
		size += m.subject.old.bytes
	}
	if size > searchNow {
		m.message = "searching" + m.theme.Glyphs.Ellipsis
		return func() tea.Msg { return find() }
	}
	m.matched(find())
	return nil
}

// finder looks through the whole text. It uses nothing of the model that may
// change, so it can run beside it.
func (m *Model) finder() func() matchesMsg {
	s, version := m.subject, m.search.version
	query := search{query: m.search.query, exact: m.search.exact}
	return func() matchesMsg {
		var found []int32
		for i, e := range s.edits {
			if line, _ := s.line(i); query.found(line) && !shownElsewhere(e) {
				found = append(found, int32(i))
			}
		}
		return matchesMsg{version, found}
	}
}

// shownElsewhere says that the text of a removed line stands in the new text, too.
func shownElsewhere(e compare.Edit) bool { return e.Op == opRemoved && (e.Twin > 0 || e.Rewrapped) }

// matched takes the matches of the query, unless another was asked since, and
// goes to the first one from the cursor on.
func (m *Model) matched(msg matchesMsg) {
	if msg.version != m.search.version {
		return
	}
	m.search.hits, m.search.counted = msg.found, true
	at := m.cursorEdit()
	k := sort.Search(len(msg.found), func(i int) bool { return int(msg.found[i]) >= at })
	m.showMatch(k, false)
}

// toMatch moves to the next or previous match, around the end if need be;
// without a search it moves by headings.
func (m *Model) toMatch(by int) {
	hits := m.search.hits
	switch {
	case m.search.query == "":
		m.toHeading(by)
		return
	case !m.search.counted:
		m.message = "still searching" + m.theme.Glyphs.Ellipsis
		return
	}
	at := m.cursorEdit()
	k := sort.Search(len(hits), func(i int) bool { return int(hits[i]) > at })
	if by < 0 {
		k = sort.Search(len(hits), func(i int) bool { return int(hits[i]) >= at }) - 1
	}
	if m.list.Selected() == m.search.item { // several may be shown by one item
		k = m.search.current + by
	}
	m.showMatch(k, k < 0 || k >= len(hits))
}

// showMatch goes to a match, counted around the ends, and says which it is.
func (m *Model) showMatch(k int, around bool) {
	n := len(m.search.hits)
	if n == 0 {
		m.message = "not found: " + text.Line(m.search.query)
		return
	}
	around = around || k >= n
	k = (k%n + n) % n
	m.reveal(m.subject.placeOf(int(m.search.hits[k])))
	m.search.current, m.search.item = k, m.list.Selected()
	m.message = fmt.Sprintf("match %d/%d", k+1, n)
	if around {
		m.message += ", search went around"
	}
}
