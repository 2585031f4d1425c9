package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/revdiff"
)

var errNoReviewer = errors.New("review the plan: this screen cannot give the terminal to a reviewer")

// reviewedMsg reports that the reviewer has ended and the screen is back. err is
// of starting the child or of taking the terminal back.
type reviewedMsg struct {
	req  *request
	exit revdiff.Exit
	err  error
}

// review gives the terminal to the reviewer of r. The event loop stands still
// until it is back; the end of the request or of the screen stops the child.
func (m *model) review(r *request) tea.Cmd {
	job, ok := r.spec.(*revdiff.Job)
	if !ok || m.opts.Foreground == nil || m.reviewing != nil && m.reviewing.ctx.Err() == nil {
		m.opts.Desk.resolve(r, reviewed{err: errNoReviewer})
		return nil
	}
	m.reviewing = r
	if wait := m.typing(); wait > 0 {
		return tea.Batch(m.tell(said, "The plan is ready: the reviewer opens when you stop typing"), m.after(wait, quietMsg{r}))
	}
	return m.handOver(r, job)
}

// quiet is how long the keyboard must rest before the terminal is given to a
// reviewer while something is being written: its keys would otherwise get what
// was meant for the composer.
const quiet = 800 * time.Millisecond

// quietMsg says that the keyboard may be at rest.
type quietMsg struct{ req *request }

// typing is how long the keyboard must still rest; 0 when nothing is being
// written.
func (m *model) typing() time.Duration {
	if m.composer.Empty() || len(m.layers) > 0 {
		return 0
	}
	return quiet - m.opts.Now().Sub(m.lastKey)
}

// quieted opens the reviewer that waited, unless it is no longer wanted.
func (m *model) quieted(msg quietMsg) tea.Cmd {
	r := msg.req
	if m.reviewing != r {
		return nil
	}
	m.reviewing = nil
	for _, waits := range m.opts.Desk.pending() {
		if waits == r {
			return m.review(r)
		}
	}
	return nil
}

// handOver gives the terminal away.
func (m *model) handOver(r *request, job *revdiff.Job) tea.Cmd {
	child := m.opts.Foreground(job)
	stop := func() { process.Go("stop the reviewer", child.Stop) }
	release := m.stopAtEnd(stop)
	withdraw := context.AfterFunc(r.ctx, stop)
	return tea.Exec(&exclusive{Foreground: child, title: job.Title}, func(err error) tea.Msg {
		release()
		withdraw()
		return reviewedMsg{req: r, exit: child.Exit(), err: err}
	})
}

// stopAtEnd calls stop when the screen ends while a child has the terminal.
func (m *model) stopAtEnd(stop func()) (release func() bool) {
	return context.AfterFunc(m.ctx, stop)
}

// leastRun is how long the terminal is given away at least. The renderer stops
// its clock from another goroutine; a child that ends at once, such as one that
// is not there, would let it be started before it is stopped, and the screen
// would stay empty for good.
const leastRun = 20 * time.Millisecond

// exclusive is a child that has the terminal for at least leastRun, under a
// title of its own.
type exclusive struct {
	Foreground
	title string
	out   io.Writer
}

// SetStdout implements tea.ExecCommand.
func (e *exclusive) SetStdout(w io.Writer) {
	e.out = w
	e.Foreground.SetStdout(w)
}

// Run implements tea.ExecCommand.
func (e *exclusive) Run() error {
	begun := time.Now()
	if title := text.Line(e.title); title != "" && e.out != nil {
		// Only the title is at stake.
		_, _ = fmt.Fprintf(e.out, "\x1b]2;%s\a", title)
	}
	err := e.Foreground.Run()
	time.Sleep(leastRun - time.Since(begun))
	return err
}

// reviewEnded hands the result over. An error that the child knows nothing of
// means that the screen could not be started again: the terminal is gone.
func (m *model) reviewEnded(msg reviewedMsg) tea.Cmd {
	m.reviewing = nil
	m.alerts.focused = false // it may have gone while the reviewer had the terminal
	exit := msg.exit
	if msg.err != nil && exit.Err == nil {
		exit.Err = msg.err
		exit.Lost = exit.Lost || exit.Started
	}
	m.opts.Desk.resolve(msg.req, reviewed{exit: exit})
	if exit.Lost {
		m.lost = true
		return tea.Quit
	}
	// Requests may have come while the loop stood still.
	return tea.Batch(tea.ClearScreen, m.followDesk())
}
