package tui

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"planmode/plan/text"
	"planmode/tui/keymap"
	"planmode/tui/planbar"
)

const noColour = colorprofile.ASCII

// minTranscript is how many rows of the conversation stay while anything that
// can be left out is still shown.
const minTranscript = 3

// leastDialog is how many rows a dialog gets before the conversation keeps any:
// enough for every answer of the decision card in sight.
const leastDialog = 12

// frame is what was drawn last.
type frame struct {
	content string
	cursor  *tea.Cursor
	title   string
	bar     *tea.ProgressBar
}

// View implements tea.Model.
func (m *model) View() tea.View {
	v := tea.NewView(m.frame.content)
	v.AltScreen = true
	v.Cursor = m.frame.cursor
	v.WindowTitle = m.frame.title
	v.ProgressBar = m.frame.bar
	v.ReportFocus = true
	return v
}

// draw lays the screen out from bottom to top: status, mode strip, composer or
// dialog, activity, summary; the conversation gets what is left. When that is
// too little the summary goes first, then the strip, then the status.
func (m *model) draw() {
	if m.width <= 0 || m.height <= 0 {
		m.frame = frame{}
		return
	}
	w := m.width
	input, x, y := m.input(w, m.height)
	above := m.activity(w)
	summary := m.plans(w, m.steps)
	strip, status := m.strip(w), []string{planbar.Status(m.th, m.view, w)}
	if len(m.layers) > 0 {
		above, summary = nil, nil
	}
	room := func() int {
		return m.height - len(input) - len(above) - len(summary) - len(strip) - len(status)
	}
	if room() < minTranscript && m.steps {
		summary = m.plans(w, false)
	}
	if room() < minTranscript {
		summary = nil
	}
	if room() < minTranscript {
		strip = nil
	}
	if room() < minTranscript && !m.view.Permission.Unasked() {
		status = nil
	}
	if over := -room(); over > 0 {
		above = above[min(over, len(above)):]
	}
	top := max(room(), 0)
	lines := m.conversation(w, top)
	for _, part := range [][]string{summary, above, input, strip, status} {
		for _, l := range part {
			lines = append(lines, m.th.Fit(l, w))
		}
	}
	lines = lines[:min(len(lines), m.height)]
	m.frame = frame{content: strings.Join(lines, "\n"), title: m.title(), bar: m.progress()}
	// While a reviewer has the terminal the frame has no cursor: the renderer would
	// show it again when it comes back, and then not hide it for a dialog.
	if row := top + len(summary) + len(above) + y; m.reviewing == nil && x >= 0 && row < m.height && x < w {
		m.frame.cursor = tea.NewCursor(x, row)
		m.frame.cursor.Blink = !m.opts.Still
	}
}

// input draws what the keyboard is on, and where its cursor is: x < 0 hides it.
func (m *model) input(w, h int) (lines []string, x, y int) {
	if n := len(m.layers); n > 0 {
		d := m.layers[n-1].dialog
		lines = d.View(w, max(h-minTranscript-1, min(h, leastDialog)))
		x, y = -1, 0
		if c, ok := d.(interface{ Cursor() (int, int, bool) }); ok {
			if cx, cy, shown := c.Cursor(); shown {
				x, y = cx, cy
			}
		}
		return lines, x, y
	}
	lines = m.composer.View(w, max(h-minTranscript, 1))
	x, y = m.composer.Cursor()
	return lines, x, y
}

// plans are the summary of the plan and below it the checklist of the work.
func (m *model) plans(w int, expanded bool) []string {
	s := m.summary()
	s.Expanded = expanded
	lines := s.Lines(m.th, w)
	list := planbar.Checklist{List: m.view.Checklist, Expanded: expanded, Rows: m.height, Key: s.Key, Beside: len(lines) > 0}
	return append(lines, list.Lines(m.th, w)...)
}

func (m *model) summary() planbar.Summary {
	return planbar.Summary{
		State: m.view.State, Draft: m.view.Draft, Work: m.view.Work, Stale: m.view.Stale, Expanded: m.steps,
		Rows: m.height, Home: m.opts.Home, Key: m.keys.Hint(keymap.PlanSteps),
	}
}

func (m *model) strip(w int) []string {
	if !m.view.State.IsPlanning() {
		return nil
	}
	return []string{planbar.Strip(m.th, m.keys.Hint(keymap.PlanToggle), w)}
}

func (m *model) title() string {
	t := "planmode"
	if m.view.Dir != "" {
		t += " - " + text.Line(filepath.Base(m.view.Dir))
	}
	if m.view.State.IsPlanning() {
		t += " - PLAN"
	}
	// First, since tabs cut titles off.
	switch m.standing() {
	case needed:
		return "needs you - " + t
	case working:
		return "working - " + t
	}
	return t
}
