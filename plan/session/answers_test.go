package session

import (
	"context"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/store/storetest"
)

// answeredThenGone leaves the questions open with the process gone: nothing
// reaches the disk after commit returned what it did.
func answeredThenGone(t *testing.T, commit func(QuestionSet), entries int) *rig {
	t.Helper()
	r := newRig(t)
	r.plan("on")
	gone := make(chan struct{})
	r.desk.set(func(d *scriptDesk) {
		d.inquire = func(ctx context.Context, q QuestionSet) (Answers, error) {
			commit(q)
			for len(answersIn(r.Items(0))) < entries && ctx.Err() == nil {
				<-r.Poked()
			}
			r.fuse.set(&storetest.Rig{At: 1, Kind: storetest.Crash})
			close(gone)
			<-ctx.Done()
			return Answers{}, ctx.Err()
		}
	})
	r.agent.then(talking(tool.AskName, inquiries(), nil))
	if err := r.Send("plan it"); err != nil {
		t.Fatal(err)
	}
	<-gone
	r.restart()
	return r
}

func answersIn(items []Item) (out []tree.Answer) {
	for _, e := range items {
		if e.Kind == tree.KindAnswer {
			a, _ := tree.Decode[tree.Answer](e)
			out = append(out, a)
		}
	}
	return out
}

func resultsIn(t *testing.T, items []Item) (out []tool.QuestionDetails) {
	t.Helper()
	for _, e := range items {
		if r, err := tree.Decode[tree.ToolResult](e); e.Kind == tree.KindToolResult && err == nil {
			out = append(out, detailsAs[tool.QuestionDetails](t, tool.Result{Details: r.Details}))
		}
	}
	return out
}

func TestAnswersOutliveTheProcess(t *testing.T) {
	r := answeredThenGone(t, func(q QuestionSet) {
		q.Committed(0, Reply{Answered: true, Choice: 1, Note: "for now"})
		q.Committed(1, Reply{Answered: true, Choice: 0})
		q.Committed(1, Reply{Answered: true, Choice: -1, Text: "只有店主"})
		q.Committed(2, Reply{Answered: true, Choice: 0})
		q.Committed(2, Reply{Choice: -1}) // taken back
	}, 5)
	got := resultsIn(t, r.Items(0))
	if len(got) != 1 || got[0].Kind != tool.DetailInterrupted || len(got[0].Questions) != 3 {
		t.Fatalf("results %+v", got)
	}
	if q := got[0].Questions; q[0].Choice != "A database" || q[0].Note != "for now" || q[1].Text != "只有店主" || q[1].Choice != "" || q[2].Answered {
		t.Errorf("answers %+v", q)
	}
	if said := r.notices(); !strings.Contains(said, "is kept (2 of 3 questions)") {
		t.Errorf("the person was told:\n%s", said)
	}
	if !r.View().State.IsPlanning() {
		t.Error("planning ended")
	}
	r.say("go on")
	turns := r.agent.told()
	told := turns[len(turns)-1].Messages
	for _, m := range told {
		for _, res := range m.Results {
			if strings.Contains(res.Text, "Answer: A database") && strings.Contains(res.Text, "只有店主") {
				r.resume()
				if n := len(resultsIn(t, r.Items(0))); n != 1 {
					t.Errorf("%d results after another start", n)
				}
				return
			}
		}
	}
	t.Errorf("the agent was not told: %+v", told)
}

func TestWithoutAnAnswerTheQuestionsAreJustUnfinished(t *testing.T) {
	r := answeredThenGone(t, func(QuestionSet) {}, 0)
	if got := resultsIn(t, r.Items(0)); len(got) != 0 || strings.Contains(r.notices(), "is kept") {
		t.Errorf("results %+v, told:\n%s", got, r.notices())
	}
}

func TestTheSameReplyTwiceIsOneEntry(t *testing.T) {
	r := answeredThenGone(t, func(q QuestionSet) {
		for range 3 {
			q.Committed(0, Reply{Answered: true, Choice: 0})
		}
		q.Committed(7, Reply{Answered: true}) // no such question
	}, 1)
	if got := answersIn(r.Items(0)); len(got) != 1 {
		t.Errorf("entries %+v", got)
	}
}

func TestAnAnswerThatCannotBeSavedCountsAndIsTold(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.inquire = func(_ context.Context, q QuestionSet) (Answers, error) {
			r.fuse.set(&storetest.Rig{At: 1, Last: 1 << 20, Kind: storetest.Fails})
			q.Committed(0, Reply{Answered: true, Choice: 0})
			for !strings.Contains(r.notices(), "could not be saved yet") {
				<-r.Poked()
			}
			r.fuse.set(nil)
			return Answers{Replies: []Reply{{Answered: true, Choice: 0}}}, nil
		}
	})
	r.agent.then(talking(tool.AskName, inquiries(), nil))
	r.say("plan it")
	if got := resultsIn(t, r.Items(0)); len(got) != 1 || got[0].Questions[0].Choice != "Files" {
		t.Errorf("results %+v", got)
	}
}

func TestUnfinishedQuestions(t *testing.T) {
	call := func(id string) func() (plan.Kind, any) {
		return func() (plan.Kind, any) {
			return tree.KindToolCall, tree.ToolCall{Call: id, Name: tool.AskName, Args: tool.Marshal(inquiries())}
		}
	}
	answer := func(id string, index int) func() (plan.Kind, any) {
		return func() (plan.Kind, any) {
			return tree.KindAnswer, tree.Answer{Call: id, Index: index, Answered: true, Choice: "Files"}
		}
	}
	user := func() (plan.Kind, any) { return tree.KindUser, tree.User{Text: "hello"} }
	result := func() (plan.Kind, any) { return tree.KindToolResult, tree.ToolResult{Call: "a", Name: tool.AskName} }
	for name, c := range map[string]struct {
		branch []func() (plan.Kind, any)
		want   int
	}{
		"an answer without a result is unfinished":     {[]func() (plan.Kind, any){call("a"), answer("a", 2)}, 1},
		"a result ends the questions":                  {[]func() (plan.Kind, any){call("a"), answer("a", 0), result}, 0},
		"a message ends the questions":                 {[]func() (plan.Kind, any){call("a"), answer("a", 0), user}, 0},
		"an answer to another call is none":            {[]func() (plan.Kind, any){call("a"), answer("b", 0)}, 0},
		"an answer to a question that is not is none":  {[]func() (plan.Kind, any){call("a"), answer("a", 3), answer("a", -1)}, 0},
		"an answer before its call is none":            {[]func() (plan.Kind, any){answer("a", 0), call("a")}, 0},
		"an id used again is the later call":           {[]func() (plan.Kind, any){call("a"), answer("a", 0), result, user, call("a"), answer("a", 1)}, 1},
		"of two calls each one has answers of its own": {[]func() (plan.Kind, any){call("a"), call("b"), answer("b", 0), result}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var branch []Item
			for _, f := range c.branch {
				kind, body := f()
				e, err := tree.New("0123456789ab", "", plan.Time{}, kind, body)
				if err != nil {
					t.Fatal(err)
				}
				branch = append(branch, e)
			}
			if got := unfinishedQuestions(branch); len(got) != c.want {
				t.Errorf("%d unfinished, want %d: %+v", len(got), c.want, got)
			}
		})
	}
}
