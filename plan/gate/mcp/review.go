package mcp

import (
	"context"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan"
	"planmode/plan/gate/guest"
	"planmode/plan/gate/waiter"
	"planmode/plan/process"
)

// review is one showing of a plan to the person.
type review struct {
	request Request
	done    chan struct{} // closed when status and told are what they stay
	status  Status
	told    string
}

func (r *review) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// begin shows a plan. The caller holds s.mu.
func (s *Server) begin(q Request) *review {
	r := &review{request: q, done: make(chan struct{}), status: Undecided}
	s.current = r
	s.reviews.Add(1)
	process.Go("review the plan of an MCP client", func() {
		defer s.reviews.Done()
		defer close(r.done)
		err := s.opt.Review(s.over, q, func(id string, a waiter.Answer) string {
			r.status, r.told = s.decide(q, id, a)
			return r.told
		})
		if r.told != "" {
			return
		}
		if err == nil {
			err = errors.New("it ended without an answer")
		}
		r.told = notApproved + fmt.Sprintf("The person could not decide on it: %v. Do not start any work. Tell them, and submit the same plan again when they are ready.", err)
	})
	return r
}

const notApproved = "YOUR PLAN WAS NOT APPROVED.\n\n"

// decide records what the person decided and says it to the agent. What could not be
// recorded was not decided.
func (s *Server) decide(q Request, id string, a waiter.Answer) (Status, string) {
	ref := q.Plan.Ref
	if err := guest.Decide(s.opt.Store, q.Agent, q.Plan, id, a); err != nil {
		return Undecided, notApproved + fmt.Sprintf("The decision of the person could not be recorded: %v. Do not start any work. Tell them, and submit the plan again.", err)
	}
	switch {
	case a.Expired:
		return Undecided, notApproved + "Nobody decided: the review lost its terminal. What the person wrote is kept. Submit the same plan again to show it again, and do not start any work."
	case a.Outcome.Exit:
		return Undecided, notApproved + "The person closed the review without a decision. Do not start any work. Wait until they tell you how to go on."
	case a.Outcome.Approved:
		return Approved, approvedText(ref, a.Outcome.Feedback)
	}
	said := a.Outcome.Feedback
	if said == "" {
		said = "The person asks for changes without saying which. Ask them.\n"
	}
	return Changes, notApproved + fmt.Sprintf("The person reviewed r%d and wants changes. Change nothing else. Work through every note below, then submit the whole plan again with planId %q.\n\n", ref.Revision, ref.Plan) + said
}

func approvedText(ref plan.Ref, notes string) string {
	t := fmt.Sprintf("The person approved revision %d of your plan (planId %q, %s). Do now what it says, and nothing beyond it.\n", ref.Revision, ref.Plan, ref.Hash)
	if notes != "" {
		t += "\nThey wrote with the approval:\n\n" + notes
	}
	return t + fmt.Sprintf("\nWhen all of it is done and checked, call complete_plan with planId %q and revision %d.", ref.Plan, ref.Revision)
}

// wait waits for the answer to a review, as long as clients wait.
func (s *Server) wait(ctx context.Context, call *sdk.CallToolRequest, r *review) (*sdk.CallToolResult, Standing, error) {
	ticks, stop := s.opt.Ticks(Step)
	defer stop()
	for n := 0; n < Steps; n++ {
		s.progress(ctx, call, r, n)
		select {
		case <-r.done:
			return r.result()
		case <-ctx.Done():
			return nil, Standing{}, ctx.Err()
		case <-s.over.Done():
			return nil, Standing{}, errors.New("planmode is ending; nothing was decided")
		case <-ticks:
		}
	}
	if r.over() {
		return r.result()
	}
	return said(r.standing(Pending), fmt.Sprintf("The answer is pending: the person has not decided on r%d yet. Nothing is approved. Call plan_status now to go on waiting; do not start any work.", r.request.Plan.Ref.Revision))
}

// progress keeps the call alive in clients that ask for it. One that went away is
// found by others.
func (s *Server) progress(ctx context.Context, call *sdk.CallToolRequest, r *review, n int) {
	token := call.Params.GetProgressToken()
	if token == nil {
		return
	}
	_ = call.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		ProgressToken: token, Progress: float64(n + 1), Message: fmt.Sprintf("Waiting for the person to decide on r%d", r.request.Plan.Ref.Revision),
	})
}

func (r *review) standing(status Status) Standing {
	p := r.request.Plan
	return Standing{Status: status, PlanID: string(p.Ref.Plan), Revision: p.Ref.Revision, Hash: string(p.Ref.Hash), Title: p.Title}
}

// result is the answer to a review that is over.
func (r *review) result() (*sdk.CallToolResult, Standing, error) {
	return said(r.standing(r.status), r.told)
}

func said(st Standing, words string) (*sdk.CallToolResult, Standing, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: words}}}, st, nil
}
