package session

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// talking is a turn that makes one call; the result is given to then, if any.
func talking(name string, args any, then func(tool.Result, bool)) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		r, stop, err := call(ctx, h, name, args)
		if then != nil {
			then(r, stop)
		}
		return err
	}
}

func inquiries() tool.QuestionArgs {
	two := []tool.Answer{{Label: "Files", Recommended: true}, {Label: "A database"}}
	return tool.QuestionArgs{Questions: []tool.Inquiry{
		{Question: "Where are the carts kept?", Options: two},
		{Question: "Who may see a cart?", Options: two},
		{Question: "Which currency?", Options: two},
	}}
}

func detailsAs[T any](t *testing.T, r tool.Result) T {
	t.Helper()
	var d T
	if err := json.Unmarshal(r.Details, &d); err != nil {
		t.Fatalf("details %s: %v", r.Details, err)
	}
	return d
}

func TestAnswersReachTheAgentAndTheRestIsNotTakenForConsent(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.inquire = func(context.Context, QuestionSet) (Answers, error) {
			return Answers{Replies: []Reply{{Answered: true, Choice: 1, Note: "for now"}, {Answered: true, Choice: -1, Text: "only its owner\nand support"}, {Choice: 0}}}, nil
		}
	})
	var got tool.Result
	r.agent.then(talking(tool.AskName, inquiries(), func(res tool.Result, stop bool) {
		if got = res; stop {
			t.Error("the turn was ended")
		}
	}))
	r.say("plan it")
	for _, want := range []string{"1 question of 3 unanswered", "Answer: A database", "Their note: for now", "only its owner\n   and support", "3. Which currency?\n   Not answered.", "did not agree to the recommended"} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("no %q in:\n%s", want, got.Text)
		}
	}
	d := detailsAs[tool.QuestionDetails](t, got)
	if d.Kind != tool.DetailDismissed || d.Questions[2].Answered || d.Questions[2].Choice != "" {
		t.Errorf("details %+v", d)
	}
	if st := r.View().State; !st.IsPlanning() {
		t.Error("answering changed the mode")
	}
	never(t, r)
}

func TestAnInterruptKeepsTheAnswersThatWereCommitted(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	committed := make(chan struct{})
	r.desk.set(func(d *scriptDesk) {
		d.inquire = func(ctx context.Context, q QuestionSet) (Answers, error) {
			q.Committed(0, Reply{Answered: true, Choice: 0})
			q.Committed(1, Reply{Answered: true, Choice: 1})
			q.Committed(1, Reply{Choice: -1}) // taken back
			close(committed)
			<-ctx.Done()
			return Answers{}, ctx.Err()
		}
	})
	r.agent.then(talking(tool.AskName, inquiries(), nil))
	if err := r.Send("plan it"); err != nil {
		t.Fatal(err)
	}
	<-committed
	r.Interrupt()
	settle(t, r.Session)
	var d tool.QuestionDetails
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindToolResult {
			res, _ := tree.Decode[tree.ToolResult](e)
			d = detailsAs[tool.QuestionDetails](t, tool.Result{Details: res.Details})
		}
	}
	if d.Kind != tool.DetailInterrupted || len(d.Questions) != 3 || d.Questions[0].Choice != "Files" || d.Questions[1].Answered {
		t.Errorf("details %+v", d)
	}
	if !r.View().State.IsPlanning() {
		t.Error("an interrupt left planning")
	}
}

func TestQuestionsAreRefusedOutsidePlanning(t *testing.T) {
	r := newRig(t)
	var got tool.Result
	r.agent.then(talking(tool.AskName, inquiries(), func(res tool.Result, _ bool) { got = res }))
	r.say("hello")
	if !got.Error || !strings.Contains(got.Text, "only available in Plan Mode") {
		t.Errorf("got %+v", got)
	}
}

func TestAProposalToPlanIsThePersonsToAccept(t *testing.T) {
	r := newRig(t)
	r.desk.set(func(d *scriptDesk) { d.ask = chooseLabel("Turn Plan Mode on") })
	r.agent.then(talking(tool.EnterName, tool.EnterArgs{Reason: "It touches\x1b[2J the storage."}, func(res tool.Result, stop bool) {
		if !stop || res.Error {
			t.Errorf("got %+v, stop %t", res, stop)
		}
	}))
	var next agent.Turn
	r.agent.then(func(_ context.Context, turn agent.Turn, _ agent.Host) error {
		next = turn
		return nil
	})
	r.say("add a cart")
	if !r.View().State.IsPlanning() || next.Mode != plan.ModePlanning {
		t.Fatalf("state %+v, next turn in %q", r.View().State, next.Mode)
	}
	last := next.Messages[len(next.Messages)-1]
	if len(last.Results) != 1 || !strings.Contains(last.Results[0].Text, "The person agreed") {
		t.Errorf("the next turn goes on from %+v", last)
	}
	q := r.desk.asked[0]
	if !strings.Contains(q.Body, "It touches the storage.") || q.Cancel != 1 {
		t.Errorf("asked %+v", q)
	}
}

func TestADeclinedProposalIsNotMadeAgainForTheSameRequest(t *testing.T) {
	r := newRig(t)
	var texts []string
	keep := func(res tool.Result, stop bool) {
		texts = append(texts, res.Text)
		if stop {
			t.Error("the turn was ended")
		}
	}
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		for range 2 {
			res, stop, err := call(ctx, h, tool.EnterName, tool.EnterArgs{})
			if err != nil {
				return err
			}
			keep(res, stop)
		}
		return nil
	})
	r.agent.then(talking(tool.EnterName, tool.EnterArgs{}, keep))
	r.say("add a cart")
	r.say("and another thing")
	if len(r.desk.asked) != 2 || !strings.Contains(texts[1], "declined to plan this already") || r.View().State.IsPlanning() {
		t.Errorf("asked %d times, told %q", len(r.desk.asked), texts)
	}
}

func TestAProposalToPlanMustBeAlone(t *testing.T) {
	r := newRig(t)
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		rs, _, err := h.Batch(ctx, []tool.Call{
			{ID: "1", Name: "ls", Args: tool.Marshal(map[string]string{})},
			{ID: "2", Name: tool.EnterName, Args: tool.Marshal(tool.EnterArgs{})},
		})
		for _, res := range rs {
			if !res.Error || !strings.Contains(res.Text, "only call in its message") {
				t.Errorf("got %+v", res)
			}
		}
		return err
	})
	r.say("add a cart")
	if len(r.desk.asked) != 0 {
		t.Errorf("asked %+v", r.desk.asked)
	}
}

// The question about open work comes with a yes, as with the command.
func TestAProposalToPlanAsksAboutOpenWork(t *testing.T) {
	r := submitUnder(t, clean, row(RowApprove))
	asked := 0
	r.desk.set(func(d *scriptDesk) {
		d.ask = func(ctx context.Context, q Question) (int, error) {
			if asked++; asked == 1 {
				return 0, nil
			}
			return chooseLabel("Abandon and start a new Plan")(ctx, q)
		}
	})
	r.agent.then(talking(tool.EnterName, tool.EnterArgs{}, nil))
	r.say("plan something else")
	st := r.View().State
	if asked != 2 || !st.IsPlanning() || st.OpenWork() != nil {
		t.Errorf("asked %d times, state %+v\n%s", asked, st, r.notices())
	}
}

func TestAYesThatIsCancelledAtTheNextQuestionChangesNothing(t *testing.T) {
	r := submitUnder(t, clean, row(RowApprove))
	asked := 0
	r.desk.set(func(d *scriptDesk) {
		d.ask = func(_ context.Context, q Question) (int, error) {
			if asked++; asked == 1 {
				return 0, nil
			}
			return q.Cancel, nil
		}
	})
	r.agent.then(talking(tool.EnterName, tool.EnterArgs{}, func(res tool.Result, stop bool) {
		if stop || !strings.Contains(res.Text, "goes on without a plan") {
			t.Errorf("got %+v", res)
		}
	}))
	r.say("plan something else")
	if st := r.View().State; st.IsPlanning() || st.OpenWork() == nil {
		t.Errorf("state %+v", st)
	}
}

func steps(status ...tool.StepStatus) tool.ChecklistArgs {
	var a tool.ChecklistArgs
	for i, s := range status {
		a.Plan = append(a.Plan, tool.Step{Step: "Step " + string(rune('A'+i)), Status: s})
	}
	return a
}

func TestTheChecklistIsShownUntilItsWorkIsOver(t *testing.T) {
	r := newRig(t)
	r.agent.then(talking(tool.ChecklistName, steps(tool.StepCompleted, tool.StepInProgress), nil))
	r.say("do it")
	list := r.View().Checklist
	if list == nil || len(list.Checklist) != 2 {
		t.Fatalf("the checklist is %+v", list)
	}
	r.resume()
	if list := r.View().Checklist; list == nil || list.Checklist[1].Status != tool.StepInProgress {
		t.Errorf("after a resume it is %+v", list)
	}
	r.agent.then(talking(tool.ChecklistName, steps(tool.StepInProgress, tool.StepInProgress), func(res tool.Result, _ bool) {
		if !res.Error || !strings.Contains(res.Text, "at most one") {
			t.Errorf("two steps at once: %+v", res)
		}
	}))
	r.agent.then(talking(tool.ChecklistName, steps(tool.StepCompleted, tool.StepCompleted), nil))
	r.say("go on")
	if r.View().Checklist == nil || r.View().Checklist.Checklist[0].Status != tool.StepCompleted {
		t.Errorf("a refused update changed it: %+v", r.View().Checklist)
	}
	r.say("finish")
	r.say("something else")
	if list := r.View().Checklist; list != nil {
		t.Errorf("a finished list is still shown: %+v", list)
	}
}

func TestTheChecklistIsRefusedWhilePlanning(t *testing.T) {
	r := newRig(t)
	r.agent.then(talking(tool.ChecklistName, steps(tool.StepPending), nil))
	r.say("do it")
	r.plan("on")
	if r.View().Checklist != nil {
		t.Error("planning shows the checklist of other work")
	}
	r.agent.then(talking(tool.ChecklistName, map[string]any{"nonsense": 1}, func(res tool.Result, _ bool) {
		if !res.Error || !strings.Contains(res.Text, "not available in Plan Mode") {
			t.Errorf("got %+v", res)
		}
	}))
	r.say("plan it")
	if r.View().Checklist != nil {
		t.Error("a refused checklist is shown")
	}
}

// A proposal to plan is asked about in every permission mode: no mode plans or
// works in the person's name.
func TestAProposalIsAskedAboutInEveryPermissionMode(t *testing.T) {
	for _, p := range plan.Permissions {
		t.Run(string(p), func(t *testing.T) {
			r := newRig(t)
			r.setPermission(tree.PermissionMode{Mode: p})
			r.agent.then(talking(tool.EnterName, tool.EnterArgs{}, nil))
			r.say("add a cart")
			if len(r.desk.asked) != 1 || r.View().State.IsPlanning() {
				t.Errorf("asked %d times, planning %t", len(r.desk.asked), r.View().State.IsPlanning())
			}
		})
	}
}

func TestAProposalThatCannotBeTakenUpSaysWhy(t *testing.T) {
	tell := func(r *rig, want string) {
		t.Helper()
		var got tool.Result
		r.agent.then(talking(tool.EnterName, tool.EnterArgs{}, func(res tool.Result, _ bool) { got = res }))
		r.say("add a cart")
		if !got.Error || !strings.Contains(got.Text, want) || len(r.desk.asked) != 0 {
			t.Errorf("got %+v, asked %d times", got, len(r.desk.asked))
		}
	}
	planning := newRig(t)
	planning.plan("on")
	tell(planning, "Plan Mode is already on")
	disabled := newRig(t)
	disabled.mu.Lock()
	disabled.disabled = "no reviewer can run"
	disabled.mu.Unlock()
	tell(disabled, "cannot be used here: no reviewer can run")
}

// On a branch that was left, what was said there is not remembered.
func TestRemindersAndChecklistsBelongToTheirBranch(t *testing.T) {
	r := newRig(t)
	r.say("hello")
	leaf := r.View().Leaf
	r.agent.then(talking(tool.ChecklistName, steps(tool.StepPending), nil))
	r.say("do it")
	r.plan("on")
	r.say("plan it")
	if r.reminders() == "" {
		t.Fatal("no reminder")
	}
	if _, err := r.Move(t.Context(), leaf); err != nil {
		t.Fatal(err)
	}
	if got := r.reminders(); got != "" || r.View().Checklist != nil {
		t.Errorf("after moving back: %q, %+v", got, r.View().Checklist)
	}
	r.say("and now?")
	if got := r.reminders(); got != "" {
		t.Errorf("it is told of planning that was on another branch: %q", got)
	}
}
