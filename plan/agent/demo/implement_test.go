package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/document"
	"planmode/plan/tool"
)

// approved is a conversation whose plan was just approved.
func approved(t *testing.T, goal string) *conversation {
	t.Helper()
	c := newConversation(t, goProject)
	c.say(goal)
	if len(c.refs) != 1 {
		t.Fatalf("%d approved revisions", len(c.refs))
	}
	return c
}

func (c *conversation) implement() string {
	c.t.Helper()
	said, err := c.handOff()
	if err != nil {
		c.t.Fatal(err)
	}
	c.checkSpeech(said)
	return said
}

// written are the files below the temporary directory.
func (c *conversation) written() []string {
	list, err := filepath.Glob(filepath.Join(c.agent.temp, "planmode-demo-*", "*"))
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

func TestAnApprovedPlanIsActedOutOutsideTheRepository(t *testing.T) {
	c := approved(t, "Add OAuth login")
	before := c.files()
	said := c.implement()
	ref := c.refs[0]
	dir := filepath.Join(c.agent.temp, "planmode-demo-"+ref.Hash.Short())
	if !strings.Contains(said, dir) {
		t.Errorf("the directory is not named: %q", said)
	}
	list := steps(c.submitted()[0].Markdown)
	if files := c.written(); len(files) != len(list) || len(c.calls("write")) != len(list) {
		t.Errorf("%d files for %d steps", len(files), len(list))
	}
	for _, f := range c.written() {
		if filepath.Dir(f) != dir {
			t.Errorf("%s is not in %s", f, dir)
		}
	}
	if after := c.files(); fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("the repository changed: %v", after)
	}
	if len(c.calls("bash")) > 0 {
		t.Error("something was run")
	}
	done := c.calls("complete_plan")
	if len(done) != 1 {
		t.Fatalf("%d calls of complete_plan", len(done))
	}
	checkCompletion(t, arg[tool.CompleteArgs](exchange{call: done[0]}), ref)
}

// checkCompletion checks the limits that the host holds a completion to.
func checkCompletion(t *testing.T, args tool.CompleteArgs, ref plan.Ref) {
	t.Helper()
	if args.PlanID != string(ref.Plan) || args.Revision != ref.Revision {
		t.Errorf("completes %s r%d, want %s", args.PlanID, args.Revision, ref)
	}
	if n := utf8.RuneCountInString(args.Summary); n < 1 || n > plan.MaxSummaryChars {
		t.Errorf("the summary has %d characters", n)
	}
	if n := len(args.Verification); n < 1 || n > plan.MaxVerifications {
		t.Errorf("%d verifications", n)
	}
	for _, v := range args.Verification {
		if n := utf8.RuneCountInString(v); n < 1 || n > plan.MaxVerificationChar {
			t.Errorf("a verification has %d characters", n)
		}
	}
}

func TestADeniedWriteStopsAndContinueTriesTheRest(t *testing.T) {
	c := approved(t, "Add OAuth login")
	writes := 0
	c.deny = func(call tool.Call) bool {
		if call.Name == "write" {
			writes++
		}
		return call.Name == "write" && writes == 3
	}
	said := c.implement()
	if !strings.Contains(said, "permission to write was denied") || !strings.Contains(said, "“continue”") {
		t.Errorf("the person is not told: %q", said)
	}
	if writes != 3 || len(c.calls("complete_plan")) != 0 || len(c.written()) != 2 {
		t.Errorf("%d writes, %d files, completed %d times", writes, len(c.written()), len(c.calls("complete_plan")))
	}
	said = c.say("continue")
	n := len(steps(c.submitted()[0].Markdown))
	if writes != n+1 || len(c.written()) != n || len(c.calls("complete_plan")) != 1 {
		t.Errorf("%d writes and %d files for %d steps", writes, len(c.written()), n)
	}
	if !strings.Contains(said, fmt.Sprintf("2 of %d steps are there already", n)) {
		t.Errorf("got %q", said)
	}
}

func TestAnInterruptedImplementationGoesOnWhereItWas(t *testing.T) {
	for _, word := range []string{"continue", "继续", "请继续。", "Go on!", "ok, continue please"} {
		t.Run(word, func(t *testing.T) {
			c := approved(t, "Add OAuth login")
			c.stopAt = 4
			if _, err := c.handOff(); err == nil {
				t.Fatal("the turn was not interrupted")
			}
			c.stopAt = 0
			c.say(word)
			n := len(steps(c.submitted()[0].Markdown))
			if got := len(c.calls("write")); got != n+1 || len(c.calls("complete_plan")) != 1 {
				t.Errorf("%d writes for %d steps with one interrupted, completed %d times", got, n, len(c.calls("complete_plan")))
			}
		})
	}
}

func TestAnythingElseWhileAPlanIsOpenIsAnsweredWithoutWork(t *testing.T) {
	c := approved(t, "Add OAuth login")
	c.stopAt = 2
	if _, err := c.handOff(); err == nil {
		t.Fatal("the turn was not interrupted")
	}
	c.stopAt = 0
	before := len(c.calls("write"))
	said := c.say("What are you doing?")
	if len(c.calls("write")) != before || !strings.Contains(said, "“continue”") || !strings.Contains(said, string(c.id)) {
		t.Errorf("got %q", said)
	}
}

func TestAPlanThatIsHandedOverAgainDoesNotDrownTheQuestion(t *testing.T) {
	c := approved(t, "Add OAuth login")
	c.stopAt = 2
	if _, err := c.handOff(); err == nil {
		t.Fatal("the turn was not interrupted")
	}
	c.stopAt = 0
	before := len(c.calls("write"))
	again := agent.Message{Role: agent.RoleHandoff, Plan: c.turn.Work, Text: "Again:\n\n" + c.submitted()[0].Markdown}
	c.turn.Messages = append(c.turn.Messages, userSays("What are you doing?"))
	said, err := c.run(again)
	if err != nil || len(c.calls("write")) != before || !strings.Contains(said, "is open") {
		t.Errorf("it said %q, %v", said, err)
	}
	c.turn.Messages = append(c.turn.Messages, userSays("continue"))
	if _, err := c.run(again); err != nil || len(c.calls("complete_plan")) != 1 {
		t.Errorf("it did not go on: %v", err)
	}
}

func TestARefusedCompletionIsSaidAndCanBeRepeated(t *testing.T) {
	c := approved(t, "Add OAuth login")
	c.deny = func(call tool.Call) bool { return call.Name == "complete_plan" }
	if said := c.implement(); !strings.Contains(said, "could not be completed") {
		t.Errorf("got %q", said)
	}
	c.deny = nil
	writes := len(c.calls("write"))
	c.say("continue")
	if len(c.calls("write")) != writes || len(c.calls("complete_plan")) != 2 {
		t.Errorf("%d more writes, %d completions", len(c.calls("write"))-writes, len(c.calls("complete_plan")))
	}
}

func TestAnAdoptedPlanIsImplementedFromTheHandoffAlone(t *testing.T) {
	first := approved(t, "请为登录 Login 增加两步验证")
	ref := first.refs[0]
	c := newConversation(t, goProject)
	c.turn.Mode, c.turn.Work = plan.ModeNormal, &ref
	said, err := c.run(agent.Message{Role: agent.RoleHandoff, Plan: &ref, Text: "The plan is approved:\n\n" + first.submitted()[0].Markdown + "\nEnd."})
	if err != nil {
		t.Fatal(err)
	}
	c.checkSpeech(said)
	if len(c.written()) != len(steps(first.submitted()[0].Markdown)) || !strings.Contains(said, "第 1 步") {
		t.Errorf("%d files; said %q", len(c.written()), said)
	}
}

func TestWorkWhosePlanIsNotInTheConversationIsReadFromDisk(t *testing.T) {
	first := approved(t, "Add OAuth login")
	ref, markdown := first.refs[0], first.submitted()[0].Markdown
	name := "plans/" + string(ref.Plan) + "/revisions/r1.md"
	c := newConversation(t, map[string]string{name: markdown})
	c.turn.Mode, c.turn.Work = plan.ModeNormal, &ref
	c.turn.System = "An approved plan is open: `" + c.dir + "/" + name + "`"
	c.say("continue")
	if len(c.calls("complete_plan")) != 1 || len(c.written()) != len(steps(markdown)) {
		t.Errorf("completed %d times with %d files", len(c.calls("complete_plan")), len(c.written()))
	}
	c.turn.System, c.turn.Messages = "", nil
	if said := c.say("continue"); !strings.Contains(said, "neither the text") {
		t.Errorf("without the text it said %q", said)
	}
}

func TestAPlanOfManyStepsStaysWithinTheLimits(t *testing.T) {
	var list strings.Builder
	for i := range 300 {
		fmt.Fprintf(&list, "%d. Step number %d %s\n", i+1, i+1, strings.Repeat("很长", 60))
	}
	markdown := strings.Replace(smallPlan, "1. Read the code\n", list.String(), 1)
	ref := plan.Ref{Plan: plan.NewID(testNow, "many", [4]byte{}), Revision: 7, Hash: plan.HashOf([]byte(markdown))}
	c := newConversation(t, goProject)
	c.turn.Mode, c.turn.Work = plan.ModeNormal, &ref
	if _, err := c.run(agent.Message{Role: agent.RoleHandoff, Plan: &ref, Text: markdown}); err != nil {
		t.Fatal(err)
	}
	files := c.written()
	if len(files) != maxFiles {
		t.Fatalf("%d files", len(files))
	}
	last, err := os.ReadFile(files[len(files)-1])
	if err != nil || !strings.Contains(string(last), "Step number 300 ") || !strings.Contains(string(last), "Run the tests") {
		t.Errorf("the last file lacks the rest of the plan: %v", err)
	}
	checkCompletion(t, arg[tool.CompleteArgs](exchange{call: c.calls("complete_plan")[0]}), ref)
}

func TestNothingIsWrittenBelowTheWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, dir, temp string
		want            bool // whether temp itself may be used
	}{
		{"a directory beside it may be used", filepath.Join(dir, "repo"), dir, true},
		{"the working directory itself may not", dir, dir, false},
		{"a directory below it may not", dir, filepath.Join(dir, "tmp"), false},
		{"a link to it may not", dir, link, false},
		{"a name that only begins alike may", filepath.Join(dir, "re"), filepath.Join(dir, "repo-tmp"), true},
		{"nothing may below the root", "/", dir, false},
		{"a relative directory is no place", filepath.Join(dir, "repo"), "tmp", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := New(Options{Temp: c.temp}).place(c.dir, plan.Ref{Hash: plan.HashOf(nil)})
			if used := ok && filepath.Dir(got) == resolve(c.temp); used != c.want {
				t.Errorf("place is %q, %v", got, ok)
			}
			if ok && within(c.dir, got) {
				t.Errorf("%s is within %s", got, c.dir)
			}
		})
	}
}

func TestNoPlaceToWriteIsSaid(t *testing.T) {
	c := approved(t, "Add OAuth login")
	c.turn.Dir = "/"
	said := c.implement()
	if len(c.calls("write")) != 0 || len(c.calls("complete_plan")) != 0 || !strings.Contains(said, "outside the working directory") {
		t.Errorf("got %q", said)
	}
}

func TestStepFilesHaveNamesThatAreSafe(t *testing.T) {
	cases := []struct{ step, want string }{
		{"Read `login.go` in full and find every caller", "step-03-read-login-go-in-full-and-find-e.md"},
		{"../../etc/passwd", "step-03-etc-passwd.md"},
		{"完整阅读", "step-03.md"},
		{"\x1b[31m", "step-03-31m.md"},
	}
	for _, c := range cases {
		if got := stepName(3, c.step); got != c.want {
			t.Errorf("%q is written to %q, want %q", c.step, got, c.want)
		}
	}
}

func TestStepFilesHoldNoEscapeSequence(t *testing.T) {
	markdown := strings.Replace(smallPlan, "2. Change the code", "2. Change \u009b31m <!-- the code", 1)
	doc := document.Parse([]byte(markdown))
	j := newJob(&talk{turn: agent.Turn{Work: &plan.Ref{}}, lang: english}, approvedPlan{"a\x1b]0;x\x07title", doc.Steps(), "\x1b[31mnotes"}, "/tmp/x")
	for _, f := range j.files {
		if strings.ContainsAny(f.content, "\x1b\x07\u009b") {
			t.Errorf("%q", f.content)
		}
	}
}
