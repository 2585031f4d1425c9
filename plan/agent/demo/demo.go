// Package demo is the agent that needs no model and no network. It is scripted,
// but it looks at the real working directory with the real tools, so everything
// it plans about is there, and everything it does passes the host's policy.
//
// It decides every step from the turn and the conversation alone and keeps
// nothing between turns: the same repository and conversation give the same
// steps, and a turn that was interrupted is taken up where the conversation says
// it stopped. It writes only below Options.Temp, never below the working
// directory, and runs nothing. Whatever a file or a note holds, the plan it
// submits passes the checks of package document, or it says that it cannot.
package demo

import (
	"context"
	"fmt"
	"os"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
)

// label starts the first message of every turn.
const label = "DEMO agent: "

// maxSteps bounds one turn. The longest honest turn writes one file for each
// step of a plan, and plans of more steps are continued in another turn.
const maxSteps = 200

// Options are what the agent takes from its surroundings.
type Options struct {
	// Temp is the directory below which implementations are acted out; the
	// system's temporary directory if empty.
	Temp string
	// Delay waits between two pieces of text, and returns the context's error
	// when that ends first. Nil waits in real time, at a pleasant pace.
	Delay func(ctx context.Context, d time.Duration) error
}

// Agent is the demo agent.
type Agent struct {
	temp  string
	delay func(ctx context.Context, d time.Duration) error
}

var _ agent.Agent = (*Agent)(nil)

// New makes a demo agent.
func New(o Options) *Agent {
	a := &Agent{temp: o.Temp, delay: o.Delay}
	if a.temp == "" {
		a.temp = os.TempDir()
	}
	if a.delay == nil {
		a.delay = wait
	}
	return a
}

// Name is "demo".
func (a *Agent) Name() string { return "demo" }

// Model is empty: there is none.
func (a *Agent) Model() string { return "" }

// step is what the agent does next: say something, then make a batch of calls.
// A step without calls is the last one of the turn.
type step struct {
	text  string
	calls []tool.Call
}

// Run acts out one turn. It returns nil when it has nothing more to do or the
// host told it to stop, else the error of the context or of the host.
func (a *Agent) Run(ctx context.Context, turn agent.Turn, host agent.Host) error {
	if b, ok := reviews(turn); ok {
		return a.review(ctx, b, host)
	}
	t := read(turn)
	for n := range maxSteps {
		s := a.next(t)
		if n == 0 {
			s.text = label + s.text
		}
		if err := a.say(ctx, host, s.text); err != nil {
			return err
		}
		if len(s.calls) == 0 {
			return nil
		}
		results, stop, err := host.Batch(ctx, s.calls)
		if err != nil {
			return fmt.Errorf("demo agent: run a batch of %d calls: %w", len(s.calls), err)
		}
		t.add(s.calls, results)
		if stop {
			return nil
		}
	}
	return fmt.Errorf("demo agent: no end after %d steps", maxSteps)
}

// next decides the step that follows the conversation as it stands.
func (a *Agent) next(t *talk) step {
	switch {
	case t.turn.Mode == plan.ModePlanning:
		return planning(t)
	case t.turn.Work != nil:
		return a.working(t)
	}
	return chatting(t)
}
