package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// minLeft is the room a left part keeps before its right part is given up.
const minLeft = 8

// Width is the number of cells that a line, styled or not, takes.
func Width(line string) int { return ansi.StringWidth(line) }

// Cut shortens a line to at most width cells, with the ellipsis of the theme
// when something was cut and there is room for one.
func (t *Theme) Cut(line string, width int) string {
	if width <= 0 {
		return ""
	}
	if ansi.StringWidth(line) <= width {
		return line
	}
	tail := t.Glyphs.Ellipsis
	if ansi.StringWidth(tail) > width {
		tail = ""
	}
	return ansi.Truncate(line, width, tail)
}

// Middle shortens plain text to at most width cells. When it ends in a path the
// cut is in the middle, since the name of a file tells more than its directories;
// else it is at the end.
func (t *Theme) Middle(s string, width int) string {
	over := ansi.StringWidth(s) - width
	slash := strings.LastIndexByte(s, '/')
	if over <= 0 || width <= 0 || slash < 0 {
		return t.Cut(s, width)
	}
	tail := t.Glyphs.Ellipsis + s[slash:]
	room := width - ansi.StringWidth(tail)
	if room < minLeft {
		return t.Cut(s, width)
	}
	return ansi.Truncate(s, room, "") + tail
}

// Fit cuts or pads a line to exactly width cells.
func (t *Theme) Fit(line string, width int) string {
	line = t.Cut(line, width)
	if n := width - ansi.StringWidth(line); n > 0 {
		line += strings.Repeat(" ", n)
	}
	return line
}

// Spread puts left and right at the two ends of a line of exactly width cells,
// at least two cells apart. The left part is shortened first; when that would
// leave it fewer than eight cells the right part is dropped.
func (t *Theme) Spread(left, right string, width int) string {
	if width <= 0 {
		return ""
	}
	l, r := ansi.StringWidth(left), ansi.StringWidth(right)
	if r == 0 {
		return t.Fit(left, width)
	}
	room := width - r - 2
	if l > room {
		if room < minLeft {
			return t.Fit(left, width)
		}
		left = t.Cut(left, room)
		l = ansi.StringWidth(left)
	}
	return left + strings.Repeat(" ", width-l-r) + right
}

// Rule is a horizontal line of exactly width cells with an optional title in it.
func (t *Theme) Rule(title string, width int) string {
	if width <= 0 {
		return ""
	}
	h := t.Glyphs.HRule
	if title == "" || width < 8 {
		return t.Border.Render(strings.Repeat(h, width))
	}
	title = t.Middle(title, width-6)
	rest := width - ansi.StringWidth(title) - 4
	return t.Border.Render(h+h) + " " + t.Strong.Render(title) + " " + t.Border.Render(strings.Repeat(h, rest))
}

// Wrap breaks clean text into lines of at most width cells, at blanks where it
// can. An empty text is one empty line.
func (t *Theme) Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	lines := strings.Split(ansi.Wrap(s, width, ""), "\n")
	for i, line := range lines {
		// A glyph of two cells cannot be broken to fit one.
		if ansi.StringWidth(line) > width {
			lines[i] = ansi.Truncate(line, width, "")
		}
	}
	return lines
}

// Block makes lines exactly height lines of exactly width cells each.
func (t *Theme) Block(lines []string, width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	out := make([]string, height)
	for i := range out {
		if i < len(lines) {
			out[i] = t.Fit(lines[i], width)
		} else {
			out[i] = strings.Repeat(" ", width)
		}
	}
	return out
}
