package reviewer

import (
	"fmt"
	"strconv"
	"strings"

	"planmode/plan/text"
	"planmode/tui/rows"
)

// Len implements rows.Source.
func (m *Model) Len() int { return len(m.items) }

// Key names all that the drawing of an item depends on, besides width and theme.
func (m *Model) Key(i int) rows.Key {
	it := m.items[i]
	k := rows.Key{ID: strconv.Itoa(it.edit) + "/" + strconv.Itoa(it.rest) + "/" + strconv.Itoa(it.left) + "/" + strconv.Itoa(m.shades.version)}
	for n, on := range []bool{m.look.wrap, m.look.words, m.look.numbers, m.look.collapsed, m.inRange(i), m.look.raw, m.sided} {
		if on {
			k.Version |= 1 << n
		}
	}
	k.Version |= uint64(m.search.version&0x3ff)<<8 | uint64(m.shift&0x3fff)<<18
	if p, ok := m.placeAt(i); ok {
		k.Version |= uint64(m.notes.versions[p]) << 32
	}
	return k
}

// Render implements rows.Source: it draws the line, and the notes on it.
func (m *Model) Render(i, width int) []string {
	it := m.items[i]
	switch it.edit {
	case itemGap:
		return m.sentence(fmt.Sprintf("%s %s unchanged %s", m.theme.Glyphs.Ellipsis, text.Count(it.rest, "line"), m.theme.Glyphs.Ellipsis), width)
	case itemRemoved:
		return m.sentence(text.Count(it.rest, "removed line")+" (v shows)", width)
	case itemEmpty:
		if same := m.subject.sameText(); same != "" {
			return append(m.sentence(same, width), "")
		}
		return m.sentence("The file is empty.", width)
	case itemWhole:
		return m.noteRows(wholeFile, width)
	case itemAway, itemHere:
		return m.movedRow(it, width)
	}
	return append(m.itemRows(it, width, m.inRange(i)), m.noteRows(m.subject.placeOf(it.edit), width)...)
}

func (m *Model) sentence(s string, width int) []string {
	return []string{m.paint.row(cut([]piece{{spaces(m.gutterWidth()), 0}, {s, faceMarker}}, width, piece{}))}
}

// itemRows draws the line of an item, or both of its lines beside each other.
func (m *Model) itemRows(it item, width int, selected bool) []string {
	switch {
	case m.sided:
		return m.sideRows(it, width, selected)
	case m.kept(it.edit) && m.subject.edits[it.edit].Op == opRemoved:
		return nil
	}
	return m.lineRows(it.edit, bothSides, width, selected)
}

// lineRows draws the line of an edit.
func (m *Model) lineRows(edit int, on side, width int, selected bool) []string {
	var over face
	if selected {
		over = faceSelected
	}
	first, other := m.gutter(edit, on)
	room := max(width-cells(first), 1)
	lines := m.textRows(edit, room)
	out := make([]string, len(lines))
	for n, line := range lines {
		lead := other
		if n == 0 {
			lead = first
		}
		if selected { // the rows of a document are kept, so a copy is coloured
			line = append(append([]piece(nil), line...), piece{spaces(room - cells(line)), 0})
			for k := range line {
				line[k].face |= over
			}
		}
		out[n] = m.paint.row(append(append([]piece(nil), lead...), line...))
	}
	return out
}

// textRows are the rows of an edit's text, in pieces.
func (m *Model) textRows(edit, room int) [][]piece {
	lines, ok := m.flowRows(edit)
	if !ok {
		content, hang := m.content(edit)
		if m.look.wrap {
			return wrap(content, room, hang)
		}
		lines = [][]piece{content}
	}
	if m.look.wrap {
		return lines
	}
	out := make([][]piece, len(lines))
	for i, line := range lines {
		out[i] = cut(dropCells(line, m.shift), room, piece{m.theme.Glyphs.Ellipsis, faceMarker})
	}
	return out
}

// dropCells leaves out the first n cells.
func dropCells(pieces []piece, n int) []piece {
	all := clusters(pieces)
	for n > 0 && len(all) > 0 {
		n -= all[0].width
		all = all[1:]
	}
	return gather(pieces, all)
}

// gutterWidth is the cells before the text: cursor, numbers, sign.
func (m *Model) gutterWidth() int {
	w := 2
	if m.subject.compare {
		w = 4
	}
	if m.look.numbers {
		w += m.numberWidth() + 1
		if m.bothNumbers() {
			w += m.numberWidth() + 1
		}
	}
	return w
}

// bothNumbers says that a line has its old number before its new one.
func (m *Model) bothNumbers() bool { return m.subject.compare && !m.look.collapsed && !m.sided }

func (m *Model) numberWidth() int {
	n := len(m.subject.new.lines)
	if m.subject.compare {
		n = max(n, len(m.subject.old.lines))
	}
	return len(strconv.Itoa(n))
}

// gutter draws what stands before the first row of a line, and before others.
// The first cell belongs to the cursor.
func (m *Model) gutter(edit int, on side) (first, other []piece) {
	e := m.subject.edits[edit]
	other = []piece{{spaces(m.gutterWidth()), 0}}
	first = []piece{{"  ", 0}}

	if m.look.numbers {
		w := m.numberWidth()
		number := func(n int) string {
			if n == 0 {
				return spaces(w + 1)
			}
			return fmt.Sprintf("%*d ", w, n)
		}
		if m.bothNumbers() || on == leftSide {
			first = append(first, piece{number(e.Old), faceMarker})
		}
		if on != leftSide {
			first = append(first, piece{number(e.New), faceMarker})
		}
	}
	if m.subject.compare {
		sign, f := m.sign(edit)
		first = append(first, piece{sign + " ", f})
	}
	return first, other
}

// sign is the mark of an edit. While removed lines are hidden, a line that
// replaces some has a mark of its own.
func (m *Model) sign(edit int) (string, face) {
	switch m.op(edit) {
	case opSame:
		return m.calmSign(edit), faceMarker
	case opRemoved:
		return "-", faceRemoved
	case opAdded:
		if h := m.subject.hunks[m.subject.hunkAt(edit)]; m.look.collapsed && h.middle > h.first {
			return "~", faceAdded
		}
		return "+", faceAdded
	}
	return " ", 0
}

// decorate marks the cursor and the selected range in the cell that every row
// keeps free for it.
func (m *Model) decorate(i, line int, row string) string {
	selected := i == m.list.Selected()
	if m.card != nil { // the pointer is that of the card now
		return row
	}
	if !selected && !m.inRange(i) || !strings.HasPrefix(row, " ") {
		return row
	}
	glyph := m.theme.Glyphs.VRule
	if selected && line == 0 {
		glyph = m.theme.Glyphs.Pointer
	}
	return m.theme.Accent.Render(glyph) + row[1:]
}
