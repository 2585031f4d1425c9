package main

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"

	"planmode/plan/text"
)

// column says how a column of a table gives way when the screen is narrow: not at
// all when least is 0.
type column struct {
	least int
	cut   func(cell string, cells int) string // text.Truncate if nil
}

// widthOf is how many cells a table may take on w: the width of the terminal, what
// COLUMNS says, or 0 for as many as it needs.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok && term.IsTerminal(f.Fd()) {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			return width
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 0
}

// fitted is table for rows that must not be wider than width: the widest column
// that can give way gives way first. A width of 0 cuts nothing.
func fitted(rows [][]string, columns []column, width int) string {
	wide := make([]int, len(columns))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], text.Width(cell))
		}
	}
	if width > 0 {
		shrink(wide, columns, width)
	}
	out := make([][]string, len(rows))
	for r, row := range rows {
		out[r] = make([]string, len(row))
		for i, cell := range row {
			out[r][i] = columns[i].fit(cell, wide[i])
		}
	}
	return table(out)
}

func (c column) fit(cell string, cells int) string {
	switch {
	case text.Width(cell) <= cells:
		return cell
	case c.cut != nil:
		return c.cut(cell, cells)
	}
	return text.Truncate(cell, cells)
}

func shrink(wide []int, columns []column, width int) {
	total := 2 * (len(wide) - 1)
	for _, w := range wide {
		total += w
	}
	for total > width {
		widest := -1
		for i, c := range columns {
			if c.least > 0 && wide[i] > c.least && (widest < 0 || wide[i] > wide[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		wide[widest]--
		total--
	}
}

// shortID keeps of an id what tells it from others, its random end: a command that
// takes the id takes that as well.
func shortID(id string, cells int) string {
	if i := strings.LastIndexByte(id, '-'); i >= 0 && text.Width(id[i+1:]) <= cells {
		return id[i+1:]
	}
	return text.Truncate(id, cells)
}
