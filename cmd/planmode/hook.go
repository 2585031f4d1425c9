package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/gate/guest"
	"planmode/plan/gate/harness"
	"planmode/plan/gate/target"
	"planmode/plan/gate/transcript"
	"planmode/plan/gate/waiter"
	"planmode/plan/proposal"
	"planmode/plan/text"
)

// hookCommand answers the hook of another agent, in that agent's own way.
func hookCommand() *cobra.Command {
	var where string
	c := &cobra.Command{
		Use:   "hook HARNESS [EVENT]",
		Short: "Answer a hook of another agent, such as Claude Code",
		Long: `Answer a hook of another agent. Its event comes on standard input, its answer goes
to standard output, and nothing else does. A plan that the agent submits becomes a
revision here, is compared with the one before, and waits for your decision; a file
that it wrote and its last message can be annotated. Leaving without a decision is
never an approval: the agent's own question is then asked. planmode install sets
the hook up.`,
		Args:      cobra.RangeArgs(1, 2),
		ValidArgs: harnessNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			h := harness.Harness(args[0])
			if !slices.Contains(harness.All, h) {
				return &codeError{exitUsage, fmt.Errorf("no hooks of %q are known; there are %s", args[0], strings.Join(harnessNames(), ", "))}
			}
			event := ""
			if len(args) > 1 {
				event = args[1]
			}
			if code := runHook(h, event, where); code != exitOK {
				return &codeError{code: code}
			}
			return nil
		},
	}
	c.Flags().StringVar(&where, "surface", "", "where to draw, as for planmode annotate")
	return c
}

func harnessNames() []string {
	var names []string
	for _, h := range harness.All {
		names = append(names, string(h))
	}
	return names
}

// runHook is the exit code of a hook. No code of it makes a harness go on as after an
// approval: where nobody could be asked, the harness asks by itself.
func runHook(h harness.Harness, name, where string) int {
	var raw []byte
	if !term.IsTerminal(os.Stdin.Fd()) {
		var err error
		if raw, err = io.ReadAll(io.LimitReader(os.Stdin, harness.MaxEvent+1)); err != nil {
			tell("planmode: read the hook event from stdin: " + err.Error())
			return exitError
		}
	}
	e, err := harness.Parse(h, name, raw)
	if err != nil {
		tell("planmode: " + err.Error())
		return exitError
	}
	g := newGateRun(gate.Request{Command: gate.Annotate, Format: gate.Format{Hook: true}, Surface: where})
	g.asker = string(h)
	switch e.Kind {
	case harness.Plan:
		return (&planHook{gateRun: g, event: e}).run()
	case harness.File:
		if !target.Reviewable(e.File) {
			return exitOK
		}
		return g.answer(func(ctx context.Context, g *gateRun) (target.Text, error) {
			look := g.look()
			look.Strict = true // the path is one word, whatever is in it
			return target.Resolve(ctx, look, []string{e.File})
		})
	case harness.Message:
		return g.answer(func(ctx context.Context, g *gateRun) (target.Text, error) {
			s, err := g.eventSession(ctx, transcript.Event{Session: e.Session, Path: e.Transcript, Cwd: e.Cwd, Message: e.Message})
			if err != nil {
				return target.Text{}, err
			}
			return g.message(s, s.Messages[len(s.Messages)-1])
		})
	}
	return exitOK
}

// planHook is a plan that waits for a decision in the hook of its agent.
type planHook struct {
	*gateRun
	event harness.Event
	plan  guest.Plan
}

func (p *planHook) agent() guest.Agent {
	session := p.event.Session
	if session == "" {
		session = filepath.Clean(p.event.Cwd)
	}
	return guest.Agent{Harness: string(p.event.Harness), Session: session, Cwd: p.event.Cwd}
}

// errNothing ends a hook that has nothing to ask.
var errNothing = errors.New("there is nothing to decide")

func (p *planHook) run() int {
	p.gateRun.reply = p.reply
	code := p.answer(p.submit)
	switch {
	case code == exitOK || p.ended.Load() != 0 || p.told:
		return code
	case errors.Is(p.failed, errNothing):
		return exitOK
	}
	why := "see its standard error"
	if p.failed != nil {
		why = text.Line(p.failed.Error())
	}
	if line := p.event.Undecided(why); line != "" {
		fmt.Fprintln(os.Stdout, line)
		return exitOK
	}
	return exitError
}

// submit stores the plan of the event as a revision.
func (p *planHook) submit(ctx context.Context, g *gateRun) (target.Text, error) {
	if !filepath.IsAbs(p.event.Cwd) {
		p.event.Cwd = g.cwd
	}
	markdown, err := p.markdown(ctx)
	if err != nil {
		return target.Text{}, err
	}
	if p.event.Harness == harness.Codex && p.again(markdown) {
		return target.Text{}, errNothing
	}
	if p.plan, err = guest.Submit(g.store, p.agent(), markdown); err != nil {
		return target.Text{}, fmt.Errorf("keep the plan: %w", err)
	}
	return target.Text{
		Subject: gate.SubjectPlan, Path: string(p.event.Harness) + "/" + text.Line(p.agent().Session), Markdown: p.plan.Text, Source: target.FromHook,
		Name: fmt.Sprintf("%s, r%d, plan of %s", p.plan.Title, p.plan.Ref.Revision, p.event.Harness),
	}, nil
}

// again says whether an agent that goes on after our notes shows the plan that got them.
func (p *planHook) again(markdown string) bool {
	m, err := guest.Find(p.store, p.agent())
	if err != nil || !p.event.Goes {
		return false
	}
	now, err := guest.Normal(markdown)
	ref, ok := m.Ref(m.CurrentRevision)
	return err == nil && ok && plan.HashOf(now) == ref.Hash
}

// markdown is the text of the plan: of its file if it has one, since that is what the
// agent goes by, else what the event holds.
func (p *planHook) markdown(ctx context.Context) (string, error) {
	file := p.event.PlanFile
	if p.event.Harness == harness.Copilot {
		home := os.Getenv("COPILOT_HOME")
		if home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("find the folder of Copilot CLI: %w", err)
			}
			home = filepath.Join(user, ".copilot")
		}
		file = p.event.CopilotPlan(home)
	}
	if file != "" {
		look := p.look()
		look.Strict, look.Raw = true, true
		t, err := target.Resolve(ctx, look, []string{file})
		if err == nil {
			return string(t.Markdown), nil
		}
		if p.event.Plan == "" {
			return "", err
		}
	}
	if p.event.Harness == harness.Codex {
		return p.proposed(ctx)
	}
	if strings.TrimSpace(p.event.Plan) == "" {
		return "", harness.ErrNoPlan
	}
	return p.event.Plan, nil
}

// proposed is the plan that Codex wrote in its last message; a message without one
// asks for nothing.
func (p *planHook) proposed(ctx context.Context) (string, error) {
	said := p.event.Message
	if said == "" {
		s, err := p.eventSession(ctx, transcript.Event{Session: p.event.Session, Path: p.event.Transcript, Cwd: p.event.Cwd})
		if err != nil {
			return "", err
		}
		said = s.Messages[len(s.Messages)-1].Text
	}
	if markdown, found := proposal.Extract(said); found {
		return markdown, nil
	}
	return "", errNothing
}

// reply records the decision on the revision and says it as the harness wants it. An
// approval that could not be recorded, or is of a plan that changed meanwhile, is none.
func (p *planHook) reply(job waiter.Job, a waiter.Answer) (string, bool) {
	p.told = true
	if a.Outcome.Approved && p.changed() {
		a.Outcome = gate.Outcome{Feedback: "The plan file changed while the person read it, so their approval does not count. Submit the plan again.\n"}
	}
	if err := guest.Decide(p.store, p.agent(), p.plan, job.ID, a); err != nil {
		tell("planmode: the decision could not be recorded: " + err.Error())
		if a.Outcome.Approved {
			line := p.event.Deny("YOUR PLAN WAS NOT APPROVED.\n\nThe person approved it, but that could not be recorded. Do not start. Tell them, and submit the plan again.")
			return line, line != ""
		}
	}
	line := p.event.Answer(a.Outcome, string(a.Text.Markdown))
	return line, line != ""
}

// changed says whether the plan is another one now than the one that was shown.
func (p *planHook) changed() bool {
	if p.event.PlanFile == "" && p.event.Harness != harness.Copilot {
		return false // the text came with the event
	}
	markdown, err := p.markdown(context.Background())
	if err != nil {
		return true
	}
	now, err := guest.Normal(markdown)
	return err != nil || plan.HashOf(now) != p.plan.Ref.Hash
}
