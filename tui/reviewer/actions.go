package reviewer

import (
	tea "charm.land/bubbletea/v2"
)

// actions are the keys of the text. Keys follow revdiff where it has one.
var actions map[string]func(*Model) tea.Cmd

// do makes an action of what gives no command.
func do(f func(*Model)) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { f(m); return nil }
}

func init() {
	actions = map[string]func(*Model) tea.Cmd{}
	bind := func(act func(*Model) tea.Cmd, keys ...string) {
		for _, k := range keys {
			actions[k] = act
		}
	}
	bind(do((*Model).down), "j", "down")
	bind(do((*Model).up), "k", "up")
	bind(do(func(m *Model) { m.pageBy(m.bodyHeight() - 1) }), "pgdown", "space", "ctrl+f")
	bind(do(func(m *Model) { m.pageBy(1 - m.bodyHeight()) }), "pgup", "ctrl+b")
	bind(do(func(m *Model) { m.pageBy(m.bodyHeight() / 2) }), "ctrl+d")
	bind(do(func(m *Model) { m.pageBy(-m.bodyHeight() / 2) }), "ctrl+u")
	bind(do(func(m *Model) { m.list.Select(max(m.step(-1, 1), 0)); m.list.Top() }), "g", "home")
	bind(do(func(m *Model) { m.list.Select(m.step(len(m.items), -1)); m.list.Bottom() }), "G", "end")
	bind(do(func(m *Model) { m.list.ScrollBy(1) }), "J")
	bind(do(func(m *Model) { m.list.ScrollBy(-1) }), "K")
	bind(do(func(m *Model) { m.shiftBy(8) }), "right")
	bind(do(func(m *Model) { m.shiftBy(-8) }), "left")
	bind(do(func(m *Model) { m.toChange(1) }), "]")
	bind(do(func(m *Model) { m.toChange(-1) }), "[")
	bind(do(func(m *Model) { m.toNote(1) }), "}")
	bind(do(func(m *Model) { m.toNote(-1) }), "{")

	bind(do(func(m *Model) { m.toHeading(1) }), ")")
	bind(do(func(m *Model) { m.toHeading(-1) }), "(")

	bindSaying(bind)
	bind(do((*Model).toggleRange), "V")
	bind(do(func(m *Model) { m.extend(m.down) }), "shift+down")
	bind(do(func(m *Model) { m.extend(m.up) }), "shift+up")
	bind(do(func(m *Model) { m.rangeFrom = -1; m.search.clear() }), "esc")

	bind(do(func(m *Model) {
		m.change(func() { m.look.wrap = !m.look.wrap; m.shift = 0 })
		m.say("wrapping", m.look.wrap)
	}), "w")
	bind(do(func(m *Model) { m.look.words = !m.look.words; m.say("changed words", m.look.words) }), "W")
	bind(do(func(m *Model) { m.look.numbers = !m.look.numbers; m.say("line numbers", m.look.numbers) }), "L")
	bind(do(func(m *Model) { m.compareOnly(&m.look.compact, "changes only") }), "C")
	bind(do(func(m *Model) { m.compareOnly(&m.look.collapsed, "new text only") }), "v")
	bind(do((*Model).toggleRaw), "r")
	bind(do((*Model).toggleSides), "|")
	bind(do((*Model).toggleMouse), "M")
	bind(do((*Model).toggleContents), "t")
	bind(do((*Model).focusContents), "tab")
	bind(do((*Model).openAbout), "i")
	bind(do((*Model).openHelp), "?")
	bind((*Model).openSearch, "/")
	bind(do(func(m *Model) { m.toMatch(1) }), "n")
	bind(do(func(m *Model) { m.toMatch(-1) }), "N")
}

func (m *Model) say(what string, on bool) {
	m.message = what + " off"
	if on {
		m.message = what + " on"
	}
}

// down moves to the next line; inside a line that is taller than the screen it
// scrolls first.
func (m *Model) down() {
	last := m.bodyHeight() - 1
	if i, line, ok := m.list.At(last); ok && i == m.list.Selected() {
		m.list.ScrollBy(1)
		if k, now, ok := m.list.At(last); ok && k == i && now > line {
			return
		}
	}
	m.list.Select(m.step(m.list.Selected(), 1))
}

func (m *Model) up() {
	if i, line := m.list.Position(); i == m.list.Selected() && line > 0 {
		m.list.ScrollBy(-1)
		return
	}
	before := m.list.Selected()
	m.list.Select(m.step(before, -1))
	if m.list.Selected() == before {
		m.list.ScrollBy(-1) // what stands before the first line that can be selected
	}
}

// pageBy scrolls by lines and keeps the cursor on its row of the screen.
func (m *Model) pageBy(lines int) {
	row := m.cursorRow()
	top, off := m.list.Position()
	m.list.ScrollBy(lines)
	if now, nowOff := m.list.Position(); now == top && nowOff == off {
		if lines > 0 {
			m.list.Select(m.step(len(m.items), -1))
		} else {
			m.list.Select(max(m.step(-1, 1), 0))
		}
		return
	}
	i, _, ok := m.list.At(row)
	for ; !ok && row > 0; row-- {
		i, _, ok = m.list.At(row - 1)
	}
	if m.noPlace(i) {
		if i = m.step(i, 1); m.noPlace(i) {
			i = m.step(i, -1)
		}
	}
	keep, keepOff := m.list.Position()
	m.list.Select(i)
	if first, last := m.list.Visible(); i > first && i < last {
		m.list.ScrollTo(keep, keepOff)
	}
}

func (m *Model) shiftBy(n int) {
	if !m.look.wrap {
		m.shift = min(max(m.shift+n, 0), maxLine)
	}
}

func (m *Model) compareOnly(on *bool, what string) {
	if !m.subject.compare {
		m.message = "only in a comparison"
		return
	}
	m.change(func() { *on = !*on })
	m.say(what, *on)
}

// toChange moves to the next or previous run of changed lines.
func (m *Model) toChange(by int) {
	if !m.subject.compare {
		m.message = "changes are in a comparison; ) and ( go by headings"
		return
	}
	for i := m.list.Selected() + by; i >= 0 && i < len(m.items); i += by {
		if m.startsChange(i) {
			m.center(i)
			return
		}
	}
	m.message = "no further change"
}

func (m *Model) startsChange(i int) bool {
	if m.noPlace(i) || !m.changedItem(i) || m.hidden(i) {
		return false
	}
	for before := i - 1; before >= 0; before-- {
		if e := m.items[before].edit; e >= 0 && m.hidden(before) || e == itemAway || e == itemHere {
			continue
		}
		return !m.changedItem(before)
	}
	return true
}

// changedItem says that an item shows a line that is not as it was, or not where
// it was.
func (m *Model) changedItem(i int) bool {
	it := m.items[i]
	return it.edit >= 0 && (m.subject.edits[it.edit].Op != opSame && !m.calm(it.edit) || m.smart() && m.subject.edits[it.edit].Twin > 0)
}

// toNote moves to the next or previous note, half-typed ones included.
func (m *Model) toNote(by int) {
	for i := m.list.Selected() + by; i >= 0 && i < len(m.items); i += by {
		if p, ok := m.placeAt(i); ok && m.noted(p) {
			m.center(i)
			return
		}
	}
	m.message = "no further note"
}
