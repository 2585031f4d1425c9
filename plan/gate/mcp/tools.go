package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan"
	"planmode/plan/gate/guest"
)

// Status is how a plan stands, in a word for agents.
type Status string

// The statuses. Undecided is a review that ended without a decision.
const (
	None      Status = "none"
	Pending   Status = "pending"
	Approved  Status = "approved"
	Changes   Status = "changes_requested"
	Undecided Status = "not_decided"
	Completed Status = "completed"
)

// Standing is the answer of every tool, for programs.
type Standing struct {
	Status   Status `json:"status"`
	PlanID   string `json:"planId,omitempty"`
	Revision int    `json:"revision,omitempty"`
	Hash     string `json:"hash,omitempty"`
	Title    string `json:"title,omitempty"`
}

// submitArgs are what submit_plan takes.
type submitArgs struct {
	Markdown string `json:"markdown" jsonschema:"the whole plan as Markdown, with a heading first"`
	PlanID   string `json:"planId,omitempty" jsonschema:"the plan that this revises; leave it out for the plan of this session"`
	New      bool   `json:"newPlan,omitempty" jsonschema:"true starts another plan although the last one is not finished"`
}

// submit keeps a plan as a revision, shows it and waits.
func (s *Server) submit(ctx context.Context, call *sdk.CallToolRequest, a submitArgs) (*sdk.CallToolResult, Standing, error) {
	r, err := s.start(client(call), a)
	if err != nil {
		return nil, Standing{}, err
	}
	return s.wait(ctx, call, r)
}

// start begins the review of what was submitted, or finds the one that shows the same
// text: there is one review at a time.
func (s *Server) start(asker string, a submitArgs) (*review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.current; r != nil && !r.over() {
		if now, err := guest.Normal(a.Markdown); err == nil && plan.HashOf(now) == r.request.Plan.Ref.Hash {
			return r, nil
		}
		return nil, fmt.Errorf("r%d of your plan is still under review, so this text was not taken; call plan_status until the person has answered, then submit it", r.request.Plan.Ref.Revision)
	}
	agent, err := s.submitter(a)
	if err != nil {
		return nil, err
	}
	p, err := guest.Submit(s.opt.Store, agent, a.Markdown)
	if err != nil {
		return nil, fmt.Errorf("the plan was not taken: %w", err)
	}
	s.agent = agent
	return s.begin(Request{Agent: agent, Plan: p, Asker: asker}), nil
}

// submitter is whose plan is submitted. The caller holds s.mu.
func (s *Server) submitter(a submitArgs) (guest.Agent, error) {
	switch {
	case a.New && a.PlanID != "":
		return s.agent, errors.New("give planId to revise a plan, or newPlan to start another one, not both")
	case a.New:
		next := s.agent
		next.Session = s.opt.NewSession()
		return next, nil
	case a.PlanID == "":
		return s.agent, nil
	}
	m, agent, err := s.named(a.PlanID)
	if err != nil {
		return agent, err
	}
	if newest, err := guest.Find(s.opt.Store, agent); err != nil || newest.PlanID != m.PlanID || m.Settled() {
		return agent, fmt.Errorf("the plan %q is finished; leave planId out to start another one", a.PlanID)
	}
	return agent, nil
}

// named is a plan that an agent names, and the session that it belongs to: an agent
// that was started again goes on with it, and has no say over any other plan.
func (s *Server) named(id string) (plan.Manifest, guest.Agent, error) {
	unknown := fmt.Errorf("planId %q is no plan that an agent submitted over MCP in this directory", id)
	parsed, err := plan.ParseID(id)
	if err != nil {
		return plan.Manifest{}, guest.Agent{}, unknown
	}
	m, err := s.opt.Store.Manifest(parsed)
	if err != nil {
		return m, guest.Agent{}, errors.Join(unknown, err)
	}
	at := slices.IndexFunc(m.Sessions, func(key string) bool { return strings.HasPrefix(key, s.opt.Agent.Harness+":") })
	if at < 0 || m.Cwd != s.opt.Agent.Cwd {
		return m, guest.Agent{}, unknown
	}
	session := strings.TrimPrefix(m.Sessions[at], s.opt.Agent.Harness+":")
	return m, guest.Agent{Harness: s.opt.Agent.Harness, Session: session, Cwd: m.Cwd}, nil
}

// statusArgs are what plan_status takes.
type statusArgs struct {
	PlanID string `json:"planId,omitempty" jsonschema:"a plan; leave it out for the last one of this session"`
}

// status waits for an open review, or says how a plan stands.
func (s *Server) status(ctx context.Context, call *sdk.CallToolRequest, a statusArgs) (*sdk.CallToolResult, Standing, error) {
	s.mu.Lock()
	r, agent := s.current, s.agent
	s.mu.Unlock()
	if r != nil && (a.PlanID == "" || a.PlanID == string(r.request.Plan.Ref.Plan)) {
		m, err := s.opt.Store.Manifest(r.request.Plan.Ref.Plan)
		if err != nil || m.WorkOf(r.request.Plan.Ref.Revision) != plan.Completed {
			return s.wait(ctx, call, r)
		}
	}
	m, err := guest.Find(s.opt.Store, agent)
	if a.PlanID != "" {
		m, _, err = s.named(a.PlanID)
	}
	if errors.Is(err, guest.ErrNone) {
		return said(Standing{Status: None}, "No plan was submitted in this session. Nothing is approved.")
	}
	if err != nil {
		return nil, Standing{}, err
	}
	return recorded(m)
}

// recorded is how a plan stands by its own record.
func recorded(m plan.Manifest) (*sdk.CallToolResult, Standing, error) {
	ref, _ := m.Ref(m.CurrentRevision)
	st := Standing{PlanID: string(m.PlanID), Revision: ref.Revision, Hash: string(ref.Hash), Title: m.Title, Status: Undecided}
	switch {
	case m.WorkOf(ref.Revision) == plan.Completed:
		st.Status = Completed
		return said(st, fmt.Sprintf("r%d is completed.", ref.Revision))
	case m.WorkOf(ref.Revision) == plan.Implementing:
		st.Status = Approved
		return said(st, approvedText(ref, ""))
	case m.StatusOf(ref.Revision) == plan.StatusChangesRequested:
		st.Status = Changes
		return said(st, fmt.Sprintf("r%d was not approved: the person asked for changes. Submit the whole changed plan.", ref.Revision))
	}
	return said(st, fmt.Sprintf("r%d is not approved and no review of it is open. Submit it again to ask the person.", ref.Revision))
}
