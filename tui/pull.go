package tui

import (
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/tui/transcript"
)

// pullEvery is the least time between two looks at the session: twenty a second.
const pullEvery = 50 * time.Millisecond

// pulledMsg is a consistent copy of what the session shows. items follow the
// first `from` entries of the epoch.
type pulledMsg struct {
	view  session.View
	items []transcript.Prepared
	from  int
}

// pull waits until the session has changed, and then copies it. It is started
// again for every copy, so that at most one runs.
func (m *model) pull(wait bool) tea.Cmd {
	ctx, c := m.ctx, m.opts.Conductor
	have, epoch := m.transcript.Entries(), m.view.Epoch
	return func() tea.Msg {
		if wait {
			timer := time.NewTimer(pullEvery)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
				return nil
			}
			select {
			case <-c.Poked():
			case <-ctx.Done():
				return nil
			}
		}
		return copyOf(c, have, epoch)
	}
}

// copyOf copies view and items that belong together. The two calls are apart, so
// a change in between makes it look again.
func copyOf(c Conductor, have, epoch int) pulledMsg {
	for tries := 0; ; tries++ {
		before := c.View()
		from := have
		if before.Epoch != epoch {
			from = 0
		}
		items := c.Items(from)
		after := c.View()
		same := after.Epoch == before.Epoch
		if same && (after.Entries == from+len(items) || tries >= 5) {
			return pulledMsg{view: after, items: transcript.Prepare(items), from: from}
		}
	}
}

func (m *model) pulled(msg pulledMsg) tea.Cmd {
	was := m.view
	if !m.ready || msg.view.Epoch != was.Epoch || msg.from != m.transcript.Entries() {
		m.transcript.Reset()
	}
	first := !m.ready
	m.ready, m.view = true, msg.view
	m.transcript.Append(msg.items)
	m.transcript.SetLive(msg.view.Live)
	if planChanged(was, msg.view) {
		m.steps = false
	}
	if !msg.view.Running && m.flash.text == interrupting {
		m.flash.text = ""
	}
	cmds := []tea.Cmd{m.pull(true)}
	if w := m.view.State.OpenWork(); first && w != nil && !m.view.Running {
		cmds = append(cmds, m.tell(said, fmt.Sprintf("r%d is open: say \"continue\", or what to do next", w.Ref.Revision)))
	}
	if len(msg.items) >= manyItems {
		cmds = append(cmds, freeMemory)
	}
	if msg.view.Running && !was.Running {
		cmds = append(cmds, m.tick())
	}
	return tea.Batch(cmds...)
}

// manyItems is how many entries at once leave behind memory worth giving back.
const manyItems = 10_000

// freeMemory gives back what reading a long session took and nobody needs any
// more; the collector would keep it for a while.
func freeMemory() tea.Msg {
	debug.FreeOSMemory()
	return nil
}

// planChanged says whether the summary shows another revision than before; it
// then starts collapsed.
func planChanged(a, b session.View) bool {
	return (a.Draft == nil) != (b.Draft == nil) || (a.Work == nil) != (b.Work == nil) ||
		a.Draft != nil && a.Draft.Ref != b.Draft.Ref || a.Work != nil && a.Work.Ref != b.Work.Ref
}

// renderedMsg brings a message that was rendered off the loop.
type renderedMsg struct{ rendering transcript.Rendering }

// renderJobs starts what the last frame wanted rendered.
func (m *model) renderJobs() tea.Cmd {
	jobs := m.transcript.Jobs()
	if len(jobs) == 0 {
		return nil
	}
	cmds := make([]tea.Cmd, len(jobs))
	for i, j := range jobs {
		cmds[i] = func() tea.Msg { return renderedMsg{j.Run()} }
	}
	return tea.Batch(cmds...)
}
