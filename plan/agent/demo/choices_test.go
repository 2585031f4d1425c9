package demo

import (
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/prompt"
	"planmode/plan/tool"
)

func TestApproachesOfAGoal(t *testing.T) {
	for goal, want := range map[string]string{
		"Keep the carts in files or in a database, ask me first": "in files|in a database",
		"Use Go or Rust": "Go|Rust",
		"把购物车保存在文件还是数据库":      "把购物车保存在文件|数据库",
		"Add a shopping cart": "",
		"approve or reject":   "", // words of the decision card
		"Fix error handling":  "",
		"":                    "",
	} {
		talk := read(agent.Turn{Mode: plan.ModePlanning, Messages: []agent.Message{{Role: agent.RoleUser, Text: goal}}})
		var labels []string
		for _, o := range approaches(talk, "") {
			labels = append(labels, o.Label)
		}
		if got := strings.Join(labels, "|"); got != want {
			t.Errorf("%q: %q, want %q", goal, got, want)
		}
	}
}

func TestQuestionsAreAskedOnceAndOnlyWhereTheyCanBe(t *testing.T) {
	turn := agent.Turn{Mode: plan.ModePlanning, Messages: []agent.Message{{Role: agent.RoleUser, Text: "Add a cart, ask me first"}}}
	if _, more := asks(read(turn), "Add a cart, ask me first"); more {
		t.Error("it asks with a tool that the turn does not have")
	}
	turn.Tools = []tool.Spec{{Name: tool.AskName}}
	s, more := asks(read(turn), "Add a cart, ask me first")
	if !more || len(s.calls) != 1 || s.calls[0].Name != tool.AskName {
		t.Fatalf("it does %+v", s)
	}
	talk := read(turn)
	talk.add(s.calls, []tool.Result{{CallID: s.calls[0].ID, Details: tool.Marshal(tool.QuestionDetails{Questions: []tool.Answered{
		{Question: "How far?", Answered: true, Choice: "All"}, {Question: "Which?"}}})}})
	if _, again := asks(talk, "Add a cart, ask me first"); again {
		t.Error("it asks again")
	}
	if got := heard(talk); got != " (How far? All; Which? not answered)" {
		t.Errorf("it heard %q", got)
	}
	if _, more := asks(read(turn), "Add a cart"); more {
		t.Error("it asks although nobody wants that")
	}
}

func TestRejectedApproachesAreNoNotes(t *testing.T) {
	ref := plan.Ref{Plan: "p", Revision: 1, Hash: "sha256:x"}
	text := prompt.Handoff(prompt.Reference{Ref: ref, Text: "# P\n"}, prompt.Approval{Notes: "mind the cache", Approach: &prompt.Choice{
		Chosen: plan.Option{Label: "Small"}, Rejected: []plan.Option{{Label: "Large"}, {Label: "Huge", Description: "all"}}}})
	if got := notesOf(text, ref); got != "Small mind the cache" {
		t.Errorf("got %q", got)
	}
}
