package overlay

import "planmode/tui/composer"

const boxRows = 6

// BoxLabel says what a text box is for, and its keys.
type BoxLabel struct {
	Title string
	Hint  string
}

// ViewBox draws the menu with a text box in place of its rows, and gives the
// place of the cursor.
func (m *Menu) ViewBox(box *composer.Box, label BoxLabel, width, height int) (lines []string, x, y int) {
	p := m.Panel(width)
	p.Title, p.Hint = label.Title, label.Hint
	p.Rows = box.View(width, min(boxRows, max(height-3, 1)))
	x, p.Focus = box.Cursor()
	l := m.Draw(p, width, height)
	return l.Lines, x, l.RowsTop + p.Focus - l.First
}
