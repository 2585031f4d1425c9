package session

import (
	"context"
	"testing"

	"planmode/plan"
)

// approvedThen approves a plan and chooses a mode for the work.
func approvedThen(t *testing.T, before, chosen plan.Permission) *rig {
	t.Helper()
	r := newRig(t)
	r.confirming(true)
	r.mode(string(before))
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(_ context.Context, c Card) (Verdict, error) {
			if c.Permission != before {
				t.Errorf("the card says %s", c.Permission)
			}
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove, Permission: chosen}, nil
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	if r.View().State.OpenWork() == nil {
		t.Fatal("not approved")
	}
	return r
}

func TestAChoiceForTheWorkAndWhatStaysAreDifferentThings(t *testing.T) {
	const manual, yolo = plan.PermissionManual, plan.PermissionYolo
	for _, c := range []struct {
		name           string
		before, chosen plan.Permission
		during, after  plan.Permission
	}{
		{"nothing chosen leaves manual", manual, "", manual, manual},
		{"nothing chosen leaves yolo", yolo, "", yolo, yolo},
		{"yolo for the work ends with it", manual, yolo, yolo, manual},
		{"manual chosen explicitly is not taken back", yolo, manual, manual, manual},
		{"manual chosen in manual", manual, manual, manual, manual},
		{"yolo chosen in yolo stays", yolo, yolo, yolo, yolo},
		{"auto is never chosen with a plan", manual, plan.PermissionAuto, manual, manual},
		{"what is no mode chooses nothing", manual, "turbo", manual, manual},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := approvedThen(t, c.before, c.chosen)
			if r.Permission() != c.during {
				t.Errorf("during the work %s, recorded %q", r.Permission(), r.modes())
			}
			r.plan("complete")
			if r.Permission() != c.after {
				t.Errorf("after it %s, recorded %q", r.Permission(), r.modes())
			}
		})
	}
}

func TestAModeForTheWorkIsPutBackAlsoAfterAResumeAndARevision(t *testing.T) {
	r := approvedThen(t, plan.PermissionManual, plan.PermissionYolo)
	r.resume()
	r.Begin(context.Background(), false)
	if r.Permission() != plan.PermissionYolo {
		t.Fatalf("kept %s", r.Permission())
	}
	r.plan("revise")
	r.agent.then(submitting(r.View().State.Planning.Plan, "Login", planText("login and logout")))
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowApprove) })
	r.say("revise it")
	if r.Permission() != plan.PermissionYolo {
		t.Errorf("after the revision %s", r.Permission())
	}
	r.plan("abandon")
	if r.Permission() != plan.PermissionManual {
		t.Errorf("after the work %s, recorded %q", r.Permission(), r.modes())
	}
}

func TestAModeChosenDuringTheWorkOutlastsIt(t *testing.T) {
	r := approvedThen(t, plan.PermissionManual, plan.PermissionYolo)
	r.mode("yolo")
	r.plan("complete")
	if r.Permission() != plan.PermissionYolo {
		t.Errorf("after the work %s, recorded %q", r.Permission(), r.modes())
	}
}
