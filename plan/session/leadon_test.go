package session

import (
	"context"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
)

func TestACommandWithNothingToDoSaysWhatLeadsOn(t *testing.T) {
	fresh := func(t *testing.T) *rig { return newRig(t) }
	planning := func(t *testing.T) *rig { r := newRig(t); r.plan("on"); return r }
	draft := func(t *testing.T) *rig { r, _ := submitted(t); return r }
	parked := func(t *testing.T) *rig { r, _ := submitted(t); r.plan("off"); return r }
	open := func(t *testing.T) *rig { r, _ := approved(t); return r }
	revising := func(t *testing.T) *rig { r, _ := approved(t); r.plan("revise"); return r }
	closed := func(t *testing.T) *rig {
		r, _ := approved(t)
		r.desk.set(func(d *scriptDesk) { d.confirm = yes })
		r.plan("complete")
		return r
	}
	cases := []struct {
		state    string
		make     func(*testing.T) *rig
		commands string
		want     string
	}{
		{"no plan", fresh, "off revise complete abandon discard review", "/plan on starts a plan."},
		{"planning", planning, "on revise complete abandon discard review", "Describe the goal"},
		{"a draft", draft, "on revise complete abandon", `"Login" r1 is being planned: say what should change, or /plan review`},
		{"a parked draft", parked, "off revise complete abandon", "is parked: /plan on offers it again"},
		{"an approved plan", open, "off discard review", `"Login" r1 is approved: /plan revise`},
		{"an approved plan under revision", revising, "complete", "Turn Plan Mode off first (/plan off), then /plan complete"},
		{"an approved plan under revision", revising, "abandon", "then /plan abandon"},
		{"a completed plan", closed, "off complete abandon discard review", `"Login" r1 is completed: /plan show reads it, /plan revise reopens it`},
	}
	for _, c := range cases {
		t.Run(c.state, func(t *testing.T) {
			r := c.make(t)
			for _, command := range strings.Fields(c.commands) {
				before, state := len(r.notices()), r.View().State
				r.plan(command)
				if said := r.notices()[before:]; !strings.Contains(said, c.want) || strings.Count(said, "\n") != 1 {
					t.Errorf("/plan %s said %q", command, said)
				}
				if now := r.View().State; now.Mode != state.Mode || (now.Planning == nil) != (state.Planning == nil) || now.OpenWork() != nil != (state.OpenWork() != nil) {
					t.Errorf("/plan %s changed %+v to %+v", command, state, now)
				}
			}
		})
	}
}

func TestLettingGoOfAnApprovedRevisionIsNotCalledDiscarding(t *testing.T) {
	r, ref := approved(t)
	r.plan("revise")
	var asked Confirmation
	r.desk.set(func(d *scriptDesk) {
		d.confirm = func(_ context.Context, c Confirmation) (bool, error) { asked = c; return true, nil }
	})
	r.plan("discard")
	st := r.View().State
	if st.Planning != nil || st.OpenWork() == nil || st.OpenWork().Ref != ref {
		t.Errorf("state %+v", st)
	}
	if m, err := r.store.Manifest(ref.Plan); err != nil || m.StatusOf(1) != plan.StatusApproved {
		t.Errorf("status %q, %v", m.StatusOf(1), err)
	}
	if strings.Contains(asked.Title+asked.Yes, "iscard") || !strings.Contains(asked.Body, "stays approved") {
		t.Errorf("asked %+v", asked)
	}
	if said := r.notices(); strings.Contains(said, "discarded") || !strings.Contains(said, "stays approved") {
		t.Errorf("said:\n%s", said)
	}
	for _, e := range r.Items(0) {
		if e.Kind == plan.KindDraftDetached && strings.Contains(string(e.Body), "discarded") {
			t.Errorf("recorded as %s", e.Body)
		}
	}
}

func TestATurnAfterAReviewByCommandNoLongerWaitsForIt(t *testing.T) {
	for name, answer := range map[string]func(context.Context, Card) (Verdict, error){
		"approved": row(RowApprove),
		"changes": func(_ context.Context, c Card) (Verdict, error) {
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowRequestChanges, Text: "shorter"}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := submitted(t)
			r.desk.set(func(d *scriptDesk) { d.decide = answer })
			status := "no turn began"
			r.agent.then(func(context.Context, agent.Turn, agent.Host) error {
				status = r.View().Status
				return nil
			})
			r.plan("review")
			if status != "" {
				t.Errorf("while the agent works it says %q", status)
			}
		})
	}
}

func TestAReviewWithoutAnApprovalSaysHowToGoOn(t *testing.T) {
	for _, answer := range []Row{RowKeep, RowCancel, RowRequestChanges} {
		t.Run(string(answer), func(t *testing.T) {
			r, _ := submitted(t)
			before := len(r.notices())
			r.desk.set(func(d *scriptDesk) { d.decide = row(answer) })
			r.plan("review")
			if said := r.notices()[before:]; !strings.Contains(said, `Nothing was approved. "Login" r1 is being planned: say what should change, or /plan review`) {
				t.Errorf("said %q", said)
			}
		})
	}
}
