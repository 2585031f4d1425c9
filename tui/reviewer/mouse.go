package reviewer

import (
	tea "charm.land/bubbletea/v2"
)

func (m *Model) toggleMouse() {
	if m.opts.NoMouse {
		m.message = "the mouse is off (--no-mouse)"
		return
	}
	m.mouse = !m.mouse
	m.say("mouse", m.mouse)
}

// pointer takes what the mouse does in the text: the wheel scrolls, a click
// moves the cursor, and dragging selects a range.
func (m *Model) pointer(msg tea.MouseMsg) {
	if m.page != nil || m.box != nil || m.confirm != nil || m.search.typing || m.handing {
		return
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.click(msg.X, msg.Y-1)
		}
	case tea.MouseMotionMsg:
		if msg.Button == tea.MouseLeft && m.dragFrom >= 0 {
			m.dragTo(msg.Y - 1)
		}
	case tea.MouseReleaseMsg:
		m.dragFrom = -1
	}
}

func (m *Model) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelUp:
		m.list.ScrollBy(-3)
	case tea.MouseWheelDown:
		m.list.ScrollBy(3)
	}
}

// click goes to the heading or the line at a row of the window.
func (m *Model) click(x, row int) {
	m.dragFrom = -1
	if m.contentsShown() && x < contentsWidth {
		current := m.section()
		if m.contents.focus {
			current = m.contents.sel
		}
		k := windowStart(len(m.subject.headings), current, m.bodyHeight()) + row
		if row >= 0 && k < len(m.subject.headings) {
			m.contents.focus = false
			m.toLine(m.subject.headings[k].line)
		}
		return
	}
	if i, _, ok := m.list.At(row); ok && row >= 0 && !m.noPlace(i) {
		m.contents.focus = false
		m.rangeFrom = -1
		m.list.Select(i)
		m.dragFrom = i
	}
}

// dragTo makes the range from where the button went down. Beyond the window it
// scrolls.
func (m *Model) dragTo(row int) {
	switch {
	case row < 0:
		m.list.ScrollBy(-1)
		row = 0
	case row >= m.bodyHeight():
		m.list.ScrollBy(1)
		row = m.bodyHeight() - 1
	}
	i, _, ok := m.list.At(row)
	if !ok || m.noPlace(i) {
		return
	}
	m.rangeFrom = m.dragFrom
	m.list.Select(i)
	m.message = "a note on the range; Esc cancels"
}
