package session

import (
	"context"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tree"
)

func TestAdoptionContinuesAnApprovedPlan(t *testing.T) {
	r, ref := approved(t)
	first := r.opt.Session
	log, err := r.store.CreateLog(tree.Header{Cwd: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	adopt := func(answer bool) {
		r.desk.set(func(d *scriptDesk) {
			d.confirm = func(context.Context, Confirmation) (bool, error) { return answer, nil }
		})
		if err := r.Adopt(context.Background(), ref.Plan); err != nil {
			t.Fatal(err)
		}
	}
	r.open(log, false) // the first session is still open: somebody holds it
	adopt(false)
	if r.View().State.Work != nil {
		t.Fatal("adopted work that another process holds, without a yes")
	}
	adopt(true)
	if w := r.View().State.OpenWork(); w == nil || w.Ref != ref {
		t.Fatalf("state %+v\n%s", r.View().State, r.notices())
	}
	m, err := r.store.Manifest(ref.Plan)
	if err != nil || len(m.Sessions) != 2 || m.Sessions[0] != first || m.Sessions[1] != r.opt.Session {
		t.Errorf("sessions %v %v", m.Sessions, err)
	}
	r.say("go on")
	turns := r.agent.told()
	last := turns[len(turns)-1].Messages
	if h := last[len(last)-1]; h.Role != agent.RoleHandoff && last[len(last)-2].Role != agent.RoleHandoff {
		t.Errorf("the plan was not handed over: %+v", last)
	}
}

// elsewhere goes on in a new session beside the one of r, which stays open.
func elsewhere(t *testing.T, r *rig) *rig {
	t.Helper()
	log, err := r.store.CreateLog(tree.Header{Cwd: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	b := &rig{t: t, dirs: r.dirs, dir: r.dir, agent: &scriptAgent{}, desk: &scriptDesk{}, clock: r.clock, ids: r.ids, fuse: r.fuse, seen: &recorder{}, store: r.store}
	b.open(log, false)
	return b
}

func TestADraftIsAdoptedByAttachingIt(t *testing.T) {
	a, ref := submitted(t)
	b := elsewhere(t, a)
	b.desk.set(func(d *scriptDesk) { d.confirm = yes })
	if err := b.Adopt(context.Background(), ref.Plan); err != nil {
		t.Fatal(err)
	}
	if st := b.View().State; !st.IsPlanning() || st.Planning == nil || *st.Planning != ref {
		t.Fatalf("state %+v\n%s", st, b.notices())
	}
	b.agent.then(submitting(ref.Plan, "Login", planText("login, here")))
	b.say("revise")
	a.agent.then(submitting(ref.Plan, "Login", planText("login, there")))
	a.say("revise")
	m, err := a.store.Manifest(ref.Plan)
	if err != nil || m.CurrentRevision != 3 || m.Revisions[1].BasedOn != 1 || m.Revisions[2].BasedOn != 1 {
		t.Fatalf("%+v %v", m.Revisions, err)
	}
	if got := b.View().State.Planning.Revision; got != 2 {
		t.Errorf("there r%d is attached", got)
	}
	if got := a.View().State.Planning.Revision; got != 3 {
		t.Errorf("here r%d is attached", got)
	}
}

func TestARevisionOfAnotherSessionIsNotTakenForOneCutOff(t *testing.T) {
	a, ref := submitted(t)
	b := elsewhere(t, a)
	b.desk.set(func(d *scriptDesk) { d.confirm = yes })
	if err := b.Adopt(context.Background(), ref.Plan); err != nil {
		t.Fatal(err)
	}
	b.agent.then(submitting(ref.Plan, "Login", planText("login, here")))
	b.say("revise")
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	a.resume()
	if st := a.View().State; st.Planning == nil || *st.Planning != ref {
		t.Errorf("attached %+v\n%s", st.Planning, a.notices())
	}
}

func TestAdoptionAsksWhichPartWhenThereAreTwo(t *testing.T) {
	a, ref := approved(t)
	a.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
	a.plan("revise")
	a.agent.then(submitting(ref.Plan, "Login", planText("login again")))
	a.say("revise")
	for _, tc := range []struct {
		choice         string
		work, planning int
	}{{"The approved r1", 1, 0}, {"The draft r2", 0, 2}, {"Cancel", 0, 0}} {
		t.Run(tc.choice, func(t *testing.T) {
			b := elsewhere(t, a)
			b.desk.set(func(d *scriptDesk) { d.confirm, d.ask = yes, chooseLabel(tc.choice) })
			if err := b.Adopt(context.Background(), ref.Plan); err != nil {
				t.Fatal(err)
			}
			work, planning := 0, 0
			if w := b.View().State.OpenWork(); w != nil {
				work = w.Ref.Revision
			}
			if p := b.View().State.Planning; p != nil {
				planning = p.Revision
			}
			if work != tc.work || planning != tc.planning {
				t.Errorf("work r%d, planning r%d\n%s", work, planning, b.notices())
			}
		})
	}
}

func TestAdoptionIsRefusedWithAReason(t *testing.T) {
	a, ref := submitted(t)
	for name, tc := range map[string]struct {
		before func(b *rig)
		id     plan.ID
		want   string
	}{
		"a plan that is not there":         {func(*rig) {}, "20260101T000000-none-00000000", "no such plan"},
		"a session that is planning":       {func(b *rig) { b.plan("on") }, ref.Plan, "already has an open plan"},
		"a session that can only be read":  {func(b *rig) { b.opt.Log = onlooker(b.t, a).opt.Log }, ref.Plan, "only be read"},
		"a command that waits for answers": {func(b *rig) { b.command.Lock() }, ref.Plan, "waits for an answer"},
	} {
		t.Run(name, func(t *testing.T) {
			b := elsewhere(t, a)
			tc.before(b)
			err := b.Adopt(context.Background(), tc.id)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if m, merr := a.store.Manifest(ref.Plan); merr != nil || len(m.Sessions) != 1 {
				t.Errorf("sessions %v %v", m.Sessions, merr)
			}
		})
	}
}
