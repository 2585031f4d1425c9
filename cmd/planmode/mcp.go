package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"planmode/plan/gate"
	"planmode/plan/gate/guest"
	"planmode/plan/gate/mcp"
	"planmode/plan/gate/target"
)

// mcpCommand serves plan review to an agent that starts it.
func mcpCommand() *cobra.Command {
	var where string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Let any agent that speaks MCP submit its plans for your review",
		Long: `Serve the tools submit_plan, plan_status and complete_plan over standard input and
output, for an agent that starts this as an MCP server. A plan becomes a revision
here, is compared with the one before, and waits for your decision on the surface
that planmode annotate would use. After 50 seconds the agent is told to ask again;
the review stays open.

planmode cannot make that agent read-only: it is asked not to change anything before
you approve, and nothing keeps it from doing so.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serveMCP(cmd.Context(), where)
		},
	}
	c.Flags().StringVar(&where, "surface", "", "where to draw, as for planmode annotate")
	return c
}

// mcpGate is what each review of the server is shown with.
type mcpGate struct {
	base    *gateRun
	surface string
}

func serveMCP(ctx context.Context, where string) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	// A terminal that hung up and a client that went away are found by whoever uses them.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGPIPE)
	m := &mcpGate{base: newGateRun(gate.Request{Command: gate.Annotate}), surface: where}
	if err := m.base.open(); err != nil {
		return &codeError{exitError, err}
	}
	defer m.base.store.Close()
	err := mcp.Serve(ctx, mcp.Options{
		Store: m.base.store, Version: build().Version, Review: m.review, NewSession: randomName,
		Agent: guest.Agent{Harness: mcp.Harness, Session: randomName(), Cwd: m.base.cwd},
	}, os.Stdin, os.Stdout)
	if err != nil {
		return &codeError{exitError, fmt.Errorf("serve MCP on standard input and output: %w", err)}
	}
	return nil
}

func randomName() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// review shows one plan, as a gate of its own, and keeps what the person decided.
func (m *mcpGate) review(ctx context.Context, r mcp.Request, decide mcp.Decide) error {
	g := newGateRun(gate.Request{Command: gate.Annotate, Format: gate.Format{Gate: true, JSON: true}, Surface: m.surface})
	g.cwd, g.dirs, g.config, g.store = m.base.cwd, m.base.dirs, m.base.config, m.base.store
	job, err := g.job(target.Text{
		Subject: gate.SubjectPlan, Path: mcp.Harness + "/" + string(r.Plan.Ref.Plan), Markdown: r.Plan.Text, Source: target.FromHook,
		Name: fmt.Sprintf("%s, r%d, plan of %s", r.Plan.Title, r.Plan.Ref.Revision, r.Asker),
	})
	if err != nil {
		return err
	}
	job.Asker = r.Asker
	a, err := g.show(ctx, job)
	if err != nil {
		return err
	}
	told := decide(job.ID, a)
	if err := g.store.SettleGate(gateRecord(job, a, told+"\n"), a.Text.Markdown); err != nil {
		tell("planmode: the review could not be kept for the next one: " + err.Error())
	}
	return nil
}
