package session

import (
	"context"
	"encoding/json"

	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// ProposePlanning implements tool.Talker: the agent would like to plan first. The
// person is asked in every permission mode, and a yes goes the way of `/plan on`.
// The turn then ends, since a turn sees one mode, and the next one plans.
func (s *Session) ProposePlanning(ctx context.Context, call tool.Call, args tool.EnterArgs) tool.Result {
	switch {
	case s.current().IsPlanning():
		return enterResult(tool.DetailUnavailable, "Plan Mode is already on. Go on with the plan and submit it with submit_plan.")
	case s.disabledReason() != "":
		return enterResult(tool.DetailUnavailable, "Plan Mode cannot be used here: "+s.disabledReason()+" Go on without a plan.")
	case declinedBefore(s.Items(0)):
		return enterResult(tool.DetailUnavailable, "The person declined to plan this already. Go on without a plan, and do not propose it again unless they bring it up.")
	case !s.command.TryLock():
		return enterResult(tool.DetailUnavailable, "The person is answering another question about plans. Go on without a plan.")
	}
	defer s.command.Unlock()
	s.waiting(call.ID, true)
	i, err := s.opt.Desk.Ask(ctx, Question{
		Title: "The agent proposes to plan first",
		Body:  itsReason(args.Reason),
		Choices: []Choice{
			{Label: "Turn Plan Mode on", Detail: "the agent can only read until you approve a plan"},
			{Label: "Go on without a plan", Detail: "nothing changes"},
		},
		Cancel: 1,
	})
	s.waiting(call.ID, false)
	if err != nil {
		return enterResult(tool.DetailUnavailable, "The person did not answer, so Plan Mode stays off. Do not propose it again now.")
	}
	if i == 0 {
		s.planOnBy(ctx, func(change func()) {
			if ctx.Err() == nil {
				change()
			}
		})
	}
	if !s.current().IsPlanning() {
		return enterResult(tool.DetailDeclined, "The person goes on without a plan. Plan Mode stays off; go on with the task and do not propose it again.")
	}
	s.mu.Lock()
	s.goOn = true
	s.mu.Unlock()
	r := enterResult(tool.DetailAccepted, "The person agreed: Plan Mode is on, and from here on you can only read. Explore, then submit a plan.")
	r.Stop = true
	return r
}

func itsReason(reason string) string {
	if reason = text.Line(reason); reason == "" {
		return "It gives no reason."
	}
	return "Its reason: " + reason
}

func enterResult(kind tool.DetailKind, told string) tool.Result {
	return tool.Result{Text: told, Error: kind == tool.DetailUnavailable, Details: tool.Marshal(tool.EnterDetails{Kind: kind, Reason: told})}
}

// declinedBefore says whether the person declined to plan since they last said
// something: one answer to one request is enough.
func declinedBefore(branch []Item) bool {
	for i := len(branch) - 1; i >= 0; i-- {
		switch branch[i].Kind {
		case tree.KindUser:
			return false
		case tree.KindToolResult:
			r, err := tree.Decode[tree.ToolResult](branch[i])
			var d tool.EnterDetails
			if err == nil && r.Name == tool.EnterName && json.Unmarshal(r.Details, &d) == nil && d.Kind == tool.DetailDeclined {
				return true
			}
		}
	}
	return false
}
