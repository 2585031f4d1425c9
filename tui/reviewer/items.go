package reviewer

// item is one entry of the list: an edit, the notes on the whole file, or a gap
// of lines that are not shown.
type item struct {
	edit int // index, or one of the negative kinds
	rest int // for a gap: how many lines it stands for; for a move: its index
	left int // beside each other: the edit of the older line plus one, or 0
}

const (
	itemWhole   = -1 // the note on the whole file
	itemGap     = -2 // unchanged lines left out
	itemRemoved = -3 // removed lines left out
	itemEmpty   = -4 // the sentence that stands for an empty file or comparison
	itemAway    = -5 // lines that were moved from here
	itemHere    = -6 // the sentence above lines that were moved to here
)

// layItems makes the list from what is to be shown. It runs when a key changes
// the view or the note on the whole file comes or goes, not for a frame.
func (m *Model) layItems() {
	s := m.subject
	m.items = m.items[:0]
	if m.hasWhole() {
		m.items = append(m.items, item{edit: itemWhole})
	}
	if len(s.edits) == 0 || s.sameText() != "" {
		m.items = append(m.items, item{edit: itemEmpty})
	}
	if m.look.compact && s.compare {
		m.layChanges()
	} else {
		m.appendEdits(0, len(s.edits))
	}
	m.findItems()
}

// layChanges lists the changes with some lines around them.
func (m *Model) layChanges() {
	s := m.subject
	at, around := 0, m.opts.CompactContext
	for _, h := range s.hunks {
		if m.calm(h.first) && m.calm(h.end-1) {
			continue // only wrapped anew
		}
		m.appendGap(at, h.first-around)
		from := max(at, h.first-around)
		at = min(h.end+around, len(s.edits))
		m.appendEdits(max(from, 0), at)
	}
	m.appendGap(at, len(s.edits))
}

// findItems notes which item shows each edit, or comes next after it.
func (m *Model) findItems() {
	m.shownAt = append(m.shownAt[:0], make([]int32, len(m.subject.edits))...)
	for i, it := range m.items {
		if it.edit >= 0 {
			m.shownAt[it.edit] = int32(i + 1)
		}
		if it.left > 0 {
			m.shownAt[it.left-1] = int32(i + 1)
		}
	}
	next := int32(len(m.items))
	for k := len(m.shownAt) - 1; k >= 0; k-- {
		if m.shownAt[k] == 0 {
			m.shownAt[k] = next
		}
		next = m.shownAt[k]
	}
}

// appendGap stands for the edits between from and to, if there are any.
func (m *Model) appendGap(from, to int) {
	if to > from {
		lines := 0
		for _, e := range m.subject.edits[max(from, 0):to] {
			if e.Op != opRemoved {
				lines++
			}
		}
		m.items = append(m.items, item{edit: itemGap, rest: lines})
	}
}

func (m *Model) appendEdits(from, to int) {
	if m.sided {
		m.appendSides(from, to)
		return
	}
	hidden := 0
	for i := from; i < to; i++ {
		e := m.subject.edits[i]
		if m.look.collapsed && e.Op == opRemoved {
			if !m.calm(i) {
				hidden++
			}
			continue
		}
		if hidden > 0 && e.Op == opSame {
			m.items = append(m.items, item{edit: itemRemoved, rest: hidden})
		}
		hidden = 0
		if e.Op == opRemoved && e.Rewrapped && m.smart() {
			continue // it stands in the new text, line ends apart
		}
		if next := m.appendMove(i, to); next > i {
			i = next - 1
			continue
		}
		m.items = append(m.items, item{edit: i})
	}
	if hidden > 0 {
		m.items = append(m.items, item{edit: itemRemoved, rest: hidden})
	}
}

var wholeFile = place{0, opSame}

func (m *Model) hasWhole() bool {
	_, noted := m.notes.notes[wholeFile]
	_, typed := m.notes.drafts[wholeFile]
	return noted || typed || m.hasEarlierOnTop()
}

// placeAt is what a note on an item is about.
func (m *Model) placeAt(i int) (place, bool) {
	if i < 0 || i >= len(m.items) {
		return place{}, false
	}
	switch e := m.items[i].edit; {
	case e >= 0:
		return m.subject.placeOf(e), true
	case e == itemWhole:
		return wholeFile, true
	}
	return place{}, false
}

// step is the next item that can be selected from i in a direction, or i when
// there is none.
func (m *Model) step(i, by int) int {
	for k := i + by; k >= 0 && k < len(m.items); k += by {
		if _, ok := m.placeAt(k); ok && !m.hidden(k) {
			return k
		}
	}
	return i
}

// hidden says that an item has no row of its own now: its text is drawn by the
// item before it, and there is no note on it.
func (m *Model) hidden(i int) bool {
	e := m.items[i].edit
	if e < 0 || m.width == 0 || !m.folded(e) && (m.sided || m.subject.edits[e].Op != opRemoved || !m.kept(e)) {
		return false
	}
	p := m.subject.placeOf(e)
	return !m.noted(p)
}

// owner is the item that draws an item's text.
func (m *Model) owner(i int) int {
	for k := i; k >= 0; k-- {
		if _, ok := m.placeAt(k); ok && !m.hidden(k) {
			return k
		}
	}
	return i
}

// covered is the last of the lines whose text stands on the rows of an item, when
// short lines of a paragraph were joined there; else 0.
func (m *Model) covered(i int, p place) int {
	e := m.items[i].edit
	if e < 0 || !m.rendered() || m.width == 0 {
		return 0
	}
	last := e
	for last+1 < len(m.subject.edits) && m.folded(last+1) && m.subject.newInfo[last+1].kind != kindUnderline {
		last++
	}
	if last == e {
		return 0
	}
	return p.line + last - e
}

// itemOf finds the item that shows an edit, or the nearest one after it.
func (m *Model) itemOf(edit int) (int, bool) {
	if edit < 0 || edit >= len(m.shownAt) || len(m.items) == 0 {
		return len(m.items) - 1, false
	}
	i := min(int(m.shownAt[edit])-1, len(m.items)-1)
	return i, m.items[i].edit == edit || m.items[i].left == edit+1
}

// relay makes the list anew and keeps the cursor on the line it was on, at the
// row of the screen it was on.
func (m *Model) relay() { m.change(func() {}) }

// change changes the view. Where the cursor is has to be known before, since the
// old items cannot be drawn in the new view.
func (m *Model) change(view func()) {
	was, hadPlace := m.placeAt(m.list.Selected())
	row := m.cursorRow()
	view()
	m.rangeFrom = -1
	m.layItems()
	i := 0
	if hadPlace && was != wholeFile {
		edit, _ := m.subject.find(was)
		i, _ = m.itemOf(edit)
	}
	if _, ok := m.placeAt(i); !ok {
		if i = m.step(i, 1); m.noPlace(i) {
			i = m.step(i, -1)
		}
	}
	i = m.owner(i)
	m.list.ScrollTo(i, 0)
	m.list.ScrollBy(-row)
	m.list.Select(i)
}

func (m *Model) noPlace(i int) bool {
	_, ok := m.placeAt(i)
	return !ok
}

// cursorRow is the row of the window that the cursor is on.
func (m *Model) cursorRow() int {
	for row := range m.bodyHeight() {
		if i, _, ok := m.list.At(row); ok && i == m.list.Selected() {
			return row
		}
	}
	return 0
}

// reveal puts the cursor on a place, showing what the view left out if need be.
func (m *Model) reveal(p place) {
	if p == wholeFile {
		m.list.Select(max(m.step(-1, 1), 0))
		return
	}
	edit, ok := m.subject.find(p)
	if !ok {
		return
	}
	i, shown := m.itemOf(edit)
	if !shown {
		m.change(func() {
			m.look.collapsed, m.look.compact = false, false
			m.look.raw = m.look.raw || m.subject.edits[edit].Twin > 0
		})
		i, _ = m.itemOf(edit)
	}
	m.center(i)
}

// center selects an item and, when it was out of sight, shows it with some
// lines before it.
func (m *Model) center(i int) {
	i = m.owner(i)
	first, last := m.list.Visible()
	if i <= first || i >= last {
		m.list.ScrollTo(i, 0)
		m.list.ScrollBy(-m.bodyHeight() / 3)
	}
	m.list.Select(i)
}
