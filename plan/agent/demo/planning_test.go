package demo

import (
	"slices"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tool"
)

func TestPlanIsAboutTheRepositoryAndTheGoal(t *testing.T) {
	c := newConversation(t, goProject)
	said := c.say("Please add OAuth login with PKCE. Keep the password login working.")
	plans := c.submitted()
	if len(plans) != 1 || plans[0].PlanID != "" {
		t.Fatalf("want one submission without an id, got %+v", plans)
	}
	if plans[0].Title != "Add OAuth login with PKCE" {
		t.Errorf("title %q", plans[0].Title)
	}
	for _, want := range []string{"7 files (4 Go", "`login.go:4` holds", "it declares `Login`", "`go test ./...` passes", "“Please add OAuth login with PKCE."} {
		if !strings.Contains(plans[0].Markdown, want) {
			t.Errorf("the plan lacks %q:\n%s", want, plans[0].Markdown)
		}
	}
	if n := len(steps(plans[0].Markdown)); n < 4 || n > 7 {
		t.Errorf("%d steps", n)
	}
	if !strings.Contains(said, "`login.go`") {
		t.Errorf("the agent does not say what it looks at: %q", said)
	}
	for _, name := range []string{"bash", "edit", "write"} {
		if len(c.calls(name)) > 0 {
			t.Errorf("called %s while planning", name)
		}
	}
}

func TestLanguageOfThePlan(t *testing.T) {
	cases := []struct{ name, setting, goal, want string }{
		{"a Chinese goal gives a Chinese plan", "auto", "请为登录 Login 增加两步验证", document.Chinese},
		{"Chinese with English terms is Chinese", "auto", "把 OAuth 登录改成 PKCE 流程", document.Chinese},
		{"an English goal gives an English plan", "auto", "Add 登录 to the app and keep the tests green", document.English},
		{"no setting follows the person", "", "修复登录错误", document.Chinese},
		{"the setting beats the person, Chinese", "zh-CN", "Add OAuth login", document.Chinese},
		{"the setting beats the person, English", "en", "修复登录错误", document.English},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			conv := newConversation(t, goProject)
			conv.turn.Language = c.setting
			conv.say(c.goal)
			doc := document.Parse([]byte(conv.submitted()[0].Markdown))
			if got := doc.Language(); got != c.want {
				t.Errorf("language %q, want %q", got, c.want)
			}
			if err := doc.Check(c.want); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEveryKindOfGoalHasStepsOfItsOwn(t *testing.T) {
	seen := map[string]string{}
	for _, goal := range []string{"Fix the login crash", "Remove the basket", "Refactor login", "Make login faster",
		"Upgrade the login to v2", "Test the basket", "Document the login", "Add a basket"} {
		for _, language := range []string{"en", "zh-CN"} {
			c := newConversation(t, goProject)
			c.turn.Language = language
			c.say(goal)
			list := steps(c.submitted()[0].Markdown)
			if len(list) < 4 || len(list) > 7 {
				t.Errorf("%s: %d steps", goal, len(list))
			}
			if other := seen[list[2]]; other != "" {
				t.Errorf("%q and %q have the same steps", goal, other)
			}
			seen[list[2]] = goal
			if strings.Contains(strings.Join(list, ""), "%!") {
				t.Errorf("filled in badly: %q", list)
			}
		}
	}
}

func TestSmallTalkGivesNoPlan(t *testing.T) {
	cases := []struct{ name, said string }{
		{"a greeting is answered", "Hello!"},
		{"a Chinese greeting is answered", "你好"},
		{"a question without a task is answered", "What is this?"},
		{"a Chinese question is answered", "你是谁？"},
		{"continue without anything to continue is answered", "continue"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			conv := newConversation(t, goProject)
			said := conv.say(c.said)
			if len(conv.messages) != 1 || !strings.Contains(said, "temporary directory") && !strings.Contains(said, "临时目录") {
				t.Errorf("got %q and %d messages", said, len(conv.messages))
			}
		})
	}
}

func TestEmptyRepositoryStillGetsAPlan(t *testing.T) {
	c := newConversation(t, nil)
	c.say("Create a command line tool that counts words")
	markdown := c.submitted()[0].Markdown
	if !strings.Contains(markdown, "holds no file") || !strings.Contains(markdown, "starts from zero") {
		t.Errorf("the plan does not say that nothing is there:\n%s", markdown)
	}
}

func TestToolsThatFailAreNamedInThePlan(t *testing.T) {
	c := newConversation(t, goProject)
	c.deny = func(call tool.Call) bool { return call.Name == "grep" || call.Name == "ls" }
	c.say("Add OAuth login")
	if markdown := c.submitted()[0].Markdown; !strings.Contains(markdown, "Could not be looked at: grep `OAuth`") {
		t.Errorf("the plan hides what was not looked at:\n%s", markdown)
	}
}

func TestARefusedSubmissionIsCorrectedOnce(t *testing.T) {
	c := newConversation(t, goProject)
	c.review = append(c.review, answer(tool.DetailInvalid, `missing section "目标"`, false))
	c.say("Add OAuth login")
	plans := c.submitted()
	if len(plans) != 2 {
		t.Fatalf("%d submissions, want a correction", len(plans))
	}
	if got := document.Parse([]byte(plans[1].Markdown)).Language(); got != document.Chinese {
		t.Errorf("the refusal named Chinese headings, the correction is in %q", got)
	}
}

func TestASecondRefusalEndsTheTurn(t *testing.T) {
	c := newConversation(t, goProject)
	for range 3 {
		c.review = append(c.review, answer(tool.DetailInvalid, "no step", false))
	}
	said := c.say("Add OAuth login")
	if n := len(c.submitted()); n != 2 {
		t.Errorf("%d submissions, want 2", n)
	}
	if !strings.Contains(said, "refused as well") || !strings.Contains(said, "no step") {
		t.Errorf("the person is not told why: %q", said)
	}
}

func TestAWrongIDIsCorrectedToTheAttachedOne(t *testing.T) {
	c := newConversation(t, goProject)
	attached := plan.NewID(testNow, "attached", [4]byte{9})
	c.review = append(c.review, func(tool.SubmitArgs, plan.Ref) tool.Result {
		return tool.Result{Text: "name the attached plan", Error: true, Details: tool.Marshal(tool.PlanDetails{Kind: tool.DetailInvalidPlanID, Plan: attached})}
	})
	c.say("Add OAuth login")
	if plans := c.submitted(); len(plans) != 2 || plans[1].PlanID != string(attached) {
		t.Errorf("got %d submissions, the last with id %q", len(plans), plans[len(plans)-1].PlanID)
	}
}

func TestOtherAnswersEndTheTurnWithOneLine(t *testing.T) {
	cases := []struct {
		name string
		kind tool.DetailKind
		want string
	}{
		{"kept", tool.DetailKeepPlanning, "keep planning"},
		{"dismissed", tool.DetailCancelled, "dismissed"},
		{"left", tool.DetailLeft, "nothing is approved"},
		{"unchanged", tool.DetailUnchanged, "no new revision"},
		{"no disk", tool.DetailStorageError, "disk says no"},
		{"no reviewer", tool.DetailUnavailable, "disk says no"},
		{"review failed", tool.DetailError, "disk says no"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			conv := newConversation(t, goProject)
			conv.review = append(conv.review, answer(c.kind, "disk says no", false))
			said := conv.say("Add OAuth login")
			last := said[strings.LastIndex(said, "review.")+len("review."):]
			if len(conv.submitted()) != 1 || !strings.Contains(last, c.want) || strings.Contains(last, "\n") {
				t.Errorf("got %d submissions and %q", len(conv.submitted()), last)
			}
		})
	}
}

func TestADraftIsRevisedByANewMessage(t *testing.T) {
	c := newConversation(t, goProject)
	c.review = append(c.review, func(args tool.SubmitArgs, ref plan.Ref) tool.Result {
		c.accept(ref)
		return tool.Result{Text: "kept", Stop: true, Details: tool.Marshal(tool.PlanDetails{Kind: tool.DetailKeepPlanning, Plan: ref.Plan, Title: args.Title})}
	})
	c.say("Add OAuth login")
	c.turn.Draft = &c.refs[0]
	c.say("Also rotate the session cookie after login")
	plans := c.submitted()
	if len(plans) != 2 || plans[1].PlanID != string(c.id) || plans[1].Title != plans[0].Title {
		t.Fatalf("want a revision of the draft, got %+v", plans)
	}
	if !slices.ContainsFunc(steps(plans[1].Markdown), func(s string) bool { return strings.Contains(s, "rotate the session cookie") }) {
		t.Errorf("no step for the message:\n%s", plans[1].Markdown)
	}
	if n := len(c.calls("ls")); n != 1 {
		t.Errorf("looked around %d times, the draft was known", n)
	}
}

func TestADraftOfAnotherSessionIsReadWhereTheHostKeepsIt(t *testing.T) {
	first := newConversation(t, goProject)
	first.say("Add OAuth login")
	markdown := first.submitted()[0].Markdown
	ref := first.refs[0]
	path := "/plans/" + string(ref.Plan) + "/revisions/r1.md"

	c := newConversation(t, map[string]string{"plans/" + string(ref.Plan) + "/revisions/r1.md": markdown})
	path = c.dir + path
	c.id, c.current, c.turn.Draft = ref.Plan, 1, &ref
	c.turn.System = "Current reference: " + path + "."
	c.say("Remove step 4")
	plans := c.submitted()
	if len(plans) != 1 || plans[0].PlanID != string(ref.Plan) || plans[0].Title != "add oauth login" {
		t.Fatalf("got %+v", plans)
	}
	if before, after := steps(markdown), steps(plans[0].Markdown); len(after) != len(before)-1 || slices.Contains(after, before[3]) {
		t.Errorf("step 4 of %q is still in %q", before, after)
	}
}

func TestADraftThatCannotBeReadWholeIsLeftAlone(t *testing.T) {
	c := newConversation(t, nil)
	ref := plan.Ref{Plan: plan.NewID(testNow, "x", [4]byte{}), Revision: 2, Hash: plan.HashOf([]byte("other bytes"))}
	c.turn.Draft = &ref
	c.turn.System = c.dir + "/" + string(ref.Plan) + "/revisions/r2.md"
	said := c.say("Remove step 4")
	if len(c.submitted()) != 0 || !strings.Contains(said, "cannot read the whole") {
		t.Errorf("got %d submissions and %q", len(c.submitted()), said)
	}
}

func TestContinueWithADraftSaysHowToDecide(t *testing.T) {
	c := newConversation(t, goProject)
	c.review = append(c.review, func(args tool.SubmitArgs, ref plan.Ref) tool.Result {
		c.accept(ref)
		return tool.Result{Text: "kept", Stop: true, Details: tool.Marshal(tool.PlanDetails{Kind: tool.DetailKeepPlanning, Plan: ref.Plan})}
	})
	c.say("Add OAuth login")
	c.turn.Draft = &c.refs[0]
	if said := c.say("continue"); !strings.Contains(said, "/plan review") || len(c.submitted()) != 1 {
		t.Errorf("got %q", said)
	}
}

func TestAnInterruptedExplorationIsTakenUpAgain(t *testing.T) {
	c := newConversation(t, goProject)
	c.stopAt = 2
	if _, err := c.run(userSays("Add OAuth login")); err == nil {
		t.Fatal("the turn was not interrupted")
	}
	c.stopAt = 0
	c.say("continue")
	if plans := c.submitted(); len(plans) != 1 || plans[0].Title != "Add OAuth login" {
		t.Errorf("got %+v", plans)
	}
}
