package session

import (
	"slices"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// messages turns a branch into the conversation an agent is given. It begins at
// the last compaction, if there is one. A call whose result was never recorded
// gets one that says so, because a conversation with an open call is refused by
// providers.
//
// What it has of the images of the person is for see to say.
func messages(branch []Item, see seeing) []agent.Message {
	c := conversation{see: see}
	if at, from, boundary, ok := tree.Boundary(branch); ok {
		c.begin(branch[:at], boundary)
		branch = branch[from:]
	}
	for _, e := range branch {
		c.add(e)
	}
	c.closeCalls()
	return c.out
}

type conversation struct {
	out  []agent.Message
	open []tool.Call // calls of the last assistant message still without result
	see  seeing
}

func (c *conversation) add(e Item) {
	switch e.Kind {
	case tree.KindUser:
		if m, err := tree.Decode[tree.User](e); err == nil {
			c.closeCalls()
			text, images := c.see(e, m)
			c.out = append(c.out, agent.Message{Role: agent.RoleUser, Text: text, Images: images})
		}
	case tree.KindAssistant:
		if m, err := tree.Decode[tree.Assistant](e); err == nil && m.Text != "" {
			c.closeCalls()
			c.out = append(c.out, agent.Message{Role: agent.RoleAssistant, Text: m.Text})
		}
	case tree.KindToolCall:
		if m, err := tree.Decode[tree.ToolCall](e); err == nil {
			c.call(tool.Call{ID: m.Call, Name: m.Name, Args: m.Args})
		}
	case tree.KindToolResult:
		if m, err := tree.Decode[tree.ToolResult](e); err == nil {
			c.result(tool.Result{CallID: m.Call, Name: m.Name, Text: m.Text, Error: m.Error, Details: m.Details})
		}
	case tree.KindHandoff:
		if m, err := tree.Decode[tree.Handoff](e); err == nil {
			c.closeCalls()
			c.out = append(c.out, agent.Message{Role: agent.RoleHandoff, Text: m.Text, Plan: &m.Ref})
		}
	case tree.KindReminder:
		if m, err := tree.Decode[tree.Reminder](e); err == nil {
			c.remind(m.Text)
		}
	case KindShell:
		if m, err := tree.Decode[Shell](e); err == nil {
			c.closeCalls()
			c.out = append(c.out, m.message())
		}
	case KindFeedback:
		if m, err := tree.Decode[Feedback](e); err == nil {
			c.closeCalls()
			c.out = append(c.out, agent.Message{Role: agent.RoleUser, Text: m.Text, Feedback: &m.Details})
		}
	}
}

// remind tells the agent what it was told then: with the results that it came
// with, or before the words that a turn begins with, so that these stay the last.
func (c *conversation) remind(told string) {
	c.closeCalls()
	if n := len(c.out); n > 0 && len(c.out[n-1].Results) > 0 {
		last := &c.out[n-1].Results[len(c.out[n-1].Results)-1]
		if last.Reminder != "" {
			told = last.Reminder + "\n\n" + told
		}
		last.Reminder = told
		return
	}
	at := len(c.out)
	for at > 0 && (c.out[at-1].Role == agent.RoleUser || c.out[at-1].Role == agent.RoleHandoff) && len(c.out[at-1].Results) == 0 {
		at--
	}
	c.out = slices.Insert(c.out, at, agent.Message{Role: agent.RoleSummary, Text: told})
}

func (c *conversation) call(call tool.Call) {
	last := len(c.out) - 1
	if last < 0 || c.out[last].Role != agent.RoleAssistant || len(c.out[last].Results) > 0 {
		c.out = append(c.out, agent.Message{Role: agent.RoleAssistant})
		last++
	}
	c.out[last].Calls = append(c.out[last].Calls, call)
	c.open = append(c.open, call)
}

func (c *conversation) result(r tool.Result) {
	for i, call := range c.open {
		if call.ID == r.CallID {
			c.open = append(append([]tool.Call(nil), c.open[:i]...), c.open[i+1:]...)
			c.answer(r)
			return
		}
	}
}

func (c *conversation) answer(r tool.Result) {
	last := len(c.out) - 1
	if len(c.out[last].Results) == 0 {
		c.out = append(c.out, agent.Message{Role: agent.RoleUser})
		last++
	}
	c.out[last].Results = append(c.out[last].Results, r)
}

func (c *conversation) closeCalls() {
	for _, call := range c.open {
		c.answer(tool.Result{CallID: call.ID, Name: call.Name, Text: "interrupted before it had a result", Error: true})
	}
	c.open = nil
}

// KindFeedback is the entry of a review asked for by the person outside a turn:
// notes for the agent that answer no call of its own.
const KindFeedback plan.Kind = "feedback"

// Feedback is what such a review gave.
type Feedback struct {
	Text    string           `json:"text"`
	Details tool.PlanDetails `json:"details"`
}
