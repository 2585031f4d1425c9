package reviewer

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
)

// bodyHeight is the rows between the header, and the box and the hints.
func (m *Model) bodyHeight() int {
	h := m.height - 1
	if m.footerShown() {
		h--
	}
	if m.box != nil {
		h -= m.boxHeight() + 1
	}
	return max(h, 1)
}

// footerShown is false only while there is nothing to say below the text and the
// caller wanted no hints.
func (m *Model) footerShown() bool {
	if m.height < 3 && m.confirm == nil && !m.search.typing {
		return false
	}
	return !m.opts.NoStatusBar || m.confirm != nil || m.search.typing || m.message != "" || m.unsaved() != ""
}

// textWidth is the columns of the text.
func (m *Model) textWidth() int {
	if m.contentsShown() {
		return m.width - contentsWidth
	}
	return m.width
}

// layout fits the parts into the window after its size or the parts changed.
func (m *Model) layout() {
	if m.width <= 0 || m.height <= 0 {
		return
	}
	if m.search.typing {
		m.search.input.SetWidth(max(m.width-2, 1))
	}
	if !m.contentsShown() {
		m.contents.focus = false
	}
	m.setSides()
	m.list.Resize(m.textWidth(), m.bodyHeight())
	m.list.Show(m.list.Selected())
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.WindowTitle = "review " + m.subject.title()
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.width <= 0 || m.height <= 0 {
		return v
	}
	if m.card != nil {
		var lines []string
		lines, v.Cursor = m.cardScreen()
		v.SetContent(strings.Join(lines, "\n"))
		return v
	}
	lines := append([]string{m.header()}, m.body()...)
	if m.box != nil {
		box, cursor := m.boxView()
		cursor.Y += len(lines)
		v.Cursor = cursor
		lines = append(lines, box...)
	}
	if m.footerShown() {
		lines = append(lines, m.footer())
		if m.search.typing && m.confirm == nil {
			if c := m.search.input.Cursor(); c != nil {
				c.Y = len(lines) - 1
				v.Cursor = c
			}
		}
	}
	if len(lines) > m.height { // a window too low for its parts keeps the lower ones
		if v.Cursor != nil {
			v.Cursor.Y -= len(lines) - m.height
		}
		lines = lines[len(lines)-m.height:]
	}
	v.SetContent(strings.Join(lines, "\n"))
	return v
}

func (m *Model) body() []string {
	height := m.bodyHeight()
	if m.page != nil {
		return m.pageView(m.width, height)
	}
	lines := m.list.View(m.textWidth(), height)
	if !m.contentsShown() {
		return lines
	}
	for i, side := range m.contentsView(contentsWidth, height) {
		lines[i] = side + lines[i]
	}
	return lines
}

// header says what is shown, how much of it changed, and where the cursor is.
func (m *Model) header() string {
	t := m.theme
	left := t.Strong.Render(" " + t.Signs(m.subject.title()))
	if s := m.subject; s.compare {
		left += m.sizes(s.compared.Size)
	}
	if m.about != "" {
		left += t.Muted.Render("  " + t.Glyphs.Dot + "  i: " + m.aboutHint())
	}
	var parts []string
	if n := m.keeper.notes; n > 0 {
		parts = append(parts, t.Warning.Render(text.Count(n, "note")))
	}
	if n := m.earlierCount(); n > 0 {
		parts = append(parts, t.Muted.Render(fmt.Sprintf("%d earlier", n)))
	}
	if m.hasEdit && m.width >= 60 {
		parts = append(parts, t.Muted.Render("your edit: e"))
	}
	if n := m.notes.half(); n > 0 {
		parts = append(parts, t.Muted.Render(fmt.Sprintf("%d half-typed", n)))
	}
	parts = append(parts, t.Muted.Render(m.where()))
	return t.Spread(left, strings.Join(parts, t.Dim.Render(" "+t.Glyphs.Dot+" "))+" ", m.width)
}

func (m *Model) where() string {
	total := len(m.subject.new.lines)
	p, ok := m.placeAt(m.list.Selected())
	switch {
	case !ok || p.line == 0:
		return text.Count(total, "line")
	case p.op == opRemoved:
		return fmt.Sprintf("removed %d/%d", p.line, len(m.subject.old.lines))
	}
	return fmt.Sprintf("%d/%d", p.line, total)
}

func (m *Model) footer() string {
	t := m.theme
	switch {
	case m.confirm != nil:
		answers := " y " + m.confirm.verb + "  n back"
		return t.Warning.Render(t.Fit(" "+t.Cut(m.confirm.question, max(m.width-len(answers)-1, 8))+answers, m.width))
	case m.search.typing:
		return t.Fit(m.search.input.View(), m.width)
	case m.urgent:
		return t.Error.Render(t.Fit(" "+t.Cut(text.Line(m.message), max(m.width-1, 1)), m.width))
	case m.unsaved() != "":
		return t.Error.Render(t.Fit(" "+t.Cut(m.unsaved(), max(m.width-1, 1)), m.width))
	case m.message != "":
		return t.Fit(t.Accent.Render(t.Cut(" "+text.Line(m.message), m.width)), m.width)
	}
	return t.Fit(m.hints(m.hintParts()), m.width)
}

// hintParts are the keys that matter now, the most needed first; each is a key,
// a blank, and what it does.
func (m *Model) hintParts() []string {
	switch {
	case m.box != nil:
		return m.boxHints()
	case m.page != nil:
		return strings.Split(m.page.hint, "  ")
	case m.contents.focus:
		return []string{"Enter go", "Esc back", "j/k move"}
	case m.rangeFrom >= 0:
		return []string{"a note on the range", "Esc cancel", "j/k move"}
	}
	if m.search.query != "" {
		return []string{"n/N match", "Esc end search", "a note", "q done", "? help"}
	}
	parts := []string{"q done", "a note", "? help", "A whole file"}
	if m.notes.count() > 0 {
		parts = append(parts, "d delete", "@ notes")
	}
	if m.subject.compare {
		parts = append(parts, "]/[ change", "C changes only")
	}
	return append(parts, "/ search", "t contents", "V range", "Q discard")
}

// hints lists as many keys as fit.
func (m *Model) hints(parts []string) string {
	line, used := "", 0
	for _, part := range parts {
		key, what, _ := strings.Cut(part, " ")
		if used += 2 + len(part); used > m.width {
			break
		}
		line += "  " + m.theme.Accent.Render(key) + " " + m.theme.Dim.Render(what)
	}
	return strings.TrimPrefix(line, " ")
}
