package session

import (
	"context"
	"encoding/json"
	"fmt"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// UpdateChecklist implements tool.Talker. The list is part of the result's entry,
// so it is on the branch like everything else that was said.
func (s *Session) UpdateChecklist(_ context.Context, _ tool.Call, args tool.ChecklistArgs) tool.Result {
	d := tool.ChecklistDetails{Explanation: args.Explanation, Checklist: args.Plan}
	done, _ := d.Progress()
	return tool.Result{
		Text:    fmt.Sprintf("The person sees the checklist: %d of %d done.", done, len(args.Plan)),
		Details: tool.Marshal(d),
	}
}

// checklists remembers the checklist of a branch, so that a screen costs no walk
// over the session. mu of the session guards it.
type checklists struct {
	epoch, seen int
	list        *tool.ChecklistDetails
}

// checklist is the one that holds on the branch now, or nil. It needs mu.
func (s *Session) checklist() *tool.ChecklistDetails {
	c := &s.lists
	if c.epoch != s.epoch || c.seen > len(s.branch) {
		*c = checklists{epoch: s.epoch}
	}
	for ; c.seen < len(s.branch); c.seen++ {
		c.take(s.branch[c.seen])
	}
	return c.list
}

// take follows one entry. A list belongs to one piece of work: it ends with it,
// with planning, and with the next request when all of it is done.
func (c *checklists) take(e Item) {
	switch e.Kind {
	case plan.KindPlanningEntered, plan.KindRevisionAttached, plan.KindPlanApproved, plan.KindWorkCompleted, plan.KindWorkAbandoned, plan.KindWorkAdopted:
		c.list = nil
	case tree.KindUser:
		if c.list != nil {
			if done, _ := c.list.Progress(); done == len(c.list.Checklist) {
				c.list = nil
			}
		}
	case tree.KindToolResult:
		r, err := tree.Decode[tree.ToolResult](e)
		if err != nil || r.Name != tool.ChecklistName || r.Error {
			return
		}
		var d tool.ChecklistDetails
		if json.Unmarshal(r.Details, &d) == nil && len(d.Checklist) > 0 {
			c.list = &d
		}
	}
}
