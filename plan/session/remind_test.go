package session

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/prompt"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// reminders are the forms recorded on the branch, in order.
func (r *rig) reminders() string {
	var forms []string
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindReminder {
			m, _ := tree.Decode[tree.Reminder](e)
			forms = append(forms, m.Form)
		}
	}
	return strings.Join(forms, " ")
}

// looking is a turn of n messages with one call each, no two alike.
func looking(n int) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		for i := range n {
			h.Emit(agent.TextDelta{Text: "I look."})
			args := tool.Marshal(map[string]string{"pattern": fmt.Sprintf("word%d", i)})
			if _, stop, err := h.Batch(ctx, []tool.Call{{ID: fmt.Sprintf("l%d", i), Name: "grep", Args: args}}); err != nil || stop {
				return err
			}
		}
		return nil
	}
}

func TestRemindersComeWhenTheyAreDue(t *testing.T) {
	r := newRig(t)
	r.say("hello")
	if got := r.reminders(); got != "" {
		t.Errorf("never planned: %q", got)
	}
	r.plan("on")
	r.agent.then(looking(8))
	r.say("plan it")
	// One when planning begins, a word after two messages, that again, and so on.
	if got := r.reminders(); got != "full sparse sparse sparse sparse" {
		t.Errorf("in a turn of eight messages: %q", got)
	}
	r.agent.then(looking(1))
	r.say("and mind the cache")
	if got := r.reminders(); !strings.HasSuffix(got, "sparse full") {
		t.Errorf("after words of the person: %q", got)
	}
	r.plan("off")
	r.say("thanks")
	r.say("really")
	if got := r.reminders(); !strings.HasSuffix(got, "full exit") || strings.Count(got, "exit") != 1 {
		t.Errorf("after planning: %q", got)
	}
}

func TestAReminderGoesWithTheResultsAndIsRememberedThere(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	var live string
	r.agent.then(func(ctx context.Context, turn agent.Turn, h agent.Host) error {
		first := turn.Messages[0]
		if first.Role != agent.RoleSummary || !strings.HasPrefix(first.Text, "[planmode] Plan Mode is on") || turn.Messages[1].Text != "plan it" {
			t.Errorf("the turn begins with %+v", turn.Messages)
		}
		for i := range 2 {
			rs, _, err := h.Batch(ctx, []tool.Call{{ID: fmt.Sprint(i), Name: "ls", Args: tool.Marshal(map[string]string{})}})
			if err != nil {
				return err
			}
			live = rs[0].Told()
			if rs[0].Text != "" && strings.Contains(rs[0].Text, "[planmode]") {
				t.Errorf("the result itself says %q", rs[0].Text)
			}
		}
		return nil
	})
	r.say("plan it")
	if !strings.Contains(live, "[planmode] Plan Mode is still on") {
		t.Errorf("with the results came %q", live)
	}
	again := ""
	for _, m := range messages(r.Items(0), blind) {
		for _, res := range m.Results {
			again = res.Told()
		}
	}
	if again != live {
		t.Errorf("later it reads %q, then %q", again, live)
	}
}

func TestTheExitIsToldAsItWas(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(r *rig)
		want string // in the reminder; empty for none
	}{
		{"left without a plan", func(r *rig) { r.say("plan it"); r.plan("off") }, "there is no plan"},
		{"parked", func(r *rig) { r.agent.then(submitting("", "Login", planText("x"))); r.say("plan it"); r.plan("off") }, "The draft is kept"},
		{"left on the card", func(r *rig) {
			r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, row(RowLeave) })
			r.agent.then(submitting("", "Login", planText("x")))
			r.say("plan it")
		}, "The draft is kept"},
		{"discarded", func(r *rig) {
			r.desk.set(func(d *scriptDesk) { d.confirm = yes })
			r.agent.then(submitting("", "Login", planText("x")))
			r.say("plan it")
			r.plan("off")
			r.plan("discard")
		}, "let go of"},
		{"approved, which the handoff says", func(r *rig) {
			r.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, row(RowApprove) })
			r.agent.then(submitting("", "Login", planText("x")))
			r.say("plan it")
		}, ""},
		{"on and off again before the agent ran", func(r *rig) { r.plan("off") }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.plan("on")
			c.do(r)
			r.say("and now?")
			exit := ""
			for _, e := range r.Items(0) {
				if m, _ := tree.Decode[tree.Reminder](e); e.Kind == tree.KindReminder && m.Form == string(prompt.FormExit) {
					exit += m.Text
				}
			}
			if c.want == "" && exit != "" || !strings.Contains(exit, c.want) {
				t.Errorf("told %q\n%s", exit, r.reminders())
			}
		})
	}
}

func TestReentryIsToldOnADraft(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.agent.then(submitting("", "Login", planText("x")))
	r.say("plan it")
	r.plan("off")
	r.desk.set(func(d *scriptDesk) { d.ask = chooseLabel("Continue the draft") })
	r.plan("on")
	r.say("go on with it")
	if got := r.reminders(); !strings.HasSuffix(got, "reentry") {
		t.Errorf("got %q", got)
	}
}

func TestAfterTheConversationWasShortenedTheReminderComesAgain(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.say("plan it")
	before := strings.Count(r.reminders(), "full")
	if err := r.cleanContext(); err != nil {
		t.Fatal(err)
	}
	since, _ := sinceReminded(r.Items(0), r.View().State)
	if prompt.Due(since) != prompt.FormFull {
		t.Errorf("due %q after %d", prompt.Due(since), before)
	}
}

func TestTheAgentHearsThatThePersonClosedItsWork(t *testing.T) {
	r := submitUnder(t, clean, row(RowApprove))
	r.desk.set(func(d *scriptDesk) { d.confirm = yes })
	r.plan("abandon")
	r.say("something else")
	r.say("and more")
	if got := r.reminders(); strings.Count(got, formClosed) != 1 {
		t.Errorf("got %q", got)
	}
	told := ""
	for _, m := range r.lastTurn().Messages {
		if m.Role == agent.RoleSummary {
			told += m.Text
		}
	}
	if !strings.Contains(told, "marked") || !strings.Contains(told, "abandoned") {
		t.Errorf("told %q", told)
	}
}

// repeating is a turn that makes the same call n times, and how often it could.
func repeating(n int, made *int, nudged *int) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		for i := range n {
			rs, stop, err := h.Batch(ctx, []tool.Call{{ID: fmt.Sprint("s", i), Name: "ls", Args: tool.Marshal(map[string]string{})}})
			*made++
			if strings.Contains(rs[0].Reminder, "Do not repeat them") {
				*nudged++
			}
			if err != nil || stop {
				return err
			}
		}
		return nil
	}
}

func TestAnAgentThatGoesInCirclesIsNudgedOnceAndThenStopped(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	made, nudged := 0, 0
	r.agent.then(repeating(100, &made, &nudged))
	r.say("plan it")
	if made != endAfter+1 || nudged != 1 {
		t.Errorf("made %d calls, nudged %d times", made, nudged)
	}
	if !strings.Contains(r.notices(), "brought nothing new (the last one was ls), so the turn was ended") || !r.View().State.IsPlanning() {
		t.Errorf("the person reads:\n%s", r.notices())
	}
	r.agent.then(looking(3)) // a new turn starts afresh
	r.say("read something")
	if strings.Count(r.notices(), "brought nothing new") != 1 {
		t.Errorf("the person reads:\n%s", r.notices())
	}
}

func TestALongExplorationIsNeverEnded(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.agent.then(looking(3*longTurn + 1))
	r.say("plan it")
	if strings.Contains(r.notices(), "so the turn was ended") {
		t.Errorf("it was ended:\n%s", r.notices())
	}
	if got := strings.Count(r.reminders(), string(prompt.FormNudge)); got != 3 {
		t.Errorf("nudged %d times in %d calls", got, 3*longTurn+1)
	}
}

func TestWaitingForSomethingOutsidePlanningIsLeftInPeace(t *testing.T) {
	r := newRig(t)
	made, nudged := 0, 0
	r.agent.then(repeating(endAfter+5, &made, &nudged))
	r.say("wait for it")
	if made != endAfter+5 || nudged != 1 {
		t.Errorf("made %d calls, nudged %d times", made, nudged)
	}
	if r.View().State.Mode != plan.ModeNormal {
		t.Error("the mode changed")
	}
}

// What a turn is told about tools is what it has, in every kind of turn.
func TestATurnIsToldOfItsOwnToolsOnly(t *testing.T) {
	named := regexp.MustCompile("`([a-z]+_[a-z_]+)`")
	check := func(name string, turn agent.Turn) {
		t.Helper()
		has := map[string]bool{"proposed_plan": true}
		for _, spec := range turn.Tools {
			has[spec.Name] = true
		}
		told := turn.System
		for i := len(turn.Messages) - 1; i >= 0; i-- { // the last reminder; an older one was true then
			if turn.Messages[i].Role == agent.RoleSummary {
				told += turn.Messages[i].Text
				break
			}
		}
		for _, m := range named.FindAllStringSubmatch(told, -1) {
			if !has[m[1]] {
				t.Errorf("%s: it is told of %s", name, m[1])
			}
		}
	}
	r := newRig(t)
	r.say("hello")
	check("normal", r.lastTurn())
	r.plan("on")
	r.say("plan it")
	check("planning", r.lastTurn())
	if !strings.Contains(r.lastTurn().System, tool.AskName) {
		t.Error("questions are not offered")
	}
	r.setPermission(tree.PermissionMode{Mode: plan.PermissionAuto})
	r.say("go on")
	check("planning, nobody answers", r.lastTurn())
	if strings.Contains(r.lastTurn().System, tool.AskName) {
		t.Error("questions are offered where nobody answers")
	}
	var got tool.Result
	r.agent.then(talking(tool.AskName, inquiries(), func(res tool.Result, _ bool) { got = res }))
	r.say("ask all the same")
	if !got.Error || !strings.Contains(got.Text, "record every decision in the plan as an assumption") {
		t.Errorf("asked in auto mode: %+v", got)
	}
}

func TestTheInstructionsOfThePersonReachTheAgent(t *testing.T) {
	r := newRig(t)
	r.opt.Config.Prompts = map[string]string{"plan": "Plan like a poet."}
	r.opt.Config.ModelPrompts = map[string]map[string]string{"": {"default": ""}}
	r.say("hello")
	if s := r.lastTurn().System; strings.Contains(s, "# Default mode") {
		t.Errorf("the model's empty text did not blank the preset:\n%s", s)
	}
	r.plan("on")
	r.say("plan it")
	if s := r.lastTurn().System; !strings.Contains(s, "Plan like a poet.") || strings.Contains(s, "Work in three phases") || !strings.Contains(s, "Plan Mode is read-only") {
		t.Errorf("got:\n%s", s)
	}
}
