package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/revdiff"
)

func TestPlanArguments(t *testing.T) {
	r := newRig(t)
	for _, bad := range []string{"on x", "maybe", "--help"} {
		if err := r.Plan(context.Background(), bad); !errors.Is(err, ErrUsage) {
			t.Errorf("/plan %s: %v", bad, err)
		}
	}
	r.plan("  ON ")
	if !r.View().State.IsPlanning() {
		t.Error("case and blanks are not ignored")
	}
	r.plan("on")
	r.plan("off")
	r.plan("off")
	said := r.notices()
	if !strings.Contains(said, "already on") || !strings.Contains(said, "already off") {
		t.Errorf("said:\n%s", said)
	}
}

func TestEnteringWithADraftAsks(t *testing.T) {
	cases := map[string]struct {
		choice   string
		planning bool
		draft    bool
		status   plan.Status
	}{
		"continue": {"Continue the draft", true, true, plan.StatusDraft},
		"keep":     {"Keep it and start a new Plan", true, false, plan.StatusDraft},
		"discard":  {"Discard it and start a new Plan", true, false, plan.StatusDiscarded},
		"cancel":   {"Cancel", false, true, plan.StatusDraft},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			r, ref := submitted(t)
			r.plan("off")
			r.desk.set(func(d *scriptDesk) { d.ask = chooseLabel(tt.choice) })
			r.plan("on")
			st := r.View().State
			if st.IsPlanning() != tt.planning || (st.Planning != nil) != tt.draft {
				t.Errorf("state %+v", st)
			}
			m, err := r.store.Manifest(ref.Plan)
			if err != nil || m.StatusOf(1) != tt.status {
				t.Errorf("status %q, %v", m.StatusOf(1), err)
			}
			if _, err := r.store.Revision(ref); err != nil {
				t.Errorf("the files are gone: %v", err)
			}
		})
	}
}

func TestEnteringWithOpenWorkAsks(t *testing.T) {
	cases := map[string]struct {
		choice   string
		planning bool
		draft    bool
		work     plan.WorkStatus
	}{
		"revise":   {"Revise the current Plan", true, true, plan.Implementing},
		"complete": {"Mark completed and start a new Plan", true, false, plan.Completed},
		"abandon":  {"Abandon and start a new Plan", true, false, plan.Abandoned},
		"cancel":   {"Cancel", false, false, plan.Implementing},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			r, ref := approved(t)
			r.desk.set(func(d *scriptDesk) { d.ask = chooseLabel(tt.choice) })
			r.plan("on")
			st := r.View().State
			if st.IsPlanning() != tt.planning || (st.Planning != nil) != tt.draft || st.Work.Status != tt.work || st.Work.Ref != ref {
				t.Errorf("state %+v\n%s", st, r.notices())
			}
			if title := r.desk.asked[len(r.desk.asked)-1].Title; title != "Current Plan is IMPLEMENTING: Login · r1" {
				t.Errorf("asked %q", title)
			}
		})
	}
}

func TestATamperedPlanCanBeAbandonedButNotCompleted(t *testing.T) {
	r, ref := approved(t)
	if err := os.WriteFile(r.store.RevisionPath(ref), []byte("other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.desk.set(func(d *scriptDesk) { d.confirm = yes })
	r.plan("complete")
	if w := r.View().State.OpenWork(); w == nil || !strings.Contains(r.notices(), "not what was approved") {
		t.Errorf("completed: %+v\n%s", w, r.notices())
	}
	var got tool.Result
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) (err error) {
		got, _, err = call(ctx, h, "complete_plan", tool.CompleteArgs{PlanID: string(ref.Plan), Revision: 1, Summary: "s", Verification: []string{"v"}})
		return err
	})
	r.say("complete")
	if !got.Error || r.View().State.OpenWork() == nil {
		t.Errorf("the agent completed it: %+v", got)
	}
	r.plan("abandon")
	if st := r.View().State; st.Work.Status != plan.Abandoned {
		t.Errorf("state %+v\n%s", st, r.notices())
	}
}

func TestAbandonWorksWithoutTheManifest(t *testing.T) {
	r, ref := approved(t)
	if err := os.RemoveAll(filepath.Dir(filepath.Dir(r.store.RevisionPath(ref)))); err != nil {
		t.Fatal(err)
	}
	r.desk.set(func(d *scriptDesk) { d.confirm = yes })
	r.plan("abandon")
	if st := r.View().State; st.Work.Status != plan.Abandoned {
		t.Errorf("state %+v\n%s", st, r.notices())
	}
}

func TestCompleteNeedsTheExactRevision(t *testing.T) {
	r, ref := approved(t)
	var wrong, right tool.Result
	var stop bool
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) (err error) {
		wrong, _, err = call(ctx, h, "complete_plan", tool.CompleteArgs{PlanID: string(ref.Plan), Revision: 2, Summary: "s", Verification: []string{"v"}})
		if err != nil {
			return err
		}
		right, stop, err = call(ctx, h, "complete_plan", tool.CompleteArgs{PlanID: string(ref.Plan), Revision: 1, Summary: "s", Verification: []string{"v"}})
		return err
	})
	r.say("finish")
	if !wrong.Error || !strings.Contains(wrong.Text, "revision 1") || right.Error || !stop {
		t.Errorf("wrong %+v, right %+v, stop %v", wrong, right, stop)
	}
	if r.View().State.Work.Status != plan.Completed {
		t.Errorf("state %+v", r.View().State)
	}
}

func TestCompletedPlanIsNotContinuedInSilence(t *testing.T) {
	r, _ := approved(t)
	r.plan("revise")
	r.plan("off")
	r.desk.set(func(d *scriptDesk) { d.confirm = yes })
	r.plan("complete")
	asked := len(r.desk.asked)
	r.plan("on")
	if st := r.View().State; !st.IsPlanning() || st.Planning != nil || len(r.desk.asked) != asked {
		t.Errorf("state %+v", st)
	}
}

func TestReviseGivesTheNextRevision(t *testing.T) {
	r, ref := approved(t)
	r.plan("revise")
	r.agent.then(submitting(ref.Plan, "Login", planText("better login")))
	r.say("better")
	st := r.View().State
	if st.OpenWork() == nil || st.Work.Ref.Revision != 2 || st.IsPlanning() {
		t.Errorf("state %+v\n%s", st, r.notices())
	}
}

func TestADraftCanBeDiscarded(t *testing.T) {
	r, ref := submitted(t)
	r.plan("discard")
	if r.View().State.Planning == nil {
		t.Fatal("discarded without a yes")
	}
	r.desk.set(func(d *scriptDesk) { d.confirm = yes })
	r.plan("discard")
	if m, _ := r.store.Manifest(ref.Plan); r.View().State.Planning != nil || m.StatusOf(1) != plan.StatusDiscarded {
		t.Errorf("state %+v, status %q\n%s", r.View().State, m.StatusOf(1), r.notices())
	}
}

func TestAnUnusableReviewerDisablesPlanModeButKeepsTheGate(t *testing.T) {
	r, _ := submitted(t)
	r.opt.Finder = revdiff.FindOptions{Choice: revdiff.ChooseAuto, Self: r.opt.Finder.Self,
		Getenv: func(name string) string {
			if name == "REVDIFF_BIN" {
				return t.TempDir()
			}
			return ""
		}}
	s := r.Session
	s.findReviewer()
	if s.disabledReason() == "" {
		t.Fatal("a REVDIFF_BIN that is a directory is taken")
	}
	r.plan("review")
	if !strings.Contains(r.notices(), "could not be opened") || !r.View().State.IsPlanning() {
		t.Errorf("said:\n%s", r.notices())
	}
	r.plan("off")
	r.plan("on")
	if r.View().State.IsPlanning() || !strings.Contains(r.notices(), "Plan Mode is disabled") {
		t.Errorf("Plan Mode came on without a reviewer:\n%s", r.notices())
	}
}

func TestMessagesQueueWhileATurnRuns(t *testing.T) {
	r := newRig(t)
	gate := make(chan struct{})
	r.agent.then(func(context.Context, agent.Turn, agent.Host) error { <-gate; return nil })
	if err := r.Send("one"); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"two", "three"} {
		if err := r.Send(m); err != nil {
			t.Fatal(err)
		}
	}
	if q := r.View().Queue; strings.Join(q, ",") != "two,three" {
		t.Fatalf("queue %v", q)
	}
	if m, ok := r.Unqueue(); !ok || m != "three" {
		t.Fatalf("took back %q", m)
	}
	close(gate)
	settle(t, r.Session)
	var users []string
	for _, m := range messages(r.Items(0), blind) {
		if m.Role == agent.RoleUser {
			users = append(users, m.Text)
		}
	}
	if strings.Join(users, ",") != "one,two" || len(r.View().Queue) != 0 {
		t.Errorf("sent %v, queue %v", users, r.View().Queue)
	}
}

func TestAnInterruptHoldsTheQueue(t *testing.T) {
	r := newRig(t)
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		h.Emit(agent.TextDelta{Text: "half a sen"})
		<-ctx.Done()
		return ctx.Err()
	})
	_ = r.Send("one")
	_ = r.Send("two")
	r.Interrupt()
	settle(t, r.Session)
	if q := r.View().Queue; len(q) != 1 {
		t.Fatalf("queue %v", q)
	}
	ms := messages(r.Items(0), blind)
	if last := ms[len(ms)-1]; last.Text != "half a sen" {
		t.Errorf("what was streamed is lost: %+v", ms)
	}
	r.say("three")
	if n := len(r.agent.told()); n != 3 || len(r.View().Queue) != 0 {
		t.Errorf("%d turns, queue %v", n, r.View().Queue)
	}
}

func TestWhatThePersonSaidCanBeRecalledLater(t *testing.T) {
	r := newRig(t)
	r.say("plan the login")
	if err := r.Shell("true"); err != nil {
		t.Fatal(err)
	}
	settle(t, r.Session)
	got, err := r.store.History(r.dir)
	if err != nil || strings.Join(got, "|") != "plan the login|!true" {
		t.Errorf("history %q, %v", got, err)
	}
}
