package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"planmode/plan/gate"
	"planmode/plan/gate/waiter"
	"planmode/plan/process"
	"planmode/revdiff/surface"
	"planmode/tui/showing"
)

// surfacePatience is how long a window that was opened may take to show the review.
const surfacePatience = 20 * time.Second

// errInUse is a terminal on which keys would go to two programs.
var errInUse = errors.New("this terminal is in use by another program, such as the agent that runs this as a hook; nothing was shown.\n" +
	"Run it from a terminal of its own, keep planmode inbox open in another one,\nor add --surface terminal to draw here all the same")

// show waits for the decision, on the surface that was asked for or is at hand.
func (g *gateRun) show(ctx context.Context, job waiter.Job) (waiter.Answer, error) {
	name := g.request.Surface
	if name == "" {
		name = g.config.Gate.Surface
	}
	if name == "" {
		name = surface.Auto
	}
	o := waiter.Options{Run: g.dirs.Run, Say: tell, Now: time.Now, CallerGone: process.WatchCaller().Gone, Patience: surfacePatience}
	if name == surface.Auto || name == surface.Terminal {
		terminal, err := openOwn(name == surface.Terminal)
		switch {
		case err == nil:
			defer terminal.Close()
			o.Local = func(ctx context.Context) (waiter.Answer, error) { return g.showHere(ctx, terminal, job) }
			return waiter.Run(ctx, job, o)
		case name == surface.Terminal:
			return waiter.Answer{}, err
		}
		return g.showElsewhere(ctx, job, o, name, err)
	}
	return g.showElsewhere(ctx, job, o, name, errors.New("no inbox is open; run planmode inbox in a terminal"))
}

// openOwn opens this terminal, if it is ours to draw on or the person insists.
func openOwn(insist bool) (*process.Terminal, error) {
	terminal, err := process.OpenTerminal()
	if err != nil {
		return nil, fmt.Errorf("no terminal to show the review on: %w; keep planmode inbox open in one", err)
	}
	if terminal.InUse() {
		if !insist {
			return nil, errors.Join(errInUse, terminal.Close())
		}
		terminal.Keep()
	}
	process.OnRestore(func() { _ = terminal.Restore() })
	return terminal, nil
}

// showHere shows the review on a terminal of this process.
func (g *gateRun) showHere(ctx context.Context, terminal *process.Terminal, job waiter.Job) (waiter.Answer, error) {
	o, err := g.showingOptions(terminal)
	if err != nil {
		return waiter.Answer{}, err
	}
	a, err := showing.Run(ctx, o, job)
	if errors.Is(err, showing.ErrLost) {
		err = fmt.Errorf("%w: %w", waiter.ErrLost, err)
	}
	return a, err
}

// showElsewhere opens a surface, or leaves the review to an inbox. without is what
// is wrong when there is neither.
func (g *gateRun) showElsewhere(ctx context.Context, job waiter.Job, o waiter.Options, name string, without error) (waiter.Answer, error) {
	live := waiter.InboxLive(g.dirs.Run)
	if name == surface.Inbox || name == surface.Auto && live {
		if !live {
			return waiter.Answer{}, without
		}
		o.Anywhere = true
		return waiter.Run(ctx, job, o)
	}
	s, err := surface.Find(name, os.Environ(), g.config.Gate.Launchers)
	if errors.Is(err, surface.ErrNone) {
		return waiter.Answer{}, without
	}
	if err != nil {
		return waiter.Answer{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return waiter.Answer{}, fmt.Errorf("find planmode's own executable: %w", err)
	}
	r := surface.Request{ID: job.ID, Command: surface.Command(os.Environ(), self, "attach", job.ID)}
	o.Open = func(ctx context.Context) error { return s.Open(ctx, r) }
	return waiter.Run(ctx, job, o)
}

// newAttached is what shows the job of a gate in another process.
func newAttached(job waiter.Job) *gateRun {
	return newGateRun(gate.Request{Command: gate.Annotate, Format: job.Format})
}
