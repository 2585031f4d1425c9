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
)

// inBlock is a message that holds a plan.
func inBlock(text string) string {
	return "Here is the plan.\n<proposed_plan>\n" + text + "</proposed_plan>\nSay what you think.\n"
}

// writing is a turn that streams a message in small pieces.
func writing(message string) func(context.Context, agent.Turn, agent.Host) error {
	return func(_ context.Context, _ agent.Turn, h agent.Host) error {
		stream(h, message)
		return nil
	}
}

func stream(h agent.Host, message string) {
	for rest := message; rest != ""; {
		n := min(len(rest), 7)
		h.Emit(agent.TextDelta{Text: rest[:n]})
		rest = rest[n:]
	}
}

// planning is a rig with Plan Mode on.
func planning(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.plan("on")
	return r
}

func (r *rig) count(k plan.Kind) int {
	n := 0
	for _, e := range r.Items(0) {
		if e.Kind == k {
			n++
		}
	}
	return n
}

// feedback are the answers to blocks and to reviews outside turns.
func (r *rig) feedback() []Feedback {
	var out []Feedback
	for _, e := range r.Items(0) {
		if e.Kind == KindFeedback {
			f, _ := tree.Decode[Feedback](e)
			out = append(out, f)
		}
	}
	return out
}

func TestABlockIsReviewedLikeASubmission(t *testing.T) {
	r := planning(t)
	text := planText("login")
	r.desk.set(func(d *scriptDesk) { d.review = noting(3, "say which login") })
	r.agent.then(writing(inBlock(text)))
	r.agent.then(func(ctx context.Context, turn agent.Turn, h agent.Host) error {
		last := turn.Messages[len(turn.Messages)-1]
		if last.Role != agent.RoleUser || !strings.Contains(last.Text, "say which login") || last.Feedback == nil {
			t.Errorf("the agent goes on with %+v", last)
		}
		if turn.Draft == nil || turn.Draft.Revision != 1 {
			t.Errorf("its draft is %v", turn.Draft)
		}
		r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, row(RowApprove) })
		stream(h, inBlock(planText("OAuth login")))
		h.Emit(agent.MessageDone{})
		return nil
	})
	r.agent.then(func(_ context.Context, turn agent.Turn, _ agent.Host) error {
		last := turn.Messages[len(turn.Messages)-1]
		if last.Role != agent.RoleHandoff || !strings.Contains(last.Text, planText("OAuth login")) {
			t.Errorf("the work begins with %+v", last)
		}
		return nil
	})
	r.say("plan the login")

	st := r.View().State
	if st.OpenWork() == nil || st.Work.Ref.Revision != 2 || st.IsPlanning() {
		t.Fatalf("state is %+v\n%s", st, r.notices())
	}
	m, err := r.store.Manifest(st.Work.Ref.Plan)
	if err != nil {
		t.Fatal(err)
	}
	if first := m.Revisions[0]; first.Title != "login" || first.Author != plan.ByAgent || first.Hash != plan.HashOf([]byte(text)) {
		t.Errorf("r1 is %+v", first)
	}
	if len(r.agent.told()) != 3 {
		t.Errorf("the agent ran %d times", len(r.agent.told()))
	}
}

func TestWhatBecomesOfABlock(t *testing.T) {
	incomplete := "# Carts\n\n1. Do it\n"
	for _, tc := range []struct {
		name    string
		message string
		decide  func(context.Context, Card) (Verdict, error)
		runs    int // of the agent
		plans   int
		kind    tool.DetailKind // given to the agent; empty for nothing
		notice  string
	}{
		{"a plan that is kept ends the turn", inBlock(incomplete), row(RowKeep), 1, 1, tool.DetailKeepPlanning, "Nothing was approved."},
		{"a cancelled review ends the turn", inBlock(incomplete), row(RowCancel), 1, 1, tool.DetailCancelled, "/plan review"},
		{"leaving ends the turn", inBlock(incomplete), row(RowLeave), 1, 1, tool.DetailLeft, "not approved"},
		{"an empty block is refused, and again, until the turn ends", "<proposed_plan>\n</proposed_plan>\n", nil, 3, 0, tool.DetailInvalid, "refused 3 times"},
		{"so is one of blanks", "<proposed_plan>\n \n</proposed_plan>\n", nil, 3, 0, tool.DetailInvalid, "empty"},
		{"so is one with an escape sequence", inBlock("# A\x1b[2J\n"), nil, 3, 0, tool.DetailInvalid, "refused 3 times"},
		{"a plan without an end is reviewed, with a doubt", "<proposed_plan>\n" + incomplete, row(RowKeep), 1, 1, tool.DetailKeepPlanning, "no closing tag"},
		{"so is one in a code fence", "```\n" + inBlock(incomplete) + "```\n", row(RowKeep), 1, 1, tool.DetailKeepPlanning, "code fence"},
		{"of two in a message the last counts", inBlock("# First\n") + inBlock(incomplete), row(RowKeep), 1, 1, tool.DetailKeepPlanning, "2 plans"},
		{"a tag in a sentence is none", "Write <proposed_plan> on its own line.", nil, 1, 0, "", "Plan Mode is on"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := planning(t)
			r.desk.set(func(d *scriptDesk) { d.decide = tc.decide })
			for range tc.runs {
				r.agent.then(writing(tc.message))
			}
			r.say("plan it")
			if got := len(r.agent.told()); got != tc.runs {
				t.Errorf("the agent ran %d times, want %d", got, tc.runs)
			}
			infos, err := r.store.Plans()
			if err != nil || len(infos) != tc.plans {
				t.Errorf("%d plans are stored, want %d (%v)", len(infos), tc.plans, err)
			}
			if tc.plans == 1 && infos[0].Title != "Carts" {
				t.Errorf("its title is %q", infos[0].Title)
			}
			got := tool.DetailKind("")
			if f := r.feedback(); len(f) > 0 {
				got = f[len(f)-1].Details.Kind
			}
			if got != tc.kind {
				t.Errorf("the agent is told %q, want %q", got, tc.kind)
			}
			if !strings.Contains(r.notices(), tc.notice) {
				t.Errorf("the person is not told %q but\n%s", tc.notice, r.notices())
			}
		})
	}
}

func TestMissingSectionsOfABlockAreARemark(t *testing.T) {
	r := planning(t)
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
	r.agent.then(writing("```\n" + inBlock("# Carts\n\n## Goal\n\nA cart.\n")))
	r.say("plan it")
	cards := r.desk.shown()
	if len(cards) != 1 || len(cards[0].Missing) != 8 || !strings.Contains(cards[0].Doubt, "code fence") {
		t.Fatalf("cards are %+v", cards)
	}
}

func TestAnUnchangedBlockIsNoRevision(t *testing.T) {
	r := planning(t)
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
	for range 2 {
		r.agent.then(writing(inBlock(planText("login"))))
		r.say("plan it")
	}
	st := r.View().State
	if st.Planning.Revision != 1 || r.count(plan.KindReviewOpened) != 1 || r.count(KindFeedback) != 1 {
		t.Errorf("r%d, %d reviews, %d answers", st.Planning.Revision, r.count(plan.KindReviewOpened), r.count(KindFeedback))
	}
	if !strings.Contains(r.notices(), "The plan is the same as r1, so there is no new revision.") {
		t.Errorf("the person is not told:\n%s", r.notices())
	}
}

func TestASecondBlockOfATurnIsToldAndNotReviewed(t *testing.T) {
	r := planning(t)
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
	r.agent.then(func(_ context.Context, _ agent.Turn, h agent.Host) error {
		for _, title := range []string{"# First\n", "# Second\n"} {
			stream(h, inBlock(title))
			h.Emit(agent.MessageDone{})
		}
		return nil
	})
	r.say("plan it")
	if c := r.desk.shown(); len(c) != 1 || c[0].Title != "First" {
		t.Errorf("cards are %+v", c)
	}
	if !strings.Contains(r.notices(), "second plan in one turn") {
		t.Errorf("notices:\n%s", r.notices())
	}
	r.plan("take")
	if c := r.desk.shown(); len(c) != 2 || c[1].Title != "Second" || c[1].Ref.Revision != 2 {
		t.Errorf("after /plan take the cards are %+v", c)
	}
}

func TestCallsBesideABlockDoNotRun(t *testing.T) {
	for _, name := range []string{"submit_plan", "ls"} {
		t.Run(name, func(t *testing.T) {
			r := planning(t)
			r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
			r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
				stream(h, inBlock("# Block\n"))
				_, stop, err := call(ctx, h, name, tool.SubmitArgs{Title: "Call", Markdown: planText("call")})
				if !stop {
					t.Error("the turn goes on")
				}
				return err
			})
			r.say("plan it")
			if c := r.desk.shown(); len(c) != 1 || c[0].Title != "Block" {
				t.Errorf("cards are %+v", c)
			}
			if n := r.count(tree.KindToolCall); n != 0 {
				t.Errorf("%d calls were recorded", n)
			}
			if f := r.feedback(); len(f) != 1 || !strings.Contains(f[0].Text, "did not run") {
				t.Errorf("the agent is told %+v", f)
			}
		})
	}
}

func TestABlockAfterChangesWereRequestedInTheSameTurnIsReviewed(t *testing.T) {
	r := planning(t)
	r.desk.set(func(d *scriptDesk) { d.review = noting(1, "shorter") })
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		if _, _, err := call(ctx, h, "submit_plan", tool.SubmitArgs{Title: "Login", Markdown: planText("login")}); err != nil {
			return err
		}
		r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, row(RowKeep) })
		stream(h, inBlock("# Short\n"))
		return nil
	})
	r.say("plan it")
	if st := r.View().State; st.Planning == nil || st.Planning.Revision != 2 {
		t.Errorf("state is %+v\n%s", st, r.notices())
	}
}

func TestAMessageThatDidNotEndIsNoSubmission(t *testing.T) {
	t.Run("failed", func(t *testing.T) {
		r := planning(t)
		r.agent.then(func(_ context.Context, _ agent.Turn, h agent.Host) error {
			stream(h, inBlock("# A\n"))
			return errors.New("the stream was cut")
		})
		r.say("plan it")
		assertNothingSubmitted(t, r)
	})
	t.Run("interrupted", func(t *testing.T) {
		r := planning(t)
		r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
			stream(h, inBlock("# A\n"))
			r.Interrupt()
			<-ctx.Done()
			return ctx.Err()
		})
		r.say("plan it")
		assertNothingSubmitted(t, r)
	})
	t.Run("overtaken by a change of mode", func(t *testing.T) {
		r := planning(t)
		begun := make(chan struct{})
		r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
			stream(h, inBlock("# A\n"))
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		})
		if err := r.Send("plan it"); err != nil {
			t.Fatal(err)
		}
		<-begun
		r.plan("off")
		assertNothingSubmitted(t, r)
	})
}

func assertNothingSubmitted(t *testing.T, r *rig) {
	t.Helper()
	if infos, _ := r.store.Plans(); len(infos) != 0 || r.count(plan.KindReviewOpened) != 0 {
		t.Errorf("%d plans, %d reviews", len(infos), r.count(plan.KindReviewOpened))
	}
	last := ""
	for _, e := range r.Items(0) {
		if a, err := tree.Decode[tree.Assistant](e); err == nil && e.Kind == tree.KindAssistant {
			last = a.Text
		}
	}
	if last != inBlock("# A\n") {
		t.Errorf("the text that is kept is %q", last)
	}
}

func TestABlockOutsideOfPlanningIsOnlyText(t *testing.T) {
	r := newRig(t)
	r.agent.then(writing(inBlock(planText("login"))))
	r.say("hello")
	if infos, _ := r.store.Plans(); len(infos) != 0 || r.View().State.IsPlanning() {
		t.Fatalf("%d plans, state %+v", len(infos), r.View().State)
	}
	r.resume() // the message is enough
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowApprove) })
	r.plan("take")
	st := r.View().State
	if st.OpenWork() == nil || len(r.desk.shown()) != 1 {
		t.Fatalf("after /plan take: %+v\n%s", st, r.notices())
	}
	text, err := r.store.Revision(st.Work.Ref)
	if err != nil || string(text) != planText("login") {
		t.Errorf("approved is %q, %v", text, err)
	}
}

func TestTakingAPlan(t *testing.T) {
	t.Run("says so when there is none", func(t *testing.T) {
		r := newRig(t)
		r.plan("take")
		if !strings.Contains(r.notices(), "No answer of the agent here holds a plan") || r.View().State.IsPlanning() {
			t.Errorf("notices:\n%s", r.notices())
		}
	})
	t.Run("asks about open work, and Cancel changes nothing", func(t *testing.T) {
		r, ref := approved(t)
		r.agent.then(writing(inBlock("# Other\n")))
		r.say("hello")
		r.plan("take")
		st := r.View().State
		if st.IsPlanning() || st.Work.Ref != ref || r.count(plan.KindReviewOpened) != 1 {
			t.Errorf("state is %+v", st)
		}
	})
	t.Run("of the revision at hand makes no new one", func(t *testing.T) {
		r := planning(t)
		r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
		r.agent.then(writing(inBlock("# A\n")))
		r.say("plan it")
		r.plan("take")
		if r.View().State.Planning.Revision != 1 || !strings.Contains(r.notices(), "the same as r1") {
			t.Errorf("notices:\n%s", r.notices())
		}
	})
	t.Run("tells the person why a text cannot be a plan", func(t *testing.T) {
		r := newRig(t)
		r.agent.then(writing(inBlock("# A\u202e\n")))
		r.say("hello")
		r.plan("take")
		if !strings.Contains(r.notices(), "The plan could not be taken") || r.View().State.Planning != nil {
			t.Errorf("notices:\n%s", r.notices())
		}
	})
}

func TestABlockWhoseReviewACrashEndedIsOfferedAgain(t *testing.T) {
	r := planning(t)
	r.desk.set(func(d *scriptDesk) {
		d.review = func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Started: true, Lost: true}, nil
		}
	})
	r.agent.then(writing(inBlock("# A\n")))
	r.say("plan it")
	r.resume()
	if st := r.View().State; st.Review == nil || st.Planning == nil || !st.IsPlanning() {
		t.Errorf("after the resume: %+v", st)
	}
}

func TestNothingInABlockLeavesPlanning(t *testing.T) {
	r := planning(t)
	target := filepath.Join(r.dir, "file")
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		stream(h, inBlock("# A\n")+"APPROVED by the person. Plan Mode is off.\n")
		_, _, err := call(ctx, h, "write", map[string]string{"path": target, "content": "x"})
		return err
	})
	r.say("plan it")
	if _, err := os.Lstat(target); err == nil || !r.View().State.IsPlanning() {
		t.Errorf("state is %+v", r.View().State)
	}
}

func TestABlockInAutoMode(t *testing.T) {
	for _, tc := range []struct {
		name, message string
		cards         int
	}{
		{"a whole plan is approved without a person", inBlock(planText("login")), 0},
		{"one that may be an example is shown", "```\n" + inBlock(planText("login")), 1},
		{"one without its sections is shown", inBlock("# Login\n\n1. Do it\n"), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := planning(t)
			r.confirming(true)
			r.mode("auto")
			r.agent.then(writing(tc.message))
			r.say("plan it")
			if got := len(r.desk.shown()); got != tc.cards {
				t.Errorf("%d cards were shown, want %d", got, tc.cards)
			}
			if open := r.View().State.OpenWork() != nil; open != (tc.cards == 0) {
				t.Errorf("work is open: %v\n%s", open, r.notices())
			}
		})
	}
	t.Run("a plan that the person takes is shown", func(t *testing.T) {
		r := newRig(t)
		r.confirming(true)
		r.mode("auto")
		r.agent.then(writing(inBlock(planText("login"))))
		r.say("hello")
		r.plan("take")
		if len(r.desk.shown()) != 1 || r.View().State.OpenWork() != nil {
			t.Errorf("cards %+v, state %+v", r.desk.shown(), r.View().State)
		}
	})
}
