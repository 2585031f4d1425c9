package tui

import (
	"context"
	"errors"
	"sync"

	"planmode/plan/session"
	"planmode/revdiff"
)

// ErrClosed is the answer of a desk whose screen is gone.
var ErrClosed = errors.New("ask the person: the screen is closed")

// Desk lets a session ask the person at this screen. Its methods block until
// there is an answer, the context ends, or the screen is gone; they are safe for
// concurrent use and never touch the event loop. The first answer to a request
// counts, and every later one is without effect. It may be used before there is
// a screen: requests wait for one.
type Desk struct {
	mu      sync.Mutex
	waiting []*request
	wake    chan struct{}
	closed  chan struct{}
	once    sync.Once
}

// request is one question of the session. spec is what is asked: a job, a card,
// a question of ours or of the agent, a permit or a confirmation.
type request struct {
	ctx    context.Context
	spec   any
	answer chan any
}

// reviewed answers a review.
type reviewed struct {
	exit revdiff.Exit
	err  error
}

// NewDesk makes a desk without requests.
func NewDesk() *Desk {
	return &Desk{wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// Review implements session.Desk.
func (d *Desk) Review(ctx context.Context, job *revdiff.Job) (revdiff.Exit, error) {
	r, err := ask[reviewed](ctx, d, job)
	if err != nil {
		return revdiff.Exit{}, err
	}
	return r.exit, r.err
}

// Decide implements session.Desk.
func (d *Desk) Decide(ctx context.Context, card session.Card) (session.Verdict, error) {
	return ask[session.Verdict](ctx, d, card)
}

// Ask implements session.Desk.
func (d *Desk) Ask(ctx context.Context, q session.Question) (int, error) { return ask[int](ctx, d, q) }

// Permit implements session.Desk.
func (d *Desk) Permit(ctx context.Context, p session.Permit) (session.Grant, error) {
	return ask[session.Grant](ctx, d, p)
}

// Confirm implements session.Desk.
func (d *Desk) Confirm(ctx context.Context, c session.Confirmation) (bool, error) {
	return ask[bool](ctx, d, c)
}

// Questions implements session.Desk.
func (d *Desk) Questions(ctx context.Context, q session.QuestionSet) (session.Answers, error) {
	return ask[session.Answers](ctx, d, q)
}

var _ session.Desk = (*Desk)(nil)

func ask[T any](ctx context.Context, d *Desk, spec any) (T, error) {
	var zero T
	r := &request{ctx: ctx, spec: spec, answer: make(chan any, 1)}
	d.add(r)
	defer d.drop(r)
	select {
	case v := <-r.answer:
		return v.(T), nil
	case <-ctx.Done():
		return zero, ctx.Err()
	case <-d.closed:
		return zero, ErrClosed
	}
}

func (d *Desk) add(r *request) {
	d.mu.Lock()
	d.waiting = append(d.waiting, r)
	d.mu.Unlock()
	d.poke()
}

// drop takes a request off the desk; without effect when it was answered.
func (d *Desk) drop(r *request) {
	if d.take(r) {
		d.poke()
	}
}

// take removes r and says whether it was still waiting, which is true once.
func (d *Desk) take(r *request) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, w := range d.waiting {
		if w == r {
			d.waiting = append(d.waiting[:i:i], d.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// resolve answers r, unless it was answered or given up before.
func (d *Desk) resolve(r *request, v any) bool {
	if r.ctx.Err() != nil || !d.take(r) {
		return false
	}
	r.answer <- v
	return true
}

// pending copies what somebody still waits for, oldest first.
func (d *Desk) pending() []*request {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*request
	for _, r := range d.waiting {
		if r.ctx.Err() == nil {
			out = append(out, r)
		}
	}
	return out
}

func (d *Desk) poke() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Close gives every request, present and future, ErrClosed.
func (d *Desk) Close() { d.once.Do(func() { close(d.closed) }) }
