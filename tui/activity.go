package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/image"
	"planmode/plan/text"
	"planmode/tui/keymap"
)

// tickMsg moves the clock of a running turn. Nothing ticks while none runs, so
// that an idle screen writes nothing.
type tickMsg struct{ since time.Time }

func (m *model) tick() tea.Cmd { return m.after(m.pace(), tickMsg{m.view.Since}) }

// pace is how often the clock of a running turn moves.
func (m *model) pace() time.Duration {
	if m.opts.Still {
		return 10 * time.Second
	}
	return time.Second
}

func (m *model) ticked(msg tickMsg) tea.Cmd {
	if !m.view.Running || !msg.since.Equal(m.view.Since) {
		return nil
	}
	return m.tick()
}

// activity is what happens besides the transcript: the running turn, a passing
// remark, and the messages that wait.
func (m *model) activity(width int) []string {
	var out []string
	if m.view.Running {
		out = append(out, m.th.Spread(m.running(), m.th.Dim.Render(m.interruptHint()), width))
	}
	for i, q := range m.view.Queue {
		if len(m.view.Queue) > 3 && i == 2 {
			out = append(out, m.th.Cut(m.th.Muted.Render(fmt.Sprintf("  %s +%d more queued", m.th.Glyphs.Ellipsis, len(m.view.Queue)-2)), width))
			break
		}
		line := m.th.Dim.Render("  queued ") + m.th.Muted.Render(text.Line(image.Plain(q)))
		hint := ""
		if i == len(m.view.Queue)-1 && m.composer.Empty() {
			hint = m.th.Dim.Render(m.queueHint())
		}
		out = append(out, m.th.Spread(line, hint, width))
	}
	if m.flash.text != "" {
		out = append(out, m.th.Cut(m.flashLine(), width))
	}
	return out
}

// queueHint says what can be done with the messages that wait.
func (m *model) queueHint() string {
	var parts []string
	if key := m.keys.Hint(keymap.Submit); key != "" && m.held() {
		parts = append(parts, key+" sends")
	}
	if key := m.keys.Hint(keymap.HistoryPrev); key != "" {
		parts = append(parts, key+" edits")
	}
	return strings.Join(parts, " "+m.th.Glyphs.Dot+" ")
}

func (m *model) running() string {
	elapsed := max(m.opts.Now().Sub(m.view.Since), 0)
	spin := m.th.Glyphs.Bullet
	if frames := m.th.Glyphs.Spinner; !m.opts.Still {
		spin = frames[int(elapsed/time.Second)%len(frames)]
	}
	what := text.Line(m.view.Status)
	if what == "" {
		what = "Working"
	}
	return m.th.Accent.Render(spin) + " " + m.th.Text.Render(what) +
		m.th.Muted.Render(fmt.Sprintf(" %s %s", m.th.Glyphs.Dot, elapsed.Truncate(m.pace())))
}

func (m *model) interruptHint() string {
	key := m.keys.Hint(keymap.Interrupt)
	if key == "" {
		return ""
	}
	return key + " interrupts"
}
