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
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/record"
)

// submitUnder submits a plan whose review and card are the given ones.
func submitUnder(t *testing.T, review func(context.Context, *revdiff.Job) (revdiff.Exit, error), decide func(context.Context, Card) (Verdict, error)) *rig {
	t.Helper()
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) { d.review, d.decide = review, decide })
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	return r
}

// never fails the test when anything of the session is approved.
func never(t *testing.T, r *rig) {
	t.Helper()
	st := r.View().State
	if st.Work != nil {
		t.Errorf("work exists: %+v", st.Work)
	}
	infos, err := r.store.Plans()
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range infos {
		m, err := r.store.Manifest(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range m.Decisions {
			if d.Kind == plan.DecidedApproved {
				t.Errorf("an approval is on record: %+v", d)
			}
		}
	}
}

func TestOnlyTheApproveRowApproves(t *testing.T) {
	cases := map[string]struct {
		decide   func(context.Context, Card) (Verdict, error)
		want     tool.DetailKind
		planning bool
	}{
		"keep planning":   {row(RowKeep), tool.DetailKeepPlanning, true},
		"cancel review":   {row(RowCancel), tool.DetailCancelled, true},
		"leave plan mode": {row(RowLeave), tool.DetailLeft, false},
		"an unknown row":  {row("surprise"), tool.DetailCancelled, true},
		"an answer to another review": {func(_ context.Context, c Card) (Verdict, error) {
			return Verdict{Review: "other", Hash: c.Ref.Hash, Row: RowApprove}, nil
		}, tool.DetailCancelled, true},
		"an answer about other bytes": {func(_ context.Context, c Card) (Verdict, error) {
			return Verdict{Review: c.Review, Hash: plan.HashOf([]byte("x")), Row: RowApprove}, nil
		}, tool.DetailCancelled, true},
		"an option that was not offered": {func(_ context.Context, c Card) (Verdict, error) {
			n := 2
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove, Option: &n}, nil
		}, tool.DetailCancelled, true},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			r := submitUnder(t, clean, tt.decide)
			never(t, r)
			st := r.View().State
			if got := r.lastResult().Kind; got != tt.want || st.IsPlanning() != tt.planning || st.Planning == nil || st.Review != nil {
				t.Errorf("result %q, state %+v\n%s", got, st, r.notices())
			}
		})
	}
}

func TestAReviewThatNobodyCanAnswerStaysOpen(t *testing.T) {
	gone := func(context.Context, Card) (Verdict, error) { return Verdict{}, errNoAnswer }
	r := submitUnder(t, clean, gone)
	never(t, r)
	if st := r.View().State; st.Review == nil || !st.IsPlanning() {
		t.Fatalf("state %+v", st)
	}
	if got := r.lastResult().Kind; got != tool.DetailInterrupted {
		t.Errorf("the result says that the person answered: %q", got)
	}
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
	r.agent.then(submitting(r.View().State.Planning.Plan, "Login", planText("better login")))
	r.say("go on")
	if st := r.View().State; st.Review != nil || st.Planning.Revision != 2 {
		t.Errorf("the next submission found %+v\n%s", st, r.notices())
	}
}

func TestNoEndOfTheReviewerApproves(t *testing.T) {
	write := func(body string, code int) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
		return func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			raw := record.Format([]record.Record{{Path: j.Copy, Line: 1, Type: record.Context, Body: body}})
			return revdiff.Exit{Started: true, Code: code}, os.WriteFile(j.Output, raw, 0o600)
		}
	}
	cases := map[string]struct {
		review func(context.Context, *revdiff.Job) (revdiff.Exit, error)
		says   string // of the card; empty when there must be none
	}{
		"killed": {func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Started: true, Code: -1, Signal: "SIGKILL"}, nil
		}, "interrupted"},
		"flushed, then discarded": {write("note", 0), "discarded"},
		"edited in place": {func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Started: true}, os.WriteFile(j.Copy, []byte(planText("mine")), 0o600)
		}, "edited"},
		"its copy is gone": {func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Started: true}, os.Remove(j.Copy)
		}, "contradicts"},
		"code 10 without a note": {func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Started: true, Code: 10}, nil
		}, "contradicts"},
		"nothing to say": {clean, "no annotations were recorded"},
		"could not be run": {func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Err: os.ErrNotExist}, nil
		}, ""},
		"failed": {func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Started: true, Code: 1}, nil
		}, ""},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			r := submitUnder(t, tt.review, row(RowCancel))
			never(t, r)
			cards := r.desk.shown()
			if tt.says == "" {
				if len(cards) != 0 || !strings.Contains(r.notices(), "Nothing was approved") {
					t.Errorf("%d cards, said:\n%s", len(cards), r.notices())
				}
				return
			}
			if len(cards) != 1 || !strings.Contains(cards[0].Outcome, tt.says) || cards[0].Start == RowApprove {
				t.Errorf("cards: %+v", cards)
			}
			if strings.Contains(strings.ToLower(cards[0].Outcome), "good") {
				t.Errorf("the card praises: %q", cards[0].Outcome)
			}
		})
	}
}

func TestAFileChangedDuringTheReviewIsNotApproved(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(_ context.Context, c Card) (Verdict, error) {
			path := r.store.RevisionPath(c.Ref)
			_ = os.Chmod(path, 0o600)
			if err := os.WriteFile(path, []byte("something else\n"), 0o600); err != nil {
				t.Error(err)
			}
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove}, nil
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	never(t, r)
	if d := r.lastResult(); d.Kind != tool.DetailIntegrityError || !r.View().State.IsPlanning() {
		t.Errorf("result %+v\n%s", d, r.notices())
	}
}

func TestARevisionReplacedByASymlinkIsNotApproved(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(_ context.Context, c Card) (Verdict, error) {
			path, other := r.store.RevisionPath(c.Ref), filepath.Join(t.TempDir(), "same.md")
			if err := os.WriteFile(other, []byte(planText("login")), 0o600); err != nil {
				t.Error(err)
			}
			_ = os.Remove(path)
			if err := os.Symlink(other, path); err != nil {
				t.Error(err)
			}
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove}, nil
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	never(t, r)
}

func TestLeavingPlanModeWhileTheCardIsOpenVoidsIt(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	open := make(chan Card)
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(ctx context.Context, c Card) (Verdict, error) {
			open <- c
			<-ctx.Done()
			// A late answer must not count.
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowApprove}, nil
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	if err := r.Send("plan the login"); err != nil {
		t.Fatal(err)
	}
	<-open
	r.plan("off")
	never(t, r)
	st := r.View().State
	if st.IsPlanning() || st.Review != nil || st.Planning == nil {
		t.Errorf("state is %+v\n%s", st, r.notices())
	}
}

func TestAModeChangeStopsTheCallsInFlight(t *testing.T) {
	r := newRig(t)
	started := make(chan struct{})
	target := filepath.Join(t.TempDir(), "file")
	r.desk.set(func(d *scriptDesk) {
		d.permit = func(ctx context.Context, _ Permit) (Grant, error) {
			close(started)
			<-ctx.Done()
			return Grant{Answer: GrantOnce}, nil // too late
		}
	})
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		_, _, err := h.Batch(ctx, []tool.Call{
			{ID: "1", Name: "write", Args: tool.Marshal(map[string]string{"path": target, "content": "x"})},
			{ID: "2", Name: "write", Args: tool.Marshal(map[string]string{"path": target, "content": "y"})},
		})
		return err
	})
	if err := r.Send("write it"); err != nil {
		t.Fatal(err)
	}
	<-started
	r.plan("on")
	if _, err := os.Lstat(target); err == nil {
		t.Error("a write ran although planning had begun")
	}
	if !r.View().State.IsPlanning() {
		t.Errorf("not planning: %s", r.notices())
	}
}

func TestEditsInTheReviewerBecomeARevisionThatIsReviewedAgain(t *testing.T) {
	mine := planText("my own wording")
	edits := 0
	review := func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		if edits++; edits > 1 {
			return revdiff.Exit{Started: true}, nil
		}
		return revdiff.Exit{Started: true}, os.WriteFile(j.Copy, []byte(mine), 0o600)
	}
	decide := func(_ context.Context, c Card) (Verdict, error) {
		v := Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowUseEdits}
		if c.Ref.Revision == 2 {
			v.Row = RowApprove
		}
		return v, nil
	}
	r := submitUnder(t, review, decide)
	st := r.View().State
	if st.OpenWork() == nil || st.Work.Ref.Revision != 2 {
		t.Fatalf("state %+v\n%s", st, r.notices())
	}
	m, err := r.store.Manifest(st.Work.Ref.Plan)
	if err != nil || m.Revisions[1].Author != plan.ByUser || m.Revisions[1].BasedOn != 1 {
		t.Errorf("manifest %+v %v", m.Revisions, err)
	}
	if text, _ := r.store.Revision(st.Work.Ref); string(text) != mine {
		t.Errorf("approved %q", text)
	}
	if text, _ := r.store.Revision(plan.Ref{Plan: m.PlanID, Revision: 1, Hash: m.Revisions[0].Hash}); string(text) != planText("login") {
		t.Error("r1 was changed")
	}
}

func TestRequestedChangesReachTheAgentWithTheirPlace(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	var told string
	r.desk.set(func(d *scriptDesk) { d.review = noting(5, "which users?") })
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		res, _, err := call(ctx, h, "submit_plan", tool.SubmitArgs{Title: "Login", Markdown: planText("login")})
		told = res.Text
		return err
	})
	r.say("go")
	for _, want := range []string{"which users?", "Goal", "About login.", string(r.View().State.Planning.Plan)} {
		if !strings.Contains(told, want) {
			t.Errorf("the agent is not told %q:\n%s", want, told)
		}
	}
	var batch tree.Annotations
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindAnnotations {
			batch, _ = tree.Decode[tree.Annotations](e)
		}
	}
	if len(batch.Items) != 1 || batch.Items[0].Quote != "About login." {
		t.Errorf("kept %+v", batch)
	}
	if raw, err := r.store.Review(batch.Ref.Plan, 1, 1); err != nil || len(raw) == 0 {
		t.Errorf("the bytes of the round are not kept: %q %v", raw, err)
	}
}

func TestNotesOfACancelledReviewAreOfferedAgain(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	discarded := func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		raw := record.Format([]record.Record{{Path: j.Copy, Line: 5, Type: record.Context, Body: "unsent"}})
		return revdiff.Exit{Started: true}, os.WriteFile(j.Output, raw, 0o600)
	}
	r.desk.set(func(d *scriptDesk) { d.review = discarded })
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("go")
	var args []string
	r.desk.set(func(d *scriptDesk) {
		d.review = func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			args = j.Args
			return revdiff.Exit{Started: true}, nil
		}
	})
	r.plan("review")
	if !strings.Contains(strings.Join(args, " "), "--annotations=") {
		t.Errorf("the reviewer was started without the unsent notes: %v", args)
	}
}

func TestReviewByCommandHandsNotesToTheAgent(t *testing.T) {
	r, ref := submitted(t)
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(_ context.Context, c Card) (Verdict, error) {
			return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowRequestChanges, Text: "shorter"}, nil
		}
	})
	r.plan("review")
	turns := r.agent.told()
	last := turns[len(turns)-1].Messages
	m := last[len(last)-1]
	if m.Feedback == nil || m.Feedback.Request != "shorter" || !strings.Contains(m.Text, "shorter") || m.Feedback.Plan != ref.Plan {
		t.Errorf("the agent was told %+v", m)
	}
}

func TestReviewByCommandCanApprove(t *testing.T) {
	r, ref := submitted(t)
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowApprove) })
	r.plan("review")
	if w := r.View().State.OpenWork(); w == nil || w.Ref != ref {
		t.Fatalf("state %+v\n%s", r.View().State, r.notices())
	}
	turns := r.agent.told()
	last := turns[len(turns)-1].Messages
	if last[len(last)-1].Role != agent.RoleHandoff {
		t.Errorf("no hand-off: %+v", last[len(last)-1])
	}
}

func TestARoundIsNeverNumberedTwice(t *testing.T) {
	r, ref := submitted(t)
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(context.Context, Card) (Verdict, error) { return Verdict{}, errors.New("nobody answers") }
	})
	for range 3 {
		r.plan("review")
	}
	seen := map[int]bool{}
	for _, e := range r.Items(0) {
		if ev, _, err := tree.Event(e); err == nil && e.Kind == plan.KindReviewOpened {
			round := ev.(plan.ReviewOpened).Round
			if seen[round] {
				t.Errorf("round %d of %s was shown twice", round, ref)
			}
			seen[round] = true
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %d showings", len(seen))
	}
}
