package reviewer

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cluster is what occupies cells together. Off is its place in its piece.
type cluster struct {
	piece, off, size int
	width            int
	blank            bool
	breaks           bool // a row may end behind it: a blank or a wide character
	closing          bool // a row must not begin with it
}

// closers are what typography never lets begin a line.
const closers = "，。、；：！？）】》」』”’…,.;:!?)]}"

func clusters(pieces []piece) []cluster {
	n := 0
	for _, p := range pieces {
		n += len(p.text)
	}
	out := make([]cluster, 0, n)
	for i, p := range pieces {
		for off := 0; off < len(p.text); {
			c := cluster{piece: i, off: off, size: 1, width: 1}
			if !narrow(p.text[off:]) {
				text, width := ansi.FirstGraphemeCluster(p.text[off:], ansi.GraphemeWidth)
				c.size, c.width = max(len(text), 1), width
			}
			c.blank = c.size == 1 && p.text[off] == ' '
			c.breaks = c.blank || c.width > 1
			c.closing = strings.Contains(closers, p.text[off:off+c.size])
			out = append(out, c)
			off += c.size
		}
	}
	return out
}

// narrow says that the first byte is a character of one cell that nothing can
// join.
func narrow(s string) bool {
	return s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80)
}

// wrap breaks pieces into rows of at most width cells. Rows after the first are
// preceded by hang, which is made narrower when it would leave no room.
func wrap(pieces []piece, width int, hang []piece) [][]piece {
	rows, _ := wrapAt(pieces, width, hang)
	return rows
}

// wrapAt is wrap that also tells at which byte of the text each row begins.
func wrapAt(pieces []piece, width int, hang []piece) (rows [][]piece, at []int) {
	width = max(width, 1)
	hangWidth := cells(hang)
	if hangWidth > width/2 || width-hangWidth < 2 { // a wide character needs two
		hang, hangWidth = nil, 0
	}
	all := clusters(pieces)
	before := make([]int, len(pieces)) // bytes before each piece
	for i := 1; i < len(pieces); i++ {
		before[i] = before[i-1] + len(pieces[i-1].text)
	}
	for len(all) > 0 {
		room := width
		if len(rows) > 0 {
			room = max(width-hangWidth, 1)
		}
		n, skip := fit(all, room)
		row := gather(pieces, all[:n])
		if len(rows) > 0 {
			row = append(append([]piece(nil), hang...), row...)
		}
		rows, at = append(rows, row), append(at, before[all[0].piece]+all[0].off)
		all = all[skip:]
	}
	if rows == nil {
		rows, at = [][]piece{nil}, []int{0}
	}
	return rows, at
}

// fit is how many clusters go on a row of room cells, and where the next row
// begins: blanks at the break belong to neither.
func fit(all []cluster, room int) (n, next int) {
	used, lastBreak := 0, 0
	for i, c := range all {
		if used+c.width > room {
			switch {
			case c.blank:
				n = i
			case lastBreak > 0:
				n = lastBreak
			default:
				n = max(i, 1)
			}
			return trimBlanks(all, n)
		}
		used += c.width
		if i+1 < len(all) && !all[i+1].closing && (c.breaks || all[i+1].width > 1) {
			lastBreak = i + 1
		}
	}
	return len(all), len(all)
}

func trimBlanks(all []cluster, n int) (end, next int) {
	next = n
	for next < len(all) && all[next].blank {
		next++
	}
	end = n
	for end > 1 && all[end-1].blank {
		end--
	}
	return end, next
}

// gather turns clusters back into pieces.
func gather(pieces []piece, part []cluster) []piece {
	var out []piece
	for i := 0; i < len(part); {
		first := part[i]
		end := first.off
		for i < len(part) && part[i].piece == first.piece {
			end = part[i].off + part[i].size
			i++
		}
		out = append(out, piece{pieces[first.piece].text[first.off:end], pieces[first.piece].face})
	}
	return out
}

// cut keeps what fits in width cells and ends with tail when something was left
// out.
func cut(pieces []piece, width int, tail piece) []piece {
	if cells(pieces) <= width {
		return pieces
	}
	all, room, n := clusters(pieces), width-cells([]piece{tail}), 0
	for n < len(all) && all[n].width <= room {
		room -= all[n].width
		n++
	}
	if width < cells([]piece{tail}) {
		return nil
	}
	return append(gather(pieces, all[:n]), tail)
}

// cells is the width of pieces on the screen.
func cells(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		if plainASCII(p.text) {
			n += len(p.text)
			continue
		}
		n += ansi.StringWidth(p.text)
	}
	return n
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
