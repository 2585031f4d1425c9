package transcript

import (
	"strings"
	"testing"

	"planmode/plan/tool"
	"planmode/plan/tree"
)

// talked is one call of a tool that talks to the person, and its result.
func talked(t testing.TB, name string, args, details any, failed bool) *script {
	s := &script{t: t}
	return s.call("1", name, args).answer(tree.ToolResult{Call: "1", Name: name, Text: "why it did not work\nmore", Error: failed, Details: tool.Marshal(details)})
}

func TestTalkNodes(t *testing.T) {
	list := tool.ChecklistDetails{Explanation: "the tests come first", Checklist: []tool.Step{
		{Step: "Read", Status: tool.StepCompleted}, {Step: "测试", Status: tool.StepInProgress}, {Step: "Write", Status: tool.StepPending}}}
	asked := tool.QuestionDetails{Kind: tool.DetailDismissed, Questions: []tool.Answered{
		{Question: "Where?", Answered: true, Choice: "Files", Note: "for now"},
		{Question: "谁？", Answered: true, Text: "所有人\x1b[2J"},
		{Question: "Which currency?"},
	}}
	interrupted := tool.QuestionDetails{Kind: tool.DetailInterrupted, Questions: asked.Questions[:1]}
	silent := tool.QuestionDetails{Kind: tool.DetailUnavailable, Questions: asked.Questions[2:]}
	cases := []struct {
		name     string
		s        *script
		expanded bool
		want     string
	}{
		{"answers stay in sight", talked(t, tool.AskName, nil, asked, false), false,
			"● Questions: 2 of 3 answered\n  Where?\n    → Files\n      note: for now\n  谁？\n    → 所有人\n  Which currency?\n    → unanswered"},
		{"an interrupt is said", talked(t, tool.AskName, nil, interrupted, true), false, "● Questions: 1 of 1 answered · interrupted\n  Where?\n    → Files\n      note: for now"},
		{"in auto mode nobody was asked", talked(t, tool.AskName, nil, silent, true), false,
			"● Questions: 0 of 1 answered · not asked in auto mode\n  Which currency?\n    → unanswered"},
		{"questions that were refused", talked(t, tool.AskName, nil, nil, true), false, "✗ Questions not asked\n  ⎿ why it did not work"},
		{"the step at hand", talked(t, tool.ChecklistName, nil, list, false), false, "● Checklist 1/3 · 测试"},
		{"the whole list", talked(t, tool.ChecklistName, nil, list, false), true,
			"● Checklist 1/3 · 测试\n  Why: the tests come first\n  ✓ Read\n  ❯ 测试\n  · Write"},
		{"a checklist that was refused", talked(t, tool.ChecklistName, nil, nil, true), false, "✗ Checklist refused\n  ⎿ why it did not work"},
		{"a proposal that was accepted", talked(t, tool.EnterName, tool.EnterArgs{Reason: "it is\nlarge"}, tool.EnterDetails{Kind: tool.DetailAccepted}, false), false,
			"● Proposal to plan first · accepted · it is large"},
		{"a proposal that was declined", talked(t, tool.EnterName, tool.EnterArgs{}, tool.EnterDetails{Kind: tool.DetailDeclined}, false), false, "● Proposal to plan first · declined"},
		{"a proposal that could not be made", talked(t, tool.EnterName, tool.EnterArgs{}, tool.EnterDetails{Kind: tool.DetailUnavailable}, true), false,
			"✗ Proposal to plan first\n  ⎿ why it did not work"},
		{"questions that a crash left open", (&script{t: t}).call("1", tool.AskName, tool.QuestionArgs{Questions: make([]tool.Inquiry, 2)}), false,
			"● Questions not finished · 2 questions"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.TrimSpace(show(t, c.s, 60, c.expanded)); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
