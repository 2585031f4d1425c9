package reviewer

import (
	"planmode/tui/theme"
)

// side says which text of a comparison a line is drawn for.
type side int

const (
	bothSides side = iota
	leftSide
	rightSide
)

// sidesWide are the columns from which two texts have room beside each other.
const sidesWide = 120

func (m *Model) toggleSides() {
	switch {
	case !m.subject.compare:
		m.message = "only in a comparison"
		return
	case m.width < sidesWide && !m.look.sides:
		m.message = "side by side needs 120 columns"
		return
	}
	m.look.sides = !m.look.sides
	m.layout()
	m.say("side by side", m.look.sides)
}

// setSides lays the items anew when the view begins or ends to be two columns.
func (m *Model) setSides() {
	if on := m.look.sides && m.subject.compare && m.width >= sidesWide; on != m.sided {
		m.change(func() { m.sided = on })
	}
}

// appendSides lists lines as pairs: what took the place of what.
func (m *Model) appendSides(from, to int) {
	for i := from; i < to; {
		if m.subject.edits[i].Op == opSame {
			m.items = append(m.items, item{edit: i, left: i + 1})
			i++
			continue
		}
		_, h, _ := m.subject.marksOf(i)
		if i == h.first { // else it was listed with the lines before
			m.appendPairs(h)
		}
		i = h.end
	}
}

// appendPairs lists the lines of one change.
func (m *Model) appendPairs(h hunk) {
	marks, _, _ := m.subject.marksOf(h.first)
	i, k := h.first, h.middle
	for i < h.middle || k < h.end {
		if i < h.middle {
			if next := m.appendMove(i, h.middle); next > i {
				i = next
				continue
			}
		}
		switch {
		case i < h.middle && marks.Paired[i-h.first] < 0:
			m.items = append(m.items, item{edit: i, left: i + 1})
			i++
		case k < h.end && (i == h.middle || marks.PartnerOf[k-h.middle] < 0):
			m.appendMove(k, h.end)
			m.items = append(m.items, item{edit: k})
			k++
		case k < h.end:
			m.items = append(m.items, item{edit: k, left: i + 1})
			i, k = i+1, k+1
		default:
			m.items = append(m.items, item{edit: i, left: i + 1})
			i++
		}
	}
}

// sideRows draws the older line at the left and the newer one at the right.
func (m *Model) sideRows(it item, width int, selected bool) []string {
	room := (width - 1) / 2
	var left, right []string
	if it.left > 0 {
		left = m.lineRows(it.left-1, leftSide, room, selected)
	}
	if m.subject.edits[it.edit].Op != opRemoved {
		right = m.lineRows(it.edit, rightSide, room, selected)
	}
	bar := m.paint.row([]piece{{m.theme.Glyphs.VRule, faceMarker}})
	out := make([]string, max(len(left), len(right)))
	for n := range out {
		l, r := "", ""
		if n < len(left) {
			l = left[n]
		}
		if n < len(right) {
			r = right[n]
		}
		out[n] = padded(l, room) + bar + r
	}
	return out
}

func padded(row string, width int) string { return row + spaces(width-theme.Width(row)) }
