package waiter

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"planmode/plan/gate"
	"planmode/plan/gate/target"
)

func job(id string) Job {
	return Job{ID: id, Text: target.Text{Name: "plan.md", Markdown: []byte("# A\n")}, Format: gate.Format{Gate: true, JSON: true}}
}

func approval(j Job) Answer { return Answer{Text: j.Text, Outcome: gate.Outcome{Approved: true}} }

// attached attaches once the gate listens.
func attached(t *testing.T, run, id string) *Client {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		c, err := Attach(run, id)
		if err == nil {
			return c
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func TestFiftyGatesAreEachAnsweredOnce(t *testing.T) {
	run := t.TempDir()
	var taken, refused atomic.Int32
	var all sync.WaitGroup
	for n := range 50 {
		j := job("0000000000" + string([]byte{'0' + byte(n/10), '0' + byte(n%10)}))
		all.Go(func() {
			a, err := Run(t.Context(), j, Options{Run: run, Anywhere: true, Say: func(string) {}, Now: time.Now})
			if err != nil || a.Outcome.Decision() != "approved" {
				t.Errorf("%+v, %v", a, err)
			}
		})
		first, second := attached(t, run, j.ID), attached(t, run, j.ID)
		for _, c := range []*Client{first, second} {
			all.Go(func() {
				defer c.Close()
				switch err := c.Answer(approval(c.Job)); {
				case err == nil:
					taken.Add(1)
				case errors.Is(err, ErrRefused):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if taken.Load() != 50 || refused.Load() != 50 {
		t.Errorf("%d taken, %d refused", taken.Load(), refused.Load())
	}
}

func TestALostTerminalIsDismissedAndNeverApproved(t *testing.T) {
	now := time.Now()
	tick := make(chan time.Time)
	lost := make(chan bool, 1)
	done := make(chan Answer, 1)
	var at atomic.Int64
	go func() {
		a, err := Run(t.Context(), job("aaaaaaaaaaaa"), Options{
			Run: t.TempDir(), Tick: tick, Say: func(string) { lost <- true },
			Now:   func() time.Time { return now.Add(time.Duration(at.Load())) },
			Local: func(context.Context) (Answer, error) { return Answer{}, ErrLost },
		})
		if err != nil {
			t.Error(err)
		}
		done <- a
	}()
	<-lost
	for ms := 3_000; ms < 30_000; ms += 3_000 {
		at.Store(int64(ms) * int64(time.Millisecond))
		tick <- now
		tick <- now // the first look is over
	}
	at.Store(int64(29_999 * time.Millisecond))
	tick <- now
	tick <- now
	select {
	case a := <-done:
		t.Fatalf("too early: %+v", a)
	default:
	}
	at.Store(int64(30 * time.Second))
	tick <- now
	if a := <-done; !a.Expired || a.Outcome.Decision() != "dismissed" {
		t.Errorf("%+v", a)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version":1,"do":"attach"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := parse(b); err == nil && m.Version != wireVersion {
			t.Errorf("version %d is taken", m.Version)
		}
	})
}
