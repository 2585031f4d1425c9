package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// KindShell is the entry of a command that the person ran themselves.
const KindShell plan.Kind = "shell"

// Shell is a command of the person and what came of it. The agent is told both.
type Shell struct {
	Command string          `json:"command"`
	Text    string          `json:"text"`
	Error   bool            `json:"error,omitempty"`
	Details json.RawMessage `json:"details,omitempty"`
}

// shellCall names the running command of the person among the live calls.
const shellCall = "!"

// Shell runs a command of the person in the working directory, also while
// planning: the gate is for agents. It holds the session like a turn does, so it
// can be interrupted; while one runs, ErrBusy is returned and nothing happens.
func (s *Session) Shell(command string) error {
	if command = strings.TrimSpace(command); command == "" {
		return nil
	}
	if err := s.readOnly(); err != nil {
		return fmt.Errorf("the session can only be read: %w", err)
	}
	bash, ok := s.tools.Find("bash")
	if !ok {
		return fmt.Errorf("run %q: there is no shell", command)
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	j, ctx, ok := s.begin("")
	if !ok {
		return ErrBusy
	}
	s.remember(shellCall + command)
	s.spawn("shell", func() { s.runShell(ctx, j, bash, command) })
	return nil
}

func (s *Session) runShell(ctx context.Context, j *job, bash tool.Tool, command string) {
	c := tool.Call{ID: shellCall, Name: shellCall, Args: tool.Marshal(map[string]string{"command": command})}
	s.mu.Lock()
	s.live.setCalls([]tool.Call{c})
	s.mu.Unlock()
	s.poke()
	r := bash.Run(ctx, c, s.progress(c.ID))
	s.mu.Lock()
	s.live.calls = nil
	s.mu.Unlock()
	err := s.record(KindShell, Shell{Command: command, Text: r.Text, Error: r.Error, Details: r.Details})
	if err != nil {
		s.say(tree.Failure, "The command ran, but its output could not be saved: %v.\n%s", err, r.Text)
	}
	if ctx.Err() == nil && s.follow(j, true) {
		s.turns(ctx, j)
		return
	}
	s.end(j)
	s.Look() // it may have switched the branch
}

// message is what an agent is told of a command of the person.
func (sh Shell) message() agent.Message {
	return agent.Message{Role: agent.RoleUser, Text: fmt.Sprintf("I ran this command myself:\n\n%s\n\nIts output:\n\n%s", sh.Command, sh.Text)}
}
