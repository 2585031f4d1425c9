package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const ellipsis = "…"

// Count puts a noun behind its number: "1 line", "3 lines".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Width is the number of terminal cells of clean text: two for East Asian wide
// characters and emoji, none for combining marks, one for the rest.
func Width(s string) int {
	cells := 0
	for len(s) > 0 {
		size, w := cluster(s)
		s, cells = s[size:], cells+w
	}
	return cells
}

// Truncate cuts clean text to at most cells, with "…" at the end when it had to.
func Truncate(s string, cells int) string { return TruncateWith(s, cells, ellipsis) }

// TruncateWith is Truncate with another tail. A tail that does not fit itself is
// left out. A character is never separated from its combining marks.
func TruncateWith(s string, cells int, tail string) string {
	if cells <= 0 {
		return ""
	}
	if len(s) <= cells && isPlain(s) {
		return s
	}
	room := cells - Width(tail)
	if room < 0 {
		room, tail = cells, ""
	}
	cut, used := 0, 0
	for i := 0; i < len(s); {
		size, w := cluster(s[i:])
		if used+w > cells {
			return s[:cut] + tail
		}
		i, used = i+size, used+w
		if used <= room {
			cut = i
		}
	}
	return s
}

// Pad cuts or right-pads clean text with spaces to exactly cells.
func Pad(s string, cells int) string {
	s = Truncate(s, cells)
	return s + strings.Repeat(" ", max(0, cells-Width(s)))
}

// cluster returns the bytes and cells of the character that s begins with, with
// all that a terminal draws into the same cells.
func cluster(s string) (size, cells int) {
	if s[0] >= 0x20 && s[0] < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	first, size := utf8.DecodeRuneInString(s)
	last := first
	flag := isRegional(first)
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		if flag && isRegional(r) {
			flag = false
		} else if !extends(last, r) {
			break
		}
		size, last = size+n, r
	}
	return size, runeCells(first)
}

// extends says whether r is drawn into the cells of last.
func extends(last, r rune) bool {
	switch {
	case last < 0x20 || last == 0x7f:
		return false
	case unicode.Is(unicode.M, r), r == zwj, r == 0x0e33, r == 0x0eb3, r == 0xff9e, r == 0xff9f:
		return !unicode.Is(spaced, r)
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return true
	case isJamoVowel(r):
		return isJamoLead(last) || isJamoVowel(last) || isSyllable(last) && (last-0xac00)%28 == 0
	case isJamoTail(r):
		return isJamoVowel(last) || isJamoTail(last) || isSyllable(last)
	case isJamoLead(r), isSyllable(r):
		return isJamoLead(last)
	}
	return false
}

func isRegional(r rune) bool  { return r >= 0x1f1e6 && r <= 0x1f1ff }
func isSyllable(r rune) bool  { return r >= 0xac00 && r <= 0xd7a3 }
func isJamoLead(r rune) bool  { return r >= 0x1100 && r <= 0x115f || r >= 0xa960 && r <= 0xa97c }
func isJamoVowel(r rune) bool { return r >= 0x1160 && r <= 0x11a7 || r >= 0xd7b0 && r <= 0xd7c6 }
func isJamoTail(r rune) bool  { return r >= 0x11a8 && r <= 0x11ff || r >= 0xd7cb && r <= 0xd7fb }

// runeCells is the width of a character that begins a cluster.
func runeCells(r rune) int {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return 0
	case r < 0x300:
		return 1
	case isRegional(r):
		return 2
	case Hidden(r), unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	if unicode.Is(newlyWide, r) {
		return 2
	}
	return 1
}

// newlyWide holds symbols that Unicode 16 made wide: terminals know it, the
// tables of x/text for older Unicode versions do not.
var newlyWide = &unicode.RangeTable{
	R16: []unicode.Range16{{0x2630, 0x2637, 1}, {0x268a, 0x268f, 1}, {0x4dc0, 0x4dff, 1}},
	R32: []unicode.Range32{{0x1d300, 0x1d356, 1}, {0x1d360, 0x1d376, 1}},
}

// spaced holds the marks, mostly Burmese, that take a cell of their own.
var spaced = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x102b, 0x102c, 1}, {0x1038, 0x1038, 1}, {0x1062, 0x1064, 1}, {0x1067, 0x106d, 1}, {0x1083, 0x1083, 1},
		{0x1087, 0x108c, 1}, {0x108f, 0x108f, 1}, {0x109a, 0x109c, 1}, {0x1a61, 0x1a61, 1}, {0x1a63, 0x1a64, 1},
		{0xaa7b, 0xaa7b, 1}, {0xaa7d, 0xaa7d, 1},
	},
	R32: []unicode.Range32{{0x11720, 0x11721, 1}},
}
