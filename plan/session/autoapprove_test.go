package session

import (
	"bytes"
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

// unattended is a rig in auto mode, planning, whose desk must not be asked to
// review or decide.
func unattended(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.confirming(true)
	r.mode("auto")
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.review = func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			t.Error("the reviewer was opened")
			return revdiff.Exit{Started: true}, nil
		}
		d.decide = func(_ context.Context, c Card) (Verdict, error) {
			t.Error("the card was shown")
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowCancel}, nil
		}
	})
	return r
}

func TestInAutoASubmittedPlanIsApprovedWithoutAPersonAndEverythingSaysSo(t *testing.T) {
	r := unattended(t)
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	st := r.View().State
	if st.OpenWork() == nil || st.IsPlanning() {
		t.Fatalf("not implementing: %+v\n%s", st, r.notices())
	}
	ref := st.Work.Ref
	m, err := r.store.Manifest(ref.Plan)
	if err != nil {
		t.Fatal(err)
	}
	d := m.Approval(1)
	if d == nil || d.Kind != plan.DecidedAutoApproved || d.By != plan.ByAuto || d.Reviewer != "" || d.Hash != ref.Hash {
		t.Errorf("the record is %+v", d)
	}
	ev := lastEvent[plan.PlanApproved](t, r, plan.KindPlanApproved)
	if ev.By != plan.ByAuto || ev.Ref != ref {
		t.Errorf("the entry is %+v", ev)
	}
	res := r.lastResult()
	if res.Kind != tool.DetailAutoApproved {
		t.Errorf("the result is %+v", res)
	}
	told := r.agent.told()
	last := told[len(told)-1]
	handed := last.Messages[len(last.Messages)-1]
	for what, text := range map[string]string{
		"tool result": toolText(r), "handoff": handed.Text, "system prompt": last.System, "notices": r.notices(), "status": r.status(),
	} {
		if !strings.Contains(text, plan.AutoApproved) {
			t.Errorf("the %s does not say it: %s", what, text)
		}
	}
	if handed.Role != agent.RoleHandoff || strings.Contains(handed.Text, "The person approved") || !strings.Contains(handed.Text, "no go signal") {
		t.Errorf("the handoff is %s", handed.Text)
	}
	if v := r.View(); v.Work == nil || !v.Work.Auto {
		t.Errorf("the view is %+v", v.Work)
	}
	if len(r.desk.shown()) != 0 {
		t.Error("the card was shown")
	}
}

func toolText(r *rig) string {
	var b strings.Builder
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindToolResult {
			res, _ := tree.Decode[tree.ToolResult](e)
			b.WriteString(res.Text)
		}
	}
	return b.String()
}

func lastEvent[E plan.Event](t *testing.T, r *rig, kind plan.Kind) E {
	t.Helper()
	items := r.Items(0)
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Kind == kind {
			ev, err := tree.Decode[E](items[i])
			if err != nil {
				t.Fatal(err)
			}
			return ev
		}
	}
	t.Fatalf("no %s on the branch", kind)
	panic("unreachable")
}

func TestAfterAResumeTheMarkIsStillThere(t *testing.T) {
	r := unattended(t)
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	r.resume()
	r.Begin(context.Background(), false)
	r.say("go on")
	told := r.agent.told()
	last := told[len(told)-1]
	handed := last.Messages[len(last.Messages)-1]
	if !strings.Contains(handed.Text, plan.AutoApproved) || !strings.Contains(handed.Text, "do not do it twice") {
		t.Errorf("handed again: %s", handed.Text)
	}
	if h := lastHandoff(t, r); !h.Auto || !h.Again {
		t.Errorf("the entry is %+v", h)
	}
}

func lastHandoff(t *testing.T, r *rig) tree.Handoff {
	t.Helper()
	items := r.Items(0)
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Kind == tree.KindHandoff {
			h, _ := tree.Decode[tree.Handoff](items[i])
			return h
		}
	}
	t.Fatal("no handoff")
	return tree.Handoff{}
}

func TestWhatIsNotFitToBeApprovedUnseenIsShown(t *testing.T) {
	options := []plan.Option{{Label: "Small", Description: "just the server"}, {Label: "Large", Description: "all of it"}}
	t.Run("several approaches and none recommended", func(t *testing.T) {
		r := newRig(t)
		r.confirming(true)
		r.mode("auto")
		r.plan("on")
		r.agent.then(offeringMarked(options))
		r.say("plan the login")
		if st := r.View().State; !st.IsPlanning() || st.Work != nil || len(r.desk.shown()) != 1 || !strings.Contains(r.notices(), "recommends none") {
			t.Errorf("%+v, cards %d\n%s", st, len(r.desk.shown()), r.notices())
		}
	})
	t.Run("the recommended approach is taken", func(t *testing.T) {
		r := unattended(t)
		best := append([]plan.Option(nil), options...)
		best[1].Recommended = true
		r.agent.then(offeringMarked(best))
		r.say("plan the login")
		ev := lastEvent[plan.PlanApproved](t, r, plan.KindPlanApproved)
		if ev.Option == nil || *ev.Option != 1 || ev.Choice != "Large" {
			t.Errorf("taken %+v", ev)
		}
		told := r.agent.told()
		last := told[len(told)-1]
		if handed := last.Messages[len(last.Messages)-1].Text; strings.Contains(handed, "person chose") || strings.Contains(handed, "They rejected") || !strings.Contains(handed, "recommended one is taken") {
			t.Errorf("the handoff is %s", handed)
		}
	})
}

func offeringMarked(options []plan.Option) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		var offered []map[string]any
		for _, o := range options {
			offer := map[string]any{"label": o.Label, "description": o.Description}
			if o.Recommended {
				offer["recommended"] = true
			}
			offered = append(offered, offer)
		}
		_, _, err := call(ctx, h, "submit_plan", map[string]any{"title": "Login", "markdown": planText("login"), "options": offered})
		return err
	}
}

func TestBytesThatChangedOnDiskAreNotApprovedUnseen(t *testing.T) {
	r := unattended(t)
	sh := sealedDraft(t, r)
	if err := os.WriteFile(r.store.RevisionPath(sh.ref), []byte("# Other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	res := r.approveUnseen(context.Background(), sh, nil)
	st := r.View().State
	if !res.Error || !res.Stop || st.Work != nil || !st.IsPlanning() || st.Review != nil {
		t.Errorf("%s\n%+v", res.Text, st)
	}
	m, _ := r.store.Manifest(sh.ref.Plan)
	if m.Approval(1) != nil {
		t.Error("the record has an approval")
	}
}

// sealedDraft is a draft whose automatic approval is about to happen.
func sealedDraft(t *testing.T, r *rig) *showing {
	t.Helper()
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, nil })
	r.mode("manual")
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	r.mode("auto")
	sh, err := r.openShowing(*r.View().State.Planning)
	if err != nil {
		t.Fatal(err)
	}
	sh.auto = true
	return sh
}

func TestAModeThatWasLeftMeanwhileApprovesNothing(t *testing.T) {
	r := unattended(t)
	sh := sealedDraft(t, r)
	r.mode("yolo")
	shown := len(r.desk.shown())
	res := r.approveUnseen(context.Background(), sh, nil)
	st := r.View().State
	if st.Work != nil || !st.IsPlanning() || len(r.desk.shown()) != shown+1 {
		t.Errorf("%s\n%+v", res.Text, st)
	}
}

func TestAnInterruptedAutomaticApprovalApprovesNothing(t *testing.T) {
	r := unattended(t)
	sh := sealedDraft(t, r)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r.approveUnseen(ctx, sh, nil)
	if st := r.View().State; st.Work != nil || !st.IsPlanning() || st.Review != nil {
		t.Errorf("%+v", st)
	}
}

func TestAnAutoApprovedPlanCanBeReviewedLater(t *testing.T) {
	r := unattended(t)
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, row(RowApprove) })
	r.plan("review")
	st := r.View().State
	if st.OpenWork() == nil || st.IsPlanning() {
		t.Fatalf("%+v\n%s", st, r.notices())
	}
	m, _ := r.store.Manifest(st.Work.Ref.Plan)
	if a := m.Approval(1); a.By != plan.ByUser || a.Kind != plan.DecidedApproved {
		t.Errorf("the record is %+v", a)
	}
	if r.View().Work.Auto {
		t.Error("what the person approved is still called auto-approved")
	}
}

func TestReviewingAnAutoApprovedPlanWithNotesRevisesIt(t *testing.T) {
	r := unattended(t)
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = noting(3, "why?"), nil })
	r.plan("review")
	st := r.View().State
	if !st.IsPlanning() || st.OpenWork() == nil || st.Planning == nil || *st.Planning != st.Work.Ref {
		t.Errorf("%+v\n%s", st, r.notices())
	}
}

// A plan that a person submits for review by a command is reviewed in auto, too.
func TestReviewByCommandAsksInEveryPermissionMode(t *testing.T) {
	for _, mode := range plan.Permissions {
		r, _ := submitted(t)
		r.confirming(true)
		r.mode(string(mode))
		before := len(r.desk.shown())
		r.plan("review")
		if len(r.desk.shown()) != before+1 || r.View().State.Work != nil {
			t.Errorf("%s: %d cards, %+v", mode, len(r.desk.shown())-before, r.View().State)
		}
	}
}

func TestYoloNeverSkipsTheReview(t *testing.T) {
	r := newRig(t)
	r.confirming(true)
	r.mode("yolo")
	r.plan("on")
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	if st := r.View().State; len(r.desk.shown()) != 1 || st.Work != nil || !st.IsPlanning() {
		t.Errorf("%d cards, %+v", len(r.desk.shown()), st)
	}
}

func TestAnExportNeverCallsAnAutomaticApprovalAPersonsOne(t *testing.T) {
	r := unattended(t)
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	raw, err := os.ReadFile(r.opt.Log.Path())
	if err != nil || !bytes.Contains(raw, []byte(`"by":"auto"`)) || bytes.Contains(raw, []byte(`"by":"user"`)) {
		t.Errorf("the log says %s, %v", raw, err)
	}
}
