package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/text"
	"planmode/plan/tree"
)

const (
	fullAt    = 85 // percent of the window at which a conversation is shortened
	mostDraft = 64 << 10
	mostFocus = 500
)

// byPlanmode names who wrote a summary that no model did.
const byPlanmode = "planmode"

// Compact shortens what the agent is told of the conversation so far, with
// attention to focus. It can be interrupted like a turn. Whatever goes wrong, all
// stays as it was; what happened is logged as notices.
func (s *Session) Compact(ctx context.Context, focus string) error {
	if err := s.readOnly(); err != nil {
		return fmt.Errorf("compact: the session can only be read: %w", err)
	}
	j, jctx, ok := s.beginNext("summarising the conversation")
	if !ok {
		return ErrBusy
	}
	defer s.end(j)
	stop := context.AfterFunc(ctx, j.cancel)
	defer stop()
	err := s.compact(jctx, tree.Asked, focus)
	switch {
	case errors.Is(err, errNothingToShorten):
		s.say(tree.Info, "There is nothing to shorten yet.")
	case jctx.Err() != nil && err != nil:
		s.say(tree.Info, "Interrupted. The conversation is as it was.")
	case err != nil:
		s.say(tree.Failure, "The conversation was not shortened: %v. It is as it was.", err)
	default:
		s.say(tree.Info, "The agent now gets a summary of what is above. Nothing was removed: it all stays here, and plans, notes and decisions are told in full.")
	}
	return nil
}

// compactIfFull shortens the conversation before a turn that would hardly fit.
func (s *Session) compactIfFull(ctx context.Context) {
	s.mu.Lock()
	full := s.opt.Config.Compaction.Auto && s.contextShare() >= fullAt
	s.mu.Unlock()
	if !full || ctx.Err() != nil {
		return
	}
	s.setStatus("summarising the conversation, the context is nearly full")
	err := s.compact(ctx, tree.Automatic, "")
	if err != nil && ctx.Err() == nil && !errors.Is(err, errNothingToShorten) {
		s.say(tree.Warning, "The context is nearly full, and the conversation could not be shortened: %v. It goes on whole; /compact tries again.", err)
	}
}

var errNothingToShorten = errors.New("there is nothing to shorten")

// compact makes the summary first and records it last, so that a failure in
// between leaves no trace.
func (s *Session) compact(ctx context.Context, why tree.Reason, focus string) error {
	branch := s.Items(0)
	keep := stillAsked(branch)
	covered := branch[:keep]
	before := messages(covered, blind)
	if !worthShortening(before) {
		return errNothingToShorten
	}
	c := tree.Compaction{Reason: why, Focus: cutText(text.Clean(strings.TrimSpace(focus)), mostFocus), Covers: keep}
	if _, from, _, ok := tree.Boundary(covered); ok {
		c.Covers -= from
	}
	c.Request = requestIn(covered)
	var err error
	if c.Summary, c.By, err = s.summarise(ctx, before, c.Focus); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Plans = s.plansTold(branch)
	if keep < len(branch) {
		c.Keep = branch[keep].ID
	}
	if err := s.record(tree.KindCompaction, c); err != nil {
		return err
	}
	s.mu.Lock()
	s.usage = agent.Usage{}
	w := s.state.OpenWork()
	s.reinject = w != nil && !handedIn(branch[keep:], w.Ref)
	s.mu.Unlock()
	return nil
}

// worthShortening says whether the agent has said anything since the last summary.
func worthShortening(before []agent.Message) bool {
	for _, m := range before {
		if m.Role == agent.RoleAssistant {
			return true
		}
	}
	return false
}

// requestIn is the first thing that the person asked for, and still counts: not
// what came before a clean context.
func requestIn(branch []Item) plan.EntryID {
	if _, from, c, ok := tree.Boundary(branch); ok {
		if c.Request != "" {
			return c.Request
		}
		branch = branch[from:]
	}
	for _, e := range branch {
		if e.Kind == tree.KindUser {
			return e.ID
		}
	}
	return ""
}

// handedIn says whether entries hand the approved plan over.
func handedIn(entries []Item, ref plan.Ref) bool {
	for _, e := range entries {
		if e.Kind != tree.KindHandoff {
			continue
		}
		if h, err := tree.Decode[tree.Handoff](e); err == nil && h.Ref == ref {
			return true
		}
	}
	return false
}

// summarise asks the agent for a summary if it can give one. An empty one would
// lose everything, so it counts as a failure.
func (s *Session) summarise(ctx context.Context, before []agent.Message, focus string) (summary, by string, err error) {
	s.mu.Lock()
	model, _ := s.choice(s.state.Mode)
	runs := s.runsOn(s.state.Mode)
	s.mu.Unlock()
	a, ok := agent.SummarizerOf(s.opt.Agent, model)
	if !ok {
		return digest(before), byPlanmode, nil
	}
	summary, err = a.Summarize(ctx, before, focus)
	if err == nil && strings.TrimSpace(summary) == "" {
		err = errors.New("the summary is empty")
	}
	if err != nil {
		return "", "", fmt.Errorf("summarise: %w", err)
	}
	by = runs.Model
	if by == "" {
		by = runs.Agent
	}
	return strings.TrimSpace(summary), by, nil
}
