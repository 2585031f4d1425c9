package reviewer

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/revdiff/brief"
	"planmode/revdiff/compare"
)

// away is what waits while another comparison than the first is shown.
type away struct {
	home    *subject
	foreign bool // the newer side is not the text under review, so no notes go there
	edit    bool // it is the person's own edit
}

// sizesMsg says how much every revision changed since the one before it.
type sizesMsg struct{ sizes map[int]string }

// openRevisions lists the revisions of the plan to compare.
func (m *Model) openRevisions() tea.Cmd {
	if m.brief == nil || len(m.brief.Revisions) < 2 {
		m.message = "there is no other revision to compare with"
		return nil
	}
	m.showRevisions(0)
	m.page.sel = max(m.indexOf(m.brief.Base), 0)
	return m.measure()
}

// showRevisions opens the list. from is the revision marked as the other side, 0
// for the one under review.
func (m *Model) showRevisions(from int) {
	other := from
	if from == 0 {
		other = m.brief.Ref.Revision
	}
	p := &page{title: fmt.Sprintf("Compare r%d with", other), rows: m.revisionRows(from), hint: "Enter compare  m mark for another pair  w whole text  Esc back"}
	p.choose = func(i int) tea.Cmd { return m.compareTwo(m.brief.Revisions[i].Revision, other) }
	p.act = func(name string) (tea.Cmd, bool) {
		at := m.brief.Revisions[p.sel].Revision
		switch name {
		case "m":
			m.showRevisions(at)
			m.page.sel = p.sel
			return nil, true
		case "w":
			m.page = nil
			return m.compareTwo(at, at), true
		}
		return nil, false
	}
	m.page = p
}

func (m *Model) revisionRows(from int) []string {
	rows := make([]string, len(m.brief.Revisions))
	for i, r := range m.brief.Revisions {
		parts := []string{fmt.Sprintf("r%d  %s", r.Revision, r.At.Local().Format("2006-01-02 15:04")), strings.ReplaceAll(string(r.Status), "_", " "), "by " + string(r.Author)}
		if size := m.revisionSizes[r.Revision]; size != "" {
			parts = append(parts, size)
		}
		switch {
		case r.Revision == m.brief.Ref.Revision:
			parts = append(parts, "under review")
		case r.Revision == m.brief.Base:
			parts = append(parts, "you looked at it last")
		case !r.Looked:
			parts = append(parts, "not reviewed")
		}
		if r.Revision == from {
			parts = append(parts, "marked")
		}
		rows[i] = text.Line(m.theme.Signs(strings.Join(parts, " · ")))
	}
	return rows
}

func (m *Model) indexOf(revision int) int {
	for i, r := range m.brief.Revisions {
		if r.Revision == revision {
			return i
		}
	}
	return -1
}

// measure counts the changes between the revisions away from the loop.
func (m *Model) measure() tea.Cmd {
	if m.revisionSizes != nil {
		return nil
	}
	all := m.brief.Revisions
	return func() tea.Msg {
		sizes := map[int]string{}
		var before *textFile
		for _, r := range all {
			now, err := loadRevision(r)
			if err != nil {
				sizes[r.Revision], before = "cannot be read", nil
				continue
			}
			if before != nil {
				size := compare.Count(compare.Text(before.lines, now.lines).Edits)
				sizes[r.Revision] = fmt.Sprintf("+%d -%d", size.Added, size.Removed)
			} else {
				sizes[r.Revision] = text.Count(len(now.lines), "line")
			}
			before = now
		}
		return sizesMsg{sizes}
	}
}

func (m *Model) sized(msg sizesMsg) {
	m.revisionSizes = msg.sizes
	if p := m.page; p != nil && strings.HasPrefix(p.title, "Compare r") {
		sel := p.sel
		m.showRevisions(0)
		m.page.sel = sel
	}
}

// loadRevision reads a revision and holds it to its hash.
func loadRevision(r brief.Revision) (*textFile, error) {
	f, err := load(r.Path)
	if err != nil {
		return nil, err
	}
	if "sha256:"+f.hash != string(r.Hash) {
		return nil, fmt.Errorf("r%d is not what the plan's record says it is", r.Revision)
	}
	return f, nil
}

// compareTwo shows the changes between two revisions, the older one first; the
// whole text when they are the same.
func (m *Model) compareTwo(a, b int) tea.Cmd {
	m.page = nil
	older, newer := min(a, b), max(a, b)
	home := m.home()
	if older == m.brief.Base && newer == m.brief.Ref.Revision && home.compare || older == newer && newer == m.brief.Ref.Revision && !home.compare {
		return m.goHome()
	}
	s, err := m.subjectOf(older, newer)
	if err != nil {
		m.message = text.Line("not compared: " + err.Error())
		return nil
	}
	m.away = &away{home: home, foreign: newer != m.brief.Ref.Revision}
	cmd := m.show(s)
	if m.message = fmt.Sprintf("r%d → r%d; R chooses others", older, newer); older == newer {
		m.message = fmt.Sprintf("all of r%d; R chooses others", newer)
	}
	if m.away.foreign {
		m.message += fmt.Sprintf(", notes are written on r%d", m.brief.Ref.Revision)
	}
	m.message = m.theme.Signs(m.message)
	return cmd
}

func (m *Model) subjectOf(older, newer int) (*subject, error) {
	path := func(revision int) (*textFile, string, error) {
		i := m.indexOf(revision)
		if i < 0 {
			return nil, "", fmt.Errorf("there is no r%d", revision)
		}
		f, err := loadRevision(m.brief.Revisions[i])
		return f, m.brief.Revisions[i].Path, err
	}
	_, oldPath, err := path(older)
	if err != nil {
		return nil, err
	}
	_, newPath, err := path(newer)
	if err != nil {
		return nil, err
	}
	if older == newer {
		return newSubject(Options{Only: newPath})
	}
	return newSubject(Options{Old: oldPath, New: newPath})
}

// home is the comparison that the review began with, and that notes belong to.
func (m *Model) home() *subject {
	if m.away != nil {
		return m.away.home
	}
	return m.subject
}

// goHome shows the first comparison again.
func (m *Model) goHome() tea.Cmd {
	home := m.home()
	m.away = nil
	return m.show(home)
}

// show puts another subject on the screen. The notes stay those of the text under
// review: on another text none is drawn.
func (m *Model) show(s *subject) tea.Cmd {
	line := 0
	if p, ok := m.placeAt(m.list.Selected()); ok && p.op != opRemoved {
		line = p.line
	}
	m.subject = s
	m.rangeFrom = -1
	m.search.clear()
	m.notes.setAside(m.away != nil && m.away.foreign, m.away != nil)
	m.notes.move(s.opAt)
	m.past.notes, m.past.byLine = nil, nil
	m.freshList()
	m.layItems()
	m.list.Select(max(m.step(-1, 1), 0))
	m.layout()
	if op, ok := s.opAt(line); ok {
		m.reveal(place{line, op})
	}
	return m.locatePast()
}

// whereNotesGo keeps an action that writes notes to the text they are for.
func whereNotesGo(act func(*Model) tea.Cmd) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		switch p, _ := m.placeAt(m.list.Selected()); {
		case m.away == nil:
		case m.away.edit:
			m.message = "this is your edit; Esc leads back to where notes are written"
			return nil
		case m.away.foreign:
			m.message = fmt.Sprintf("notes are written on r%d; R leads back to it", m.brief.Ref.Revision)
			return nil
		case p.op == opRemoved:
			m.message = "a note on a removed line belongs to the first comparison; R leads back to it"
			return nil
		}
		return act(m)
	}
}
