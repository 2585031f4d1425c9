package waiter

import (
	"context"
	"errors"
	"net"
	"time"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/process"
)

var (
	// ErrLost is what Options.Local returns when its terminal went away.
	ErrLost = errors.New("the terminal went away during the review")
	// ErrCallerGone reports a gate whose caller went away while it waited.
	ErrCallerGone = errors.New("the program that asked for this review is gone; nothing was decided, and your notes are kept")
	// ErrNotShown reports a surface that did not come up.
	ErrNotShown = errors.New("the review did not come up where it was opened; nothing was decided")
)

// Options are where and how a gate waits. One of Local, Open and Anywhere is set.
type Options struct {
	Run        string                                    // the run directory
	Local      func(ctx context.Context) (Answer, error) // shows it on this terminal
	Open       func(ctx context.Context) error           // opens a surface elsewhere, and returns once its program ends
	Anywhere   bool                                      // an inbox is live: wait until it shows the gate
	Patience   time.Duration                             // how long after Open the surface may take to come up
	CallerGone func() bool
	Say        func(string) // for people, on standard error
	Now        func() time.Time
	Tick       <-chan time.Time // when to look at the clock; nil: once a second
}

// waiting is a gate that waits. All of it is changed by one goroutine.
type waiting struct {
	Options
	job    Job
	server *server
	lease  lease
	began  time.Time
	looked time.Time
	local  chan struct{} // closed when Local has returned
}

// Run waits for the decision on a job: the first one, wherever it is made. Surfaces
// may come and go meanwhile. Whatever else ends it is an error, but the end of a
// lease, which reads like a close and is never an approval.
func Run(ctx context.Context, job Job, o Options) (Answer, error) {
	over, end := context.WithCancel(ctx)
	w := &waiting{Options: o, job: job, lease: lease{on: job.Format.Leased()}, began: o.Now(), local: make(chan struct{})}
	w.looked = w.began
	w.server = &server{job: job, since: plan.Time{Time: w.began}, events: make(chan event), over: over, conns: map[net.Conn]bool{}}
	w.server.wants.Store(o.Anywhere)
	defer func() {
		end()
		<-w.local // it gives the terminal back
	}()
	if err := w.listen(); err != nil {
		if o.Local == nil {
			close(w.local)
			return Answer{}, err
		}
		// A sandbox that forbids sockets keeps nobody from answering here.
		o.Say("planmode: this review cannot be continued from another terminal: " + err.Error())
	} else {
		defer w.server.close()
		process.Go("let surfaces in", w.server.serve)
	}
	w.open(over)
	return w.wait(ctx)
}

func (w *waiting) listen() error {
	dir, err := place(w.Options.Run)
	if err != nil {
		return err
	}
	w.server.listener, err = listen(dir, gateName(w.job.ID))
	return err
}

// open brings the first surface up.
func (w *waiting) open(ctx context.Context) {
	if w.Local == nil {
		close(w.local)
	} else {
		w.lease.enter()
		w.server.shown.Add(1)
		process.Go("show a gate on this terminal", func() {
			a, err := w.Local(ctx)
			close(w.local)
			switch {
			case errors.Is(err, ErrLost):
				w.server.put(event{kind: left})
			case err != nil:
				w.server.put(event{kind: failed, err: err})
			default:
				w.server.put(event{kind: answered, answer: a, told: make(chan bool, 1)})
			}
		})
	}
	if w.Open != nil {
		process.Go("open a surface", func() {
			w.server.put(event{kind: opened, err: w.Open(ctx)})
		})
	}
}

func (w *waiting) wait(ctx context.Context) (Answer, error) {
	tick := w.Tick
	if tick == nil {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		case e := <-w.server.events:
			switch e.kind {
			case answered:
				e.told <- true
				if e.sent != nil {
					select {
					case <-e.sent:
					case <-time.After(dialTime): // a surface that does not read loses nothing
					}
				}
				return e.answer, nil
			case failed:
				return Answer{}, e.err
			}
			if err := w.change(e); err != nil {
				return Answer{}, err
			}
		case <-tick:
			if a, over, err := w.look(); over || err != nil {
				return a, err
			}
		}
	}
}

// change takes surfaces that come and go.
func (w *waiting) change(e event) error {
	switch e.kind {
	case entered:
		w.lease.enter()
	case left:
		w.lease.leave(w.Now())
		if w.lease.alone() {
			w.Say(w.lostText())
		}
	case opened:
		if e.err != nil && !w.lease.seen {
			return e.err
		}
	}
	w.server.shown.Store(int32(w.lease.surfaces))
	w.server.wants.Store(w.Anywhere || w.lease.alone())
	return nil
}

func (w *waiting) lostText() string {
	text := "planmode: the review lost its terminal; what you wrote is kept. Go on from any terminal with: planmode attach " + w.job.ID
	if w.lease.on {
		text += "\nplanmode: in 30 seconds it ends as dismissed, never as approved"
	}
	return text
}

// look is what time brings: the end of a lease, a caller that is gone, a surface that
// did not come up.
func (w *waiting) look() (a Answer, over bool, err error) {
	now := w.Now()
	if gap := now.Sub(w.looked); gap > stopGap && w.lease.alone() && w.looked.After(w.lease.lost) {
		w.lease.slept(gap)
	}
	w.looked = now
	switch {
	case w.lease.surfaces > 0:
	case w.CallerGone != nil && w.CallerGone():
		return Answer{}, true, ErrCallerGone
	case w.lease.expired(now):
		return Answer{Text: w.job.Text, Outcome: gate.Outcome{Exit: true}, Expired: true}, true, nil
	case w.Open != nil && !w.lease.seen && w.Patience > 0 && now.Sub(w.began) >= w.Patience:
		return Answer{}, true, ErrNotShown
	}
	return Answer{}, false, nil
}

// stopGap is a pause between two looks that only a stopped process makes.
const stopGap = 5 * time.Second
