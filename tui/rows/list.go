// Package rows is the one windowed list of the screen: transcript, reviewer and
// pickers draw with it. It renders only the items that are visible, keeps what
// it rendered, and holds its place by item and line, so that a frame costs the
// same whatever the length of the list.
//
// A List belongs to one goroutine, the one that draws. Its source may grow and
// change between calls; a place that no longer exists moves to the nearest one
// that does.
package rows

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Key identifies what an item draws: the same key, width and theme always give
// the same lines.
type Key struct {
	ID      string
	Version uint64
}

// Source is what a list shows. Render gives the lines of item i, none for a
// hidden item; a line wider than width is cut.
type Source interface {
	Len() int
	Key(i int) Key
	Render(i, width int) []string
}

// List is a window on a source. The zero value is not usable; see New.
type List struct {
	src      Source
	cache    cache
	theme    string
	width    int
	height   int
	top      int // the item the window starts in
	off      int // lines of that item above the window
	tail     bool
	selected int

	// Decorate, if set, is applied to every line just before it is shown, and
	// is not cached; it must keep the width of the line.
	Decorate func(item, line int, text string) string
}

// New makes a list at the top of its source, with nothing selected.
func New(src Source) *List {
	return &List{src: src, selected: -1, cache: newCache()}
}

// SetTheme says which appearance Render draws, so that another one is never
// served from the cache.
func (l *List) SetTheme(version string) { l.theme = version }

// Resize sets the size of the window. The first visible line stays in the same
// part of its item.
func (l *List) Resize(width, height int) {
	width, height = max(width, 0), max(height, 0)
	if width != l.width && l.width > 0 && width > 0 && !l.tail && l.off > 0 && l.top < l.src.Len() {
		before := len(l.lines(l.top))
		l.width = width
		if before > 0 {
			l.off = l.off * len(l.lines(l.top)) / before
		}
	}
	l.width, l.height = width, height
	l.cache.atLeast = max(minEntries, 4*height)
}

// View draws the window: height lines of exactly width cells.
func (l *List) View(width, height int) []string {
	l.Resize(width, height)
	if l.width == 0 || l.height == 0 {
		return nil
	}
	l.settle()
	out := make([]string, 0, l.height)
	off := l.off
	for i := l.top; i < l.src.Len() && len(out) < l.height; i++ {
		lines := l.lines(i)
		for n := off; n < len(lines) && len(out) < l.height; n++ {
			line := lines[n]
			if l.Decorate != nil {
				line = l.Decorate(i, n, line)
			}
			out = append(out, line)
		}
		off = 0
	}
	blank := strings.Repeat(" ", l.width)
	for len(out) < l.height {
		out = append(out, blank)
	}
	return out
}

// lines gives the rendered lines of an item, each exactly as wide as the window.
func (l *List) lines(i int) []string {
	k := cacheKey{Key: l.src.Key(i), width: l.width, theme: l.theme}
	if lines, ok := l.cache.get(k); ok {
		return lines
	}
	raw := l.src.Render(i, l.width)
	lines := make([]string, len(raw))
	for n, line := range raw {
		lines[n] = exact(line, l.width)
	}
	l.cache.put(k, lines)
	return lines
}

func exact(line string, width int) string {
	w := ansi.StringWidth(line)
	if w > width {
		line = ansi.Truncate(line, width, "")
		w = ansi.StringWidth(line)
	}
	if w < width {
		line += strings.Repeat(" ", width-w)
	}
	return line
}

// settle makes the place a valid one: inside the source, and not past the point
// where the last line is at the bottom of the window.
func (l *List) settle() {
	n := l.src.Len()
	if n == 0 || l.width <= 0 {
		l.top, l.off = 0, 0
		return
	}
	if l.tail || l.top >= n {
		l.placeEnd()
		return
	}
	l.top = max(l.top, 0)
	l.off = min(max(l.off, 0), max(len(l.lines(l.top))-1, 0))
	if l.below(l.height) < l.height {
		l.placeEnd()
	}
}

// below counts the lines from the place to the end, but stops at limit.
func (l *List) below(limit int) int {
	count := -l.off
	for i := l.top; i < l.src.Len() && count < limit; i++ {
		count += len(l.lines(i))
	}
	return count
}

// placeEnd puts the last line at the bottom of the window, or the first line at
// its top if everything fits.
func (l *List) placeEnd() {
	l.top, l.off = 0, 0
	need := l.height
	for i := l.src.Len() - 1; i >= 0; i-- {
		have := len(l.lines(i))
		if have >= need {
			l.top, l.off = i, have-need
			return
		}
		need -= have
	}
}
