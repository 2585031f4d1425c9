package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/store/storetest"
)

// lastTurn is what the agent was told last.
func (r *rig) lastTurn() agent.Turn {
	all := r.agent.told()
	return all[len(all)-1]
}

// handoffs are the texts of the plans handed over in a turn.
func handoffs(t agent.Turn) []string {
	var out []string
	for _, m := range t.Messages {
		if m.Role == agent.RoleHandoff {
			out = append(out, m.Text)
		}
	}
	return out
}

func TestWhatWasApprovedWithThePlanIsHandedOverAgain(t *testing.T) {
	r := submitUnder(t, clean, func(_ context.Context, c Card) (Verdict, error) {
		return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove, Text: "mind the cache"}, nil
	})
	r.resume()
	r.say("go on")
	if got := handoffs(r.lastTurn()); len(got) != 2 || !strings.Contains(got[1], "mind the cache") {
		t.Errorf("handed over %q", got)
	}
}

func TestARevisedPlanIsHandedOverOnceAfterAResume(t *testing.T) {
	r, ref := approved(t)
	r.resume()
	r.plan("revise")
	r.agent.then(submitting(ref.Plan, "Login", planText("OAuth login")))
	r.say("use OAuth")
	if got := handoffs(r.lastTurn()); len(got) != 2 || !strings.Contains(got[1], "OAuth") {
		t.Errorf("handed over %d times, want once each", len(got))
	}
}

func TestTheAgentIsToldThatTheModeChanged(t *testing.T) {
	const said = "The mode has changed"
	r := newRig(t)
	steps := []struct {
		do   func()
		want bool
	}{
		{func() { r.say("hello") }, false},
		{func() { r.plan("on"); r.say("plan it") }, true},
		{func() { r.say("more") }, false},
		{func() { r.plan("off"); r.say("and now?") }, true},
	}
	for i, step := range steps {
		step.do()
		if got := strings.Contains(r.lastTurn().System, said); got != step.want {
			t.Errorf("turn %d: told of a change: %v", i+1, got)
		}
	}
}

func TestEditsThatAreNotUsedAreKept(t *testing.T) {
	var copied string
	review := func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		copied = j.Copy
		return revdiff.Exit{Started: true}, os.WriteFile(j.Copy, []byte(planText("mine")), 0o600)
	}
	r := submitUnder(t, review, row(RowCancel))
	if b, err := os.ReadFile(copied); err != nil || string(b) != planText("mine") {
		t.Errorf("the edits are gone: %v", err)
	}
	if !strings.Contains(r.notices(), copied) {
		t.Errorf("nobody says where they are:\n%s", r.notices())
	}
	r = submitUnder(t, review, func(_ context.Context, c Card) (Verdict, error) {
		row := RowUseEdits
		if c.Ref.Revision > 1 {
			row = RowKeep
		}
		return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: row}, nil
	})
	if _, err := os.Stat(copied); err == nil || r.View().State.Planning.Revision != 2 {
		t.Errorf("edits that became a revision are still kept apart: %v", err)
	}
}

func TestARequestThatAsksForNothingRequestsNothing(t *testing.T) {
	r := submitUnder(t, clean, func(_ context.Context, c Card) (Verdict, error) {
		return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowRequestChanges, Text: " \n"}, nil
	})
	if m := r.onlyPlan(); m.Status != plan.StatusDraft || r.View().State.Review != nil {
		t.Errorf("status %s, state %+v", m.Status, r.View().State)
	}
}

func TestMessagesThatNoTurnTookAreFoundOnResume(t *testing.T) {
	r := newRig(t)
	r.agent.then(func(ctx context.Context, _ agent.Turn, _ agent.Host) error {
		<-ctx.Done()
		return ctx.Err()
	})
	for _, text := range []string{"work", "then test", "then commit"} {
		if err := r.Send(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.SaveDraft("and"); err != nil {
		t.Fatal(err)
	}
	r.resume()
	if got := r.Draft(); got != "then test\n\nthen commit\n\nand" {
		t.Errorf("draft is %q", got)
	}
}

// A kill closes nothing: what is on the disk at that moment must be enough.
func TestMessagesThatWaitSurviveAKill(t *testing.T) {
	r := newRig(t)
	block := func(ctx context.Context, _ agent.Turn, _ agent.Host) error {
		<-ctx.Done()
		return ctx.Err()
	}
	r.agent.then(block)
	for _, text := range []string{"work", "then test", "then commit"} {
		if err := r.Send(text); err != nil {
			t.Fatal(err)
		}
	}
	disk := func() string {
		t.Helper()
		text, err := r.store.Draft(r.opt.Session)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := disk(); got != "then test\n\nthen commit" {
		t.Errorf("after queueing: %q", got)
	}
	if err := r.SaveDraft("and"); err != nil {
		t.Fatal(err)
	}
	if got := disk(); got != "then test\n\nthen commit\n\nand" {
		t.Errorf("with a text being composed: %q", got)
	}
	if text, ok := r.Unqueue(); !ok || text != "then commit" {
		t.Fatalf("taken back: %q", text)
	}
	if got := disk(); !strings.Contains(got, "then commit") {
		t.Errorf("taken back and not saved anew, it is lost: %q", got)
	}
	if err := r.SaveDraft("then commit and push"); err != nil {
		t.Fatal(err)
	}
	if got := disk(); got != "then test\n\nthen commit and push" {
		t.Errorf("after taking one back: %q", got)
	}
	r.Interrupt()
	settle(t, r.Session)
	r.say("now")
	if got := disk(); got != "then commit and push" {
		t.Errorf("after the queue was sent: %q", got)
	}
}

func TestAnInterruptIsSaidOnce(t *testing.T) {
	for name, streamed := range map[string]string{"in a message": "half a sen", "before anything was said": ""} {
		r := newRig(t)
		r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
			if streamed != "" {
				h.Emit(agent.TextDelta{Text: streamed})
			}
			<-ctx.Done()
			return ctx.Err()
		})
		_ = r.Send("one")
		r.Interrupt()
		settle(t, r.Session)
		said := 0
		for _, e := range r.Items(0) {
			if m, err := tree.Decode[tree.Assistant](e); e.Kind == tree.KindAssistant && err == nil && m.Stopped == "interrupted" {
				said++
			}
		}
		if strings.Contains(r.notices(), "Interrupted") {
			said++
		}
		if said != 1 {
			t.Errorf("%s: said %d times", name, said)
		}
	}
}

func TestAMessageThatCannotBeSavedStaysOnTheScreen(t *testing.T) {
	r := newRig(t)
	r.agent.then(func(_ context.Context, _ agent.Turn, h agent.Host) error {
		h.Emit(agent.TextDelta{Text: "the answer"})
		r.fuse.set(&storetest.Rig{At: 1, Kind: storetest.Crash})
		h.Emit(agent.MessageDone{})
		r.fuse.set(nil)
		return nil
	})
	r.say("ask")
	shown := false
	for _, e := range r.Items(0) {
		m, err := tree.Decode[tree.Assistant](e)
		shown = shown || e.Kind == tree.KindAssistant && err == nil && m.Text == "the answer"
	}
	if !shown || !strings.Contains(r.notices(), "could not be saved") {
		t.Errorf("shown %v, said:\n%s", shown, r.notices())
	}
}

// said waits until planmode said what.
func (r *rig) said(what string) {
	r.t.Helper()
	for !strings.Contains(r.notices(), what) {
		select {
		case <-r.Poked():
		case <-r.t.Context().Done():
			r.t.Fatalf("never said %q:\n%s", what, r.notices())
		}
	}
}

func TestFilesThatChangeArePointedOutBeforeTheDecision(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	<-r.watch.ready
	told := make(chan struct{})
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(_ context.Context, c Card) (Verdict, error) {
			<-told
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove}, nil
		}
	})
	r.agent.then(func(ctx context.Context, turn agent.Turn, h agent.Host) error {
		if err := os.WriteFile(filepath.Join(r.dir, "sneaky"), []byte("x"), 0o600); err != nil {
			return err
		}
		return submitting("", "Login", planText("login"))(ctx, turn, h)
	})
	if err := r.Send("go"); err != nil {
		t.Fatal(err)
	}
	r.said("Files changed while planning: sneaky")
	close(told)
	settle(t, r.Session)
}

func TestAWorkTreeThatCannotBeWatchedIsSaid(t *testing.T) {
	r := newRig(t)
	if err := os.RemoveAll(r.dir); err != nil {
		t.Fatal(err)
	}
	r.plan("on")
	r.said("will not be noticed")
}
