package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan/gate/guest"
)

// maxSummary bounds what is kept of a completion, in bytes.
const maxSummary = 16 << 10

// completeArgs are what complete_plan takes.
type completeArgs struct {
	PlanID       string   `json:"planId" jsonschema:"the plan that was approved"`
	Revision     int      `json:"revision" jsonschema:"the revision that was approved"`
	Summary      string   `json:"summary" jsonschema:"what was done, in a few sentences"`
	Verification []string `json:"verification,omitempty" jsonschema:"how it was checked, one item each"`
}

// complete records the agent's declaration that an approved revision is implemented,
// while its stored bytes are still those that were approved.
func (s *Server) complete(_ context.Context, _ *sdk.CallToolRequest, a completeArgs) (*sdk.CallToolResult, Standing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, agent, err := s.named(a.PlanID)
	if err != nil {
		return nil, Standing{}, err
	}
	notes := strings.TrimSpace(a.Summary)
	for _, v := range a.Verification {
		if v = strings.TrimSpace(v); v != "" {
			notes += "\n- " + v
		}
	}
	switch {
	case strings.TrimSpace(a.Summary) == "":
		return nil, Standing{}, fmt.Errorf("not completed: say in summary what was done")
	case len(notes) > maxSummary:
		return nil, Standing{}, fmt.Errorf("not completed: the summary is longer than %d bytes", maxSummary)
	}
	m, err = guest.Complete(s.opt.Store, agent, m, a.Revision, notes)
	if err != nil {
		return nil, Standing{}, fmt.Errorf("not completed: %w", err)
	}
	ref, _ := m.Ref(a.Revision)
	st := Standing{Status: Completed, PlanID: string(m.PlanID), Revision: ref.Revision, Hash: string(ref.Hash), Title: m.Title}
	return said(st, fmt.Sprintf("Completed %s r%d.", m.PlanID, ref.Revision))
}
