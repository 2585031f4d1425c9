package reviewer

import (
	"strings"

	"planmode/plan/document"
)

const (
	// gridSample is how many rows of a table decide how wide its columns are. A
	// cell that is wider than those wraps in its column.
	gridSample = 300

	// minColumn is the narrowest that a column of longer text is drawn. Where not
	// all columns get as much, each row is drawn as a list of its cells.
	minColumn = 8

	maxColumns = 64
)

// grid sets a table. Its titles stand once, so a later part of a long table has
// none.
func (s *setter) grid(b document.Block, first, other []piece) {
	first, other = s.leaving(first, other)
	natural := s.naturalWidths(b)
	room := s.room - cells(other)
	if !s.m.look.wrap {
		room = maxLine
	}
	widths, ok := fitColumns(natural, room)
	for i, row := range b.Rows {
		lead := other
		if i == 0 {
			lead = first
		}
		switch {
		case ok:
			s.gridRow(row, b.Aligns, widths, lead, other, i == 0)
		case i == 0:
			s.stackedTitles(row, lead, other)
		default:
			s.stacked(row, b.Rows[0], lead, other, i > 1 || s.skip > 0)
		}
		if i == 0 {
			s.gridRule(b.First+1, widths, ok, other)
		}
	}
}

// naturalWidths are the cells that each column would like to have.
func (s *setter) naturalWidths(b document.Block) []int {
	if s.area != nil && s.area.widths != nil {
		return s.area.widths
	}
	var widths []int
	grow := func(column, n int) {
		for len(widths) <= column {
			widths = append(widths, 1)
		}
		widths[column] = max(widths[column], n)
	}
	for _, row := range b.Rows {
		for k, c := range row.Cells {
			grow(k, cells(s.cell(c, faceText)))
		}
	}
	if s.area != nil {
		columns := len(widths)
		for i := s.area.first + 2; i < min(s.area.end, s.area.first+gridSample); i++ {
			for k, c := range splitRow(drawable(s.m.subject.new.lines[i])) {
				if k < columns {
					grow(k, cells(inline(c, faceText, hideMarks)))
				}
			}
		}
		s.area.widths = widths
	}
	return widths
}

// fitColumns shares room between the columns: those that need little get it, the
// others get the same each. It fails when that is too little to read.
func fitColumns(natural []int, room int) ([]int, bool) {
	n := len(natural)
	if n == 0 || n > maxColumns {
		return nil, false
	}
	room -= 3 * (n - 1)
	total := 0
	for _, w := range natural {
		total += w
	}
	if total <= room {
		return natural, true
	}
	limit := 0
	for used(natural, limit+1) <= room {
		limit++
	}
	if limit < minColumn {
		return nil, false
	}
	out, rest := make([]int, n), room-used(natural, limit)
	for i, w := range natural {
		out[i] = min(w, limit)
		if w > limit && rest > 0 {
			out[i]++
			rest--
		}
	}
	return out, true
}

func used(natural []int, limit int) int {
	n := 0
	for _, w := range natural {
		n += min(w, limit)
	}
	return n
}

// cell is the text of a cell in pieces.
func (s *setter) cell(runs []document.Run, base face) []piece {
	var out []piece
	for _, r := range runs {
		if r.Soft || r.Hard {
			continue
		}
		out = append(out, styledRun(flat(r.Text), base, r.Style)...)
	}
	if s.m.search.query != "" {
		out = overlay(out, s.m.search.spans(plainText(out)), faceMatch)
	}
	return out
}

// gridRow sets a row of cells beside each other, each wrapped in its column.
func (s *setter) gridRow(row document.Row, aligns []document.Align, widths []int, first, other []piece, title bool) {
	base := faceText
	if title {
		base = faceText | faceBold
	}
	columns := make([][][]piece, len(widths))
	height := 1
	for k := range columns {
		if k < len(row.Cells) {
			columns[k] = wrap(s.cell(row.Cells[k], base), widths[k], nil)
			height = max(height, len(columns[k]))
		}
	}
	bar := piece{" " + s.m.theme.Glyphs.VRule + " ", faceMarker}
	for n := range height {
		line := append([]piece(nil), first...)
		for k, column := range columns {
			if k > 0 {
				line = append(line, bar)
			}
			var content []piece
			if n < len(column) {
				content = column[n]
			}
			align := document.Left
			if k < len(aligns) {
				align = aligns[k]
			}
			line = append(line, aligned(content, widths[k], align, k == len(columns)-1)...)
		}
		s.put(row.Line, line)
		first = other
	}
}

// aligned pads the content of a column; the last column needs no blanks behind.
func aligned(content []piece, width int, align document.Align, last bool) []piece {
	space := width - cells(content)
	before := 0
	switch align {
	case document.Right:
		before = space
	case document.Center:
		before = space / 2
	}
	out := append([]piece{{spaces(before), faceText}}, content...)
	if !last {
		out = append(out, piece{spaces(space - before), faceText})
	}
	return out
}

// gridRule sets the line under the titles.
func (s *setter) gridRule(line int, widths []int, fits bool, lead []piece) {
	h := s.m.theme.Glyphs.HRule
	cross := h + "┼" + h
	if s.m.theme.ASCII {
		cross = h + "+" + h
	}
	rule := strings.Repeat(h, max(min(s.room-cells(lead), 30), 1))
	if fits {
		parts := make([]string, len(widths))
		for k, w := range widths {
			parts[k] = strings.Repeat(h, w)
		}
		rule = strings.Join(parts, cross)
	}
	s.put(line, append(append([]piece(nil), lead...), piece{rule, faceMarker}))
}

// stackedTitles sets the titles of a table that is too wide.
func (s *setter) stackedTitles(row document.Row, first, other []piece) {
	var line []piece
	for k, c := range row.Cells {
		if k > 0 {
			line = append(line, piece{" " + s.m.theme.Glyphs.VRule + " ", faceMarker})
		}
		line = append(line, s.cell(c, faceText|faceBold)...)
	}
	s.hung(row.Line, line, first, other, 0)
}

// stacked sets the cells of a row below each other, each behind its title.
func (s *setter) stacked(row, titles document.Row, first, other []piece, parted bool) {
	if parted {
		s.put(row.Line, append(append([]piece(nil), first...), piece{strings.Repeat(s.m.theme.Glyphs.HRule, 3), faceMarker}))
		first = other
	}
	for k, c := range row.Cells {
		if len(c) == 0 && k > 0 { // what is not there needs no row
			continue
		}
		var line []piece
		if k < len(titles.Cells) {
			if line = s.cell(titles.Cells[k], faceMuted); len(line) > 0 {
				line = append(line, piece{": ", faceMarker})
			}
		}
		s.hung(row.Line, append(line, s.cell(c, faceText)...), first, other, 2)
		first = other
	}
}

func (s *setter) hung(line int, content []piece, first, other []piece, indent int) {
	hang := []piece{{spaces(indent), faceText}}
	for i, row := range wrap(content, max(s.room-cells(other), 1), hang) {
		lead := other
		if i == 0 {
			lead = first
		}
		s.put(line, append(append([]piece(nil), lead...), row...))
	}
}
