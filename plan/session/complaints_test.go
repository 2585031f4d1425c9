package session

import (
	"context"
	"errors"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/revdiff"
)

// What people complain about in the modes of other programs, one test each, in
// every permission mode where that could matter.

func inEveryMode(t *testing.T, run func(t *testing.T, r *rig, mode plan.Permission)) {
	t.Helper()
	for _, mode := range plan.Permissions {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t)
			r.confirming(true)
			r.mode(string(mode))
			run(t, r, mode)
		})
	}
}

// An interrupted approval is none: the mode stays, and the agent may do nothing.
func TestInterruptingADecisionApprovesNothing(t *testing.T) {
	inEveryMode(t, func(t *testing.T, r *rig, mode plan.Permission) {
		if mode == plan.PermissionAuto {
			return // nobody decides there
		}
		r.plan("on")
		r.desk.set(func(d *scriptDesk) {
			d.decide = func(ctx context.Context, _ Card) (Verdict, error) {
				r.Interrupt()
				<-ctx.Done()
				return Verdict{}, ctx.Err()
			}
		})
		r.agent.then(submitting("", "Login", planText("login")))
		r.say("plan the login")
		if st := r.View().State; !st.IsPlanning() || st.Work != nil || r.Permission() != mode {
			t.Errorf("%+v in %s", st, r.Permission())
		}
	})
}

// A refusal never lifts the gate: after it a write is still denied.
func TestAfterARejectionWritesAreStillDenied(t *testing.T) {
	for _, answer := range []Row{RowKeep, RowCancel, RowRequestChanges} {
		inEveryMode(t, func(t *testing.T, r *rig, mode plan.Permission) {
			if mode == plan.PermissionAuto {
				return
			}
			r.plan("on")
			r.desk.set(func(d *scriptDesk) {
				d.decide = func(_ context.Context, c Card) (Verdict, error) {
					return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: answer, Text: "shorter", Permission: plan.PermissionYolo}, nil
				}
			})
			r.agent.then(submitting("", "Login", planText("login")))
			r.say("plan the login")
			var out []tool.Result
			r.agent.then(batchOf(&out, writeCall("1", "a"), runCall("2", "touch b")))
			r.say("now write it")
			for _, res := range out {
				if !strings.Contains(res.Text, "read-only") {
					t.Errorf("%s, %s: %s", mode, answer, res.Text)
				}
			}
			if len(out) != 2 || r.Permission() != mode {
				t.Errorf("%d results, in force %s", len(out), r.Permission())
			}
		})
	}
}

// The mode is left by its own command, whatever happened before, and states never
// contradict each other.
func TestThereIsAlwaysAWayOutThatApprovesNothing(t *testing.T) {
	inEveryMode(t, func(t *testing.T, r *rig, _ plan.Permission) {
		r.plan("on")
		r.desk.set(func(d *scriptDesk) {
			d.review = func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
				return revdiff.Exit{}, errors.New("it broke")
			}
		})
		r.agent.then(submitting("", "Login", planText("login without steps")))
		r.say("plan the login")
		r.plan("off")
		if st := r.View().State; st.IsPlanning() || st.Review != nil {
			t.Errorf("%+v", st)
		}
	})
}

// Entering planning in a mode that asks for nothing widens nothing.
func TestPlanningIsTheSameInEveryMode(t *testing.T) {
	inEveryMode(t, func(t *testing.T, r *rig, mode plan.Permission) {
		r.plan("on")
		r.grants.add("bash:touch b")
		var out []tool.Result
		r.agent.then(batchOf(&out, writeCall("1", "a"), runCall("2", "touch b"), tool.Call{ID: "3", Name: "update_plan", Args: []byte(`{"plan":[]}`)}))
		r.say("go")
		for i, res := range out {
			if !res.Error {
				t.Errorf("call %d ran in %s: %s", i+1, mode, res.Text)
			}
		}
		if len(r.desk.permits) != 0 {
			t.Errorf("asked %+v", r.desk.permits)
		}
		if st := r.View().State; !st.IsPlanning() {
			t.Error("planning was left")
		}
	})
}

// A change of the permission mode answers no question that is open, and the answer
// that comes then still counts.
func TestChangingTheModeAnswersNoOpenQuestion(t *testing.T) {
	t.Run("a permission question", func(t *testing.T) {
		r := newRig(t)
		r.confirming(true)
		r.desk.set(func(d *scriptDesk) {
			d.permit = func(context.Context, Permit) (Grant, error) {
				r.mode("yolo")
				return Grant{Answer: GrantDeny}, nil
			}
		})
		var out []tool.Result
		r.agent.then(batchOf(&out, writeCall("1", "a"), writeCall("2", "b")))
		r.say("go")
		if len(r.desk.permits) != 1 || !out[0].Error || out[1].Error {
			t.Errorf("asked %d times, %+v", len(r.desk.permits), out)
		}
	})
	t.Run("a review", func(t *testing.T) {
		r := newRig(t)
		r.confirming(true)
		r.plan("on")
		r.desk.set(func(d *scriptDesk) {
			d.decide = func(_ context.Context, c Card) (Verdict, error) {
				r.mode("auto")
				if st := r.View().State; st.Review == nil || st.Work != nil {
					t.Errorf("the review is answered: %+v", st)
				}
				return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowKeep}, nil
			}
		})
		r.agent.then(submitting("", "Login", planText("login")))
		r.say("plan the login")
		if st := r.View().State; !st.IsPlanning() || st.Work != nil {
			t.Errorf("%+v", st)
		}
	})
}

// A mode that became narrower in the middle of a batch holds for the rest of it.
func TestANarrowerModeHoldsForTheRestOfTheBatch(t *testing.T) {
	r := newRig(t)
	r.confirming(true)
	r.mode("yolo")
	var out []tool.Result
	r.agent.then(func(ctx context.Context, t agent.Turn, h agent.Host) error {
		if err := batchOf(&out, writeCall("1", "a"))(ctx, t, h); err != nil {
			return err
		}
		r.mode("manual")
		return batchOf(&out, writeCall("2", "b"))(ctx, t, h)
	})
	r.say("go")
	if out[0].Error || !out[1].Error || len(r.desk.permits) != 1 {
		t.Errorf("asked %d times, %+v", len(r.desk.permits), out)
	}
}

// The approval lifts every gate at once: what was denied runs in the next turn.
func TestTheApprovalUnlocksEverythingAtOnce(t *testing.T) {
	r := newRig(t)
	r.confirming(true)
	r.mode("yolo")
	r.plan("on")
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowApprove) })
	r.agent.then(submitting("", "Login", planText("login")))
	var out []tool.Result
	r.agent.then(batchOf(&out, writeCall("1", "a"), runCall("2", "true"), tool.Call{ID: "3", Name: "edit", Args: tool.Marshal(map[string]string{"path": "a", "oldText": "x", "newText": "y"})}))
	r.say("plan the login")
	if len(out) != 3 {
		t.Fatalf("%d results", len(out))
	}
	for i, res := range out {
		if res.Error {
			t.Errorf("call %d: %s", i+1, res.Text)
		}
	}
}

// What an agent is told of a submission is what happened, in every mode.
func TestTheResultSaysTheRealOutcome(t *testing.T) {
	for _, c := range []struct {
		mode plan.Permission
		row  Row
		want tool.DetailKind
	}{
		{plan.PermissionYolo, RowApprove, tool.DetailApproved}, {plan.PermissionYolo, RowKeep, tool.DetailKeepPlanning},
		{plan.PermissionYolo, RowLeave, tool.DetailLeft}, {plan.PermissionManual, RowApprove, tool.DetailApproved},
		{plan.PermissionAuto, RowCancel, tool.DetailAutoApproved},
	} {
		r := newRig(t)
		r.confirming(true)
		r.mode(string(c.mode))
		r.plan("on")
		r.desk.set(func(d *scriptDesk) { d.decide = row(c.row) })
		r.agent.then(submitting("", "Login", planText("login")))
		r.say("plan the login")
		if got := r.lastResult().Kind; got != c.want {
			t.Errorf("%s, %s: %s", c.mode, c.row, got)
		}
	}
}

// The mode key turns Plan Mode on and off and never answers a card.
func TestTogglingDuringAReviewVoidsItAndApprovesNothing(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(ctx context.Context, c Card) (Verdict, error) {
			r.spawn("toggle", func() { _ = r.Toggle(context.Background()) })
			<-ctx.Done()
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove}, nil
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	settle(t, r.Session)
	if st := r.View().State; st.Work != nil || st.Review != nil {
		t.Errorf("%+v", st)
	}
}
