package session

import (
	"context"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
)

func TestATurnNeverBeginsBetweenTheEndOfAnotherAndAChangeOfMode(t *testing.T) {
	r := newRig(t)
	waits := func(ctx context.Context, _ agent.Turn, _ agent.Host) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for range 60 {
		r.agent.then(waits)
		r.agent.then(waits)
		if err := r.Send("one"); err != nil {
			t.Fatal(err)
		}
		sent := make(chan error)
		go func() { sent <- r.Send("two") }()
		if err := r.Toggle(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		now := r.View()
		r.Interrupt()
		settle(t, r.Session)
		told := r.agent.told()
		if last := told[len(told)-1].Mode; now.Running && last != now.State.Mode {
			t.Fatalf("a turn that sees %s runs in %s", last, now.State.Mode)
		}
		for more := true; more; _, more = r.Unqueue() {
		}
		r.agent.turns = nil
	}
}

func TestAReviewCanBeAskedForAsSoonAsTheLastOneIsOver(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	over, wind := make(chan struct{}), make(chan struct{})
	r.agent.then(func(ctx context.Context, turn agent.Turn, h agent.Host) error {
		err := submitting("", "Login", planText("login"))(ctx, turn, h)
		close(over)
		<-wind
		return err
	})
	if err := r.Send("go"); err != nil {
		t.Fatal(err)
	}
	<-over
	asked := make(chan error)
	go func() { asked <- r.Plan(context.Background(), "review") }()
	go close(wind)
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	settle(t, r.Session)
	if n := len(r.desk.shown()); n != 2 {
		t.Errorf("%d cards\n%s", n, r.notices())
	}
}

func TestDiscardingLetsGoOnlyOfTheDraftThatWasNamed(t *testing.T) {
	r, ref := submitted(t)
	r.desk.set(func(d *scriptDesk) {
		d.confirm = func(context.Context, Confirmation) (bool, error) {
			r.agent.then(submitting(ref.Plan, "Login", planText("another login")))
			r.say("go on meanwhile")
			return true, nil
		}
	})
	r.plan("discard")
	st := r.View().State
	if st.Planning == nil || st.Planning.Revision != 2 {
		t.Errorf("a draft the person was not asked about is gone: %+v\n%s", st, r.notices())
	}
	if m, err := r.store.Manifest(ref.Plan); err != nil || m.Status == plan.StatusDiscarded {
		t.Errorf("manifest says %s, %v", m.Status, err)
	}
}
