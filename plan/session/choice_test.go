package session

import (
	"context"
	"os"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/revdiff"
)

var approaches = []tool.OptionArgs{
	{Label: "Rewrite", Description: "all at once"},
	{Label: "Step by step", Description: "behind a flag", Recommended: true},
}

// offering submits a plan with these approaches.
func offering(id plan.ID, text string, options []tool.OptionArgs) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		_, _, err := call(ctx, h, "submit_plan", tool.SubmitArgs{PlanID: string(id), Title: "Login", Markdown: text, Options: options})
		return err
	}
}

// choosing approves the approach with that index; a negative one is none.
func choosing(i int) func(context.Context, Card) (Verdict, error) {
	return func(_ context.Context, c Card) (Verdict, error) {
		v := Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove}
		if i >= 0 {
			v.Option = &i
		}
		return v, nil
	}
}

func TestTheChosenApproachIsRecordedAndHandedOver(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, choosing(1) })
	r.agent.then(offering("", planText("login"), approaches))
	r.say("plan the login")

	st := r.View().State
	m, err := r.store.Manifest(st.Work.Ref.Plan)
	if err != nil {
		t.Fatal(err)
	}
	if a := m.Approval(1); a == nil || a.Option == nil || *a.Option != 1 || len(m.Revisions[0].Options) != 2 {
		t.Errorf("the record is %+v, %+v", a, m.Revisions[0].Options)
	}
	if d := r.lastResult(); d.Choice != "Step by step" || d.Option == nil || *d.Option != 1 {
		t.Errorf("the result is %+v", d)
	}
	var submitted plan.RevisionSubmitted
	var approved plan.PlanApproved
	handed := ""
	for _, e := range r.Items(0) {
		switch e.Kind {
		case plan.KindRevisionSubmitted:
			submitted, _ = tree.Decode[plan.RevisionSubmitted](e)
		case plan.KindPlanApproved:
			approved, _ = tree.Decode[plan.PlanApproved](e)
		case tree.KindHandoff:
			h, _ := tree.Decode[tree.Handoff](e)
			handed = h.Text
		}
	}
	if submitted.Options != 2 || approved.Option == nil || *approved.Option != 1 || approved.Choice != "Step by step" {
		t.Errorf("the entries are %+v, %+v", submitted, approved)
	}
	for _, want := range []string{"Execute only this one", "> Step by step", "> Rewrite"} {
		if !strings.Contains(handed, want) {
			t.Errorf("no %q in the handoff:\n%s", want, handed)
		}
	}
}

func TestAnApprovalWithoutAChoiceOfSeveralApprovesNothing(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, choosing(-1) })
	r.agent.then(offering("", planText("login"), approaches))
	r.say("plan the login")
	never(t, r)
	if !r.View().State.IsPlanning() {
		t.Error("planning was left")
	}
}

func TestOneApproachIsAPlainApproval(t *testing.T) {
	for name, option := range map[string]int{"no option named": -1, "the only one named": 0} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.plan("on")
			r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, choosing(option) })
			r.agent.then(offering("", planText("login"), approaches[:1]))
			r.say("plan the login")
			st := r.View().State
			if st.OpenWork() == nil {
				t.Fatalf("not approved:\n%s", r.notices())
			}
			m, _ := r.store.Manifest(st.Work.Ref.Plan)
			if a := m.Approval(1); a.Option != nil || len(m.Revisions[0].Options) != 1 {
				t.Errorf("the record is %+v", a)
			}
			for _, e := range r.Items(0) {
				if e.Kind == tree.KindHandoff && strings.Contains(string(e.Body), "rejected") {
					t.Errorf("the handoff speaks of a choice: %s", e.Body)
				}
			}
		})
	}
}

func TestOtherApproachesForTheSameTextAreANewRevision(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, row(RowKeep) })
	r.agent.then(offering("", planText("login"), approaches))
	r.say("plan the login")
	first := *r.View().State.Planning
	r.agent.then(offering(first.Plan, planText("login"), approaches))
	r.say("again")
	if d := r.lastResult(); d.Kind != tool.DetailUnchanged {
		t.Errorf("the same text and approaches: %+v", d)
	}
	r.agent.then(offering(first.Plan, planText("login"), approaches[:1]))
	r.say("only one way")
	second := *r.View().State.Planning
	if second.Revision != 2 || second.Hash != first.Hash || len(r.desk.shown()) != 2 {
		t.Errorf("other approaches: %+v, %d cards\n%s", second, len(r.desk.shown()), r.notices())
	}
	m, err := r.store.Manifest(first.Plan)
	if err != nil || m.Revisions[0].Chain == m.Revisions[1].Chain {
		t.Errorf("the chain does not tell them apart: %v", err)
	}
	r.restart()
	if st := r.View().State; st.Planning == nil || *st.Planning != second {
		t.Errorf("after a resume: %+v", st.Planning)
	}
}

func TestEditsOfThePersonKeepTheApproaches(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	reviews := 0
	review := func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		if reviews++; reviews > 1 {
			return revdiff.Exit{Started: true}, nil
		}
		return revdiff.Exit{Started: true}, os.WriteFile(j.Copy, []byte(planText("my own wording")), 0o600)
	}
	decide := func(ctx context.Context, c Card) (Verdict, error) {
		if c.Edited {
			return row(RowUseEdits)(ctx, c)
		}
		return choosing(0)(ctx, c)
	}
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = review, decide })
	r.agent.then(offering("", planText("login"), approaches))
	r.say("plan the login")
	st := r.View().State
	if st.OpenWork() == nil || st.Work.Ref.Revision != 2 {
		t.Fatalf("state %+v\n%s", st, r.notices())
	}
	m, _ := r.store.Manifest(st.Work.Ref.Plan)
	if a := m.Approval(2); a.Option == nil || *a.Option != 0 {
		t.Errorf("the approval is %+v", a)
	}
}
