// Package herdr tells Herdr, a terminal multiplexer for agents, what planmode is
// doing in its pane: working, blocked on the person, or idle.
//
// Reporting is a courtesy and must never be felt. Outside a pane of Herdr nothing
// happens at all. Inside one every method but Close returns at once: one goroutine
// sends, one request is in flight, and of the states that come up meanwhile only
// the latest is sent. A server that is missing, hangs or refuses is ignored, and
// nothing is ever printed. Messages are labels of ours, never text, titles or
// paths of a plan.
//
// Herdr keeps a label for good when its program dies without a word. So whoever
// makes a Reporter closes it on every way out; the first report of the next start
// replaces what a kill left behind.
package herdr

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"planmode/plan/process"
)

// Options configure a Reporter. Getenv is needed.
type Options struct {
	Getenv func(string) string
	// Dial connects to the server; nil is its Unix socket. It must end with ctx.
	Dial func(ctx context.Context, socket string) (net.Conn, error)
	Now  func() time.Time // nil is the clock
}

// Reporter reports the state of one pane. Make it with New; nil reports nothing.
// Its methods are safe for concurrent use.
type Reporter struct {
	opt          Options
	pane, socket string

	wake    chan struct{} // the state may have changed
	closing chan struct{}
	once    sync.Once
	done    chan struct{}   // closed when nothing is sent any more
	reports context.Context // of every request but the release
	abandon context.CancelFunc

	mu      sync.Mutex
	working bool
	labels  []*string // of what the person is needed for, the newest last

	// of the sending goroutine alone
	seq    uint64
	silent bool // the server did not answer the last time
}

// report is a state of the pane.
type report struct {
	state   string
	message string
}

// New starts reporting, with the state idle, if this process runs in a pane of
// Herdr. Otherwise every method of the Reporter does nothing.
func New(o Options) *Reporter {
	r := &Reporter{opt: o, wake: make(chan struct{}, 1), closing: make(chan struct{}), done: make(chan struct{})}
	pane, socket := o.Getenv("HERDR_PANE_ID"), o.Getenv("HERDR_SOCKET_PATH")
	if o.Getenv("HERDR_ENV") != "1" || pane == "" || socket == "" {
		return r
	}
	r.pane, r.socket = pane, socket
	if r.opt.Dial == nil {
		r.opt.Dial = dialUnix
	}
	if r.opt.Now == nil {
		r.opt.Now = time.Now
	}
	r.reports, r.abandon = context.WithCancel(context.Background())
	r.poke()
	process.Go("herdr", r.run)
	return r
}

// Enabled says whether Herdr is there. It then calls the person itself.
func (r *Reporter) Enabled() bool { return r != nil && r.socket != "" }

// Working reports that a turn runs.
func (r *Reporter) Working() { r.change(func() { r.working = true }) }

// Idle reports that no turn runs.
func (r *Reporter) Idle() { r.change(func() { r.working = false }) }

// Blocked reports that the person is needed, until clear is called. Calls nest:
// the newest label that was not cleared is shown, and the pane is blocked until
// the last one is. Clearing twice is clearing once.
func (r *Reporter) Blocked(label string) (clear func()) {
	mine := &label
	r.change(func() { r.labels = append(r.labels, mine) })
	return func() {
		r.change(func() {
			if i := slices.Index(r.labels, mine); i >= 0 {
				r.labels = slices.Delete(r.labels, i, i+1)
			}
		})
	}
}

// Close lets a request in flight end, gives the pane up and returns. It takes
// half a second at most, even when the server hangs, and may be called again.
func (r *Reporter) Close() {
	if !r.Enabled() {
		return
	}
	r.once.Do(func() { close(r.closing) })
	if !r.ended(drainWait) {
		r.abandon()
		r.ended(releaseWait)
	}
}

// ended waits until nothing is sent any more, for so long at most.
func (r *Reporter) ended(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-r.done:
		return true
	case <-timer.C:
		return false
	}
}

func (r *Reporter) change(do func()) {
	if !r.Enabled() {
		return
	}
	r.mu.Lock()
	do()
	r.mu.Unlock()
	r.poke()
}

func (r *Reporter) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// current derives the state from what is going on.
func (r *Reporter) current() report {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch n := len(r.labels); {
	case n > 0:
		return report{state: "blocked", message: *r.labels[n-1]}
	case r.working:
		return report{state: "working"}
	}
	return report{state: "idle"}
}
