//go:build unix

package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan/agent/model/modeltest"
)

// inTags is a message that holds a plan.
func inTags(text string) string {
	return "I would do this.\n\n<proposed_plan>\n" + text + "</proposed_plan>\n\nTell me what you think.\n"
}

// proposer plays a model that writes its plans into its messages, and has a
// command run beside the second.
func proposer() *modeltest.Server {
	return modeltest.NewFunc(func(n int, r modeltest.Request) modeltest.Reply {
		switch n {
		case 0:
			return modeltest.Reply{Text: inTags(modelPlan)}
		case 1:
			if !strings.Contains(r.Raw, "why this?") {
				return modeltest.Reply{Text: "The note did not reach me."}
			}
			return modeltest.Reply{Text: inTags(strings.Replace(modelPlan, "A cart.", "A small cart 购物车.", 1)), Calls: []modeltest.Call{
				{ID: "x", Name: "write", Args: `{"path":"evil.txt","content":"x"}`},
			}}
		}
		return modeltest.Reply{Text: "That was all."}
	})
}

func TestAPlanInAMessageIsReviewedAndApproved(t *testing.T) {
	t.Parallel()
	s := proposer()
	defer s.Close()
	w := newWorld(t)
	w.withModel(modeltest.Anthropic, s)
	r := w.open()
	r.WaitFor("The agent runs on here/m")
	r.plan("Add a cart")
	r.WaitFor("A file of its own.")
	r.note("why this?")
	r.Press("q")

	r.WaitFor("r1 → r2")
	w.decided("r1 changes_requested")
	r.end()
	r.Press("a")
	r.WaitFor("That was all.")
	w.decided("r1 changes_requested, r2 approved")
	if names, _ := filepath.Glob(filepath.Join(w.dir, "evil*")); len(names) > 0 {
		t.Errorf("a call beside the plan ran: %v", names)
	}
	r.quit()
}

func TestAPlanInAMessageOutsideOfPlanningIsOffered(t *testing.T) {
	t.Parallel()
	s := modeltest.NewFunc(func(int, modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Text: inTags("# Short\n\nDo it.\n")}
	})
	defer s.Close()
	w := newWorld(t)
	w.withModel(modeltest.Chat, s)
	r := w.open()
	r.WaitFor("The agent runs on here/m")
	r.say("hello")
	r.WaitFor("/plan take")
	if strings.Contains(r.Screen(), "proposed_plan") {
		t.Errorf("the tags are shown:\n%s", r.Screen())
	}
	r.say("/plan take")
	r.WaitFor("plan-r1.md")
	r.end()
	r.WaitFor("Missing sections")
	r.Press("k")
	r.WaitFor("Nothing was approved.")
	r.quit()
}
