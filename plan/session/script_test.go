package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/revdiff"
)

// scriptAgent runs one function a turn. It records what each turn was told.
type scriptAgent struct {
	mu    sync.Mutex
	turns []func(ctx context.Context, t agent.Turn, h agent.Host) error
	seen  []agent.Turn
}

func (a *scriptAgent) Name() string  { return "script" }
func (a *scriptAgent) Model() string { return "" }

func (a *scriptAgent) Run(ctx context.Context, t agent.Turn, h agent.Host) error {
	a.mu.Lock()
	a.seen = append(a.seen, t)
	if len(a.turns) == 0 {
		a.mu.Unlock()
		h.Emit(agent.TextDelta{Text: "nothing left to do"})
		return nil
	}
	next := a.turns[0]
	a.turns = a.turns[1:]
	a.mu.Unlock()
	return next(ctx, t, h)
}

// then adds a turn.
func (a *scriptAgent) then(f func(ctx context.Context, t agent.Turn, h agent.Host) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turns = append(a.turns, f)
}

func (a *scriptAgent) told() []agent.Turn {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]agent.Turn(nil), a.seen...)
}

// scriptDesk answers from functions; one that is missing answers as Escape does.
type scriptDesk struct {
	mu      sync.Mutex
	review  func(ctx context.Context, job *revdiff.Job) (revdiff.Exit, error)
	decide  func(ctx context.Context, c Card) (Verdict, error)
	ask     func(ctx context.Context, q Question) (int, error)
	permit  func(ctx context.Context, p Permit) (Grant, error)
	confirm func(ctx context.Context, c Confirmation) (bool, error)
	inquire func(ctx context.Context, q QuestionSet) (Answers, error)
	cards   []Card
	asked   []Question
	permits []Permit
}

var errNoAnswer = errors.New("no answer in the script")

func (d *scriptDesk) set(change func(d *scriptDesk)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(d)
}

func (d *scriptDesk) Review(ctx context.Context, job *revdiff.Job) (revdiff.Exit, error) {
	d.mu.Lock()
	f := d.review
	d.mu.Unlock()
	if f == nil {
		return revdiff.Exit{Started: true}, nil
	}
	return f(ctx, job)
}

func (d *scriptDesk) Decide(ctx context.Context, c Card) (Verdict, error) {
	d.mu.Lock()
	d.cards = append(d.cards, c)
	f := d.decide
	d.mu.Unlock()
	if f == nil {
		return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowCancel}, nil
	}
	return f(ctx, c)
}

func (d *scriptDesk) Ask(ctx context.Context, q Question) (int, error) {
	d.mu.Lock()
	d.asked = append(d.asked, q)
	f := d.ask
	d.mu.Unlock()
	if f == nil {
		return q.Cancel, nil
	}
	return f(ctx, q)
}

func (d *scriptDesk) Permit(ctx context.Context, p Permit) (Grant, error) {
	d.mu.Lock()
	d.permits = append(d.permits, p)
	f := d.permit
	d.mu.Unlock()
	if f == nil {
		return Grant{Answer: GrantDeny}, nil
	}
	return f(ctx, p)
}

func (d *scriptDesk) Confirm(ctx context.Context, c Confirmation) (bool, error) {
	d.mu.Lock()
	f := d.confirm
	d.mu.Unlock()
	if f == nil {
		return false, nil
	}
	return f(ctx, c)
}

func (d *scriptDesk) Questions(ctx context.Context, q QuestionSet) (Answers, error) {
	d.mu.Lock()
	f := d.inquire
	d.mu.Unlock()
	if f == nil {
		return Answers{}, nil
	}
	return f(ctx, q)
}

func (d *scriptDesk) shown() []Card {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Card(nil), d.cards...)
}

// chooseLabel answers a question with the choice of that label.
func chooseLabel(label string) func(context.Context, Question) (int, error) {
	return func(_ context.Context, q Question) (int, error) {
		for i, c := range q.Choices {
			if c.Label == label {
				return i, nil
			}
		}
		return 0, fmt.Errorf("%w: %q is not among %v", errNoAnswer, label, q.Choices)
	}
}

// row answers a card with a row, bound to what was shown.
func row(r Row) func(context.Context, Card) (Verdict, error) {
	return func(_ context.Context, c Card) (Verdict, error) {
		return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: r}, nil
	}
}

func yes(context.Context, Confirmation) (bool, error) { return true, nil }

// call runs one tool call as a batch of its own.
func call(ctx context.Context, h agent.Host, name string, args any) (tool.Result, bool, error) {
	rs, stop, err := h.Batch(ctx, []tool.Call{{ID: "c-" + name, Name: name, Args: tool.Marshal(args)}})
	if len(rs) == 0 {
		return tool.Result{}, stop, err
	}
	return rs[0], stop, err
}

// submitting is a turn that submits text once.
func submitting(id plan.ID, title, text string) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		_, _, err := call(ctx, h, "submit_plan", tool.SubmitArgs{PlanID: string(id), Title: title, Markdown: text})
		return err
	}
}

// clock is a manual clock that moves a millisecond a reading, so that every
// entry has a time of its own.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

// counter is a source of distinct bytes for ids.
type counter struct {
	mu sync.Mutex
	n  uint64
}

func (c *counter) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range p {
		if i%6 == 0 {
			c.n++
		}
		p[i] = byte(c.n >> (8 * (i % 6)))
	}
	return len(p), nil
}

// settle waits until nothing runs in the session.
func settle(t *testing.T, s *Session) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		v := s.View()
		if !v.Running {
			return
		}
		select {
		case <-s.Poked():
		case <-deadline:
			t.Fatalf("the session did not come to rest: %+v", s.View())
		}
	}
}

// detailsOf reads the details of a managed tool's result; the zero value for any
// other.
func detailsOf(r tool.Result) tool.PlanDetails {
	var d tool.PlanDetails
	_ = json.Unmarshal(r.Details, &d)
	return d
}
