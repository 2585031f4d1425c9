package session

import (
	"context"
	"strings"
	"sync"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/revdiff"
	"planmode/store"
	"planmode/store/storetest"
)

// fuse is a probe of a store that lets everything pass until it is set.
type fuse struct {
	mu  sync.Mutex
	rig *storetest.Rig
}

func (f *fuse) set(rig *storetest.Rig) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rig = rig
}

func (f *fuse) Probe(s store.Step) error {
	f.mu.Lock()
	rig := f.rig
	f.mu.Unlock()
	if rig == nil {
		return nil
	}
	return rig.Probe(s)
}

// restart opens the session again after faults that may have ended it.
func (r *rig) restart() {
	r.t.Helper()
	id := r.opt.Session
	_ = r.Close()
	_ = r.store.Close()
	r.fuse.set(nil)
	r.openStore()
	log, err := r.store.OpenLog(id)
	if err != nil {
		r.t.Fatal(err)
	}
	r.open(log, true)
}

func crashed(rig *storetest.Rig) bool {
	return rig.At > 0 && (rig.Kind == storetest.Crash || rig.Kind == storetest.Late)
}

// finish brings the session from wherever a fault left it to a completed plan.
func (r *rig) finish() {
	r.t.Helper()
	r.desk.set(func(d *scriptDesk) { d.review, d.decide, d.confirm = clean, row(RowApprove), yes })
	if r.View().State.OpenWork() == nil {
		r.plan("review")
	}
	if r.View().State.IsPlanning() {
		r.plan("off")
	}
	r.plan("complete")
	r.wantCompleted()
	r.resume()
	r.wantCompleted()
}

func (r *rig) wantCompleted() {
	r.t.Helper()
	st := r.View().State
	if st.Work == nil || st.Work.Status != plan.Completed || st.Planning != nil || st.Review != nil {
		r.t.Fatalf("not completed: %+v\n%s", st, r.notices())
	}
}

func TestAnApprovalIsWholeOrNotThereWhateverFails(t *testing.T) {
	storetest.Each(t, func(t *testing.T, faults *storetest.Rig) {
		r := newRig(t)
		r.plan("on")
		r.desk.set(func(d *scriptDesk) {
			d.decide = func(_ context.Context, c Card) (Verdict, error) {
				r.fuse.set(faults)
				return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove, Text: "mind the tests"}, nil
			}
		})
		r.agent.then(submitting("", "Login", planText("login")))
		r.say("plan the login")
		shown := r.View().State.OpenWork() != nil
		said := r.notices()
		r.fuse.set(nil)
		if crashed(faults) {
			r.fuse.set(&storetest.Rig{At: 1, Kind: storetest.Crash})
			r.restart()
		}
		m := r.onlyPlan()
		open := r.View().State.OpenWork() != nil
		switch {
		case shown && !open:
			t.Fatalf("an approval that was shown is lost\n%s", r.notices())
		case open && m.Approval(1) == nil:
			t.Fatalf("work without an approval on record\n%s", r.notices())
		case crashed(faults) && m.Approval(1) != nil && !open:
			t.Fatalf("an approval on record is lost\n%s", r.notices())
		case !crashed(faults) && !shown && m.Approval(1) != nil && strings.Contains(said, "Nothing is approved"):
			t.Fatalf("the record says approved, the person was told:\n%s", said)
		}
		r.finish()
	})
}

func (r *rig) onlyPlan() plan.Manifest {
	r.t.Helper()
	infos, err := r.store.Plans()
	if err != nil || len(infos) != 1 {
		r.t.Fatalf("plans are %+v, %v", infos, err)
	}
	m, err := r.store.Manifest(infos[0].ID)
	if err != nil {
		r.t.Fatal(err)
	}
	return m
}

func TestNotesReachTheAgentOrAreOfferedWhateverFails(t *testing.T) {
	storetest.Each(t, func(t *testing.T, faults *storetest.Rig) {
		r := newRig(t)
		r.plan("on")
		write := noting(5, "which users?")
		r.desk.set(func(d *scriptDesk) {
			d.review = func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
				exit, err := write(ctx, j)
				r.fuse.set(faults)
				return exit, err
			}
		})
		r.agent.then(submitting("", "Login", planText("login")))
		r.say("plan the login")
		r.fuse.set(nil)
		if crashed(faults) {
			r.fuse.set(&storetest.Rig{At: 1, Kind: storetest.Crash})
			r.restart()
		}
		offered := ""
		r.desk.set(func(d *scriptDesk) {
			d.review = func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
				offered = strings.Join(j.Args, " ")
				return revdiff.Exit{Started: true}, nil
			}
			d.ask = chooseLabel("Review it again")
		})
		if r.View().State.Review != nil {
			r.Begin(context.Background(), false)
			settle(t, r.Session)
		}
		r.say("go on")
		if !strings.Contains(offered, "--annotations=") && !told(messages(r.Items(0), blind), "which users?") {
			r.plan("review")
			if !strings.Contains(offered, "--annotations=") {
				t.Fatalf("the note is lost; state %+v\n%s", r.View().State, r.notices())
			}
		}
		r.finish()
	})
}

func told(all []agent.Message, what string) bool {
	for _, m := range all {
		if strings.Contains(m.Text, what) {
			return true
		}
		for _, res := range m.Results {
			if strings.Contains(res.Text, what) {
				return true
			}
		}
	}
	return false
}
