package reviewer

import (
	"strings"
)

const (
	wideEnough    = 100 // columns from which the contents list has a place of its own
	contentsWidth = 30
)

// contents is the list of headings beside the text. Where the terminal is too
// narrow for it, the same key opens it as a page.
type contents struct {
	wanted bool
	focus  bool
	sel    int
}

// contentsShown is whether the list has its place now.
func (m *Model) contentsShown() bool {
	return m.contents.wanted && m.width >= wideEnough && len(m.subject.headings) > 0
}

func (m *Model) toggleContents() {
	switch {
	case len(m.subject.headings) == 0:
		m.message = "no headings in this file"
	case m.width < wideEnough:
		m.openContents()
	default:
		m.contents.wanted, m.contents.focus = !m.contents.wanted, false
		m.layout()
	}
}

func (m *Model) focusContents() {
	if !m.contentsShown() {
		m.contents.wanted = true
		if m.toggleContentsPage() {
			return
		}
	}
	m.contents.focus = !m.contents.focus
	m.contents.sel = max(m.section(), 0)
	m.layout()
}

// toggleContentsPage opens the page when there is no place for the list.
func (m *Model) toggleContentsPage() bool {
	if m.contentsShown() {
		return false
	}
	m.toggleContents()
	return true
}

// section is the index of the heading the cursor is under, or -1.
func (m *Model) section() int {
	if len(m.subject.edits) == 0 {
		return -1
	}
	return m.subject.headingAt(m.subject.newLine(m.cursorEdit()))
}

// contentsKey moves in the list, and says whether the key was for it.
func (m *Model) contentsKey(name string) bool {
	last := len(m.subject.headings) - 1
	switch name {
	case "j", "down":
		m.contents.sel = min(m.contents.sel+1, last)
	case "k", "up":
		m.contents.sel = max(m.contents.sel-1, 0)
	case "g", "home":
		m.contents.sel = 0
	case "G", "end":
		m.contents.sel = last
	case "enter", "l", "right":
		m.contents.focus = false
		m.toLine(m.subject.headings[m.contents.sel].line)
	case "esc", "tab", "h", "left":
		m.contents.focus = false
	default:
		return false
	}
	return true
}

// contentsView draws the list, with the border that parts it from the text.
func (m *Model) contentsView(width, height int) []string {
	current := m.section()
	sel := current
	if m.contents.focus {
		sel = m.contents.sel
	}
	from := windowStart(len(m.subject.headings), sel, height)
	out := make([]string, height)
	for row := range out {
		k, line := from+row, ""
		if k < len(m.subject.headings) {
			h := m.subject.headings[k]
			line = m.theme.Cut(" "+strings.Repeat("  ", min(h.level-1, 4))+h.title, width-2)
			switch {
			case m.contents.focus && k == sel:
				line = m.theme.Selection.Render(line)
			case k == current:
				line = m.theme.Accent.Bold(true).Render(line)
			default:
				line = m.theme.Muted.Render(line)
			}
		}
		out[row] = m.theme.Fit(line, width-2) + m.theme.Border.Render(m.theme.Glyphs.VRule) + " "
	}
	return out
}

// windowStart is the first of n rows to show so that sel is among height of
// them, near the middle.
func windowStart(n, sel, height int) int {
	return max(0, min(sel-height/2, n-height))
}
