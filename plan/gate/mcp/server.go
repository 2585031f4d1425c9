// Package mcp serves the review of plans to any agent that speaks the Model Context
// Protocol. A plan that is submitted becomes a revision in the store and waits for the
// person; an answer that takes longer than clients wait is asked for again with
// plan_status. Only what the person chose, recorded on the bytes that they saw, is ever
// told as an approval. The server cannot make an agent read-only, and says so.
package mcp

import (
	"context"
	"io"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan/gate/guest"
	"planmode/plan/gate/waiter"
	"planmode/plan/text"
	"planmode/store"
)

// Harness names agents of this server in the keys of their sessions.
const Harness = "mcp"

// The pace of a call that waits: it tells that it still does at each step, and answers
// without a decision after Steps of them, since many clients give up at a minute.
const (
	Step  = 5 * time.Second
	Steps = 10
)

const instructions = `planmode lets the person at this machine review your plan before you carry it out.

Before you change anything, explore, write the whole plan as Markdown and hand it over with submit_plan. The person approves it, or sends notes to work in. While the answer is pending, call plan_status until there is one. After an approval do exactly what the plan says, and when all of it is done and checked, call complete_plan.

planmode cannot make you read-only: nothing but you keeps you from changing files before the approval. Do not change anything until plan_status or submit_plan says that the plan is approved.`

// Options are what a server works with.
type Options struct {
	Store   *store.Store
	Agent   guest.Agent // the session of a new plan
	Version string

	// Review shows a plan to the person. It calls decide with what they decided, before
	// anything else is done with it; without that call nothing was decided.
	Review func(ctx context.Context, r Request, decide Decide) error

	// NewSession gives the name of a session that starts another plan.
	NewSession func() string

	// Ticks ticks once in a time until stop is called; nil is the clock.
	Ticks func(time.Duration) (ticks <-chan time.Time, stop func())
}

// Request is a plan that waits for the person.
type Request struct {
	Agent guest.Agent
	Plan  guest.Plan
	Asker string // the client, as it calls itself
}

// Decide records an answer and gives what the agent is told.
type Decide func(review string, a waiter.Answer) string

// Server is a server for one client.
type Server struct {
	opt  Options
	over context.Context // ends with the client

	mu      sync.Mutex
	agent   guest.Agent
	current *review
	reviews sync.WaitGroup
}

// Serve answers one client until it goes away or ctx is done. A review that is still
// open then ends without a decision, which is waited for.
func Serve(ctx context.Context, o Options, in io.ReadCloser, out io.WriteCloser) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	return serve(ctx, end, o, &sdk.IOTransport{Reader: &watched{in, end}, Writer: out})
}

func serve(ctx context.Context, end func(), o Options, over sdk.Transport) error {
	if o.Ticks == nil {
		o.Ticks = func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		}
	}
	s := &Server{opt: o, over: ctx, agent: o.Agent}
	err := s.sdk().Run(ctx, over)
	end()
	s.reviews.Wait() // they give their terminal back
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// watched says when there is nothing more to read: then the client is gone, even
// while a call of it waits.
type watched struct {
	io.ReadCloser
	end func()
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if err != nil {
		w.end()
	}
	return n, err
}

func (s *Server) sdk() *sdk.Server {
	m := sdk.NewServer(&sdk.Implementation{Name: "planmode", Title: "planmode", Version: s.opt.Version}, &sdk.ServerOptions{Instructions: instructions})
	sdk.AddTool(m, &sdk.Tool{
		Name: "submit_plan",
		Description: "Hand the whole plan to the person for review, before you change anything. Always give the complete Markdown text, never just what " +
			"changed. They approve it or send notes: only they decide. While the answer is pending, call plan_status. This cannot keep you from " +
			"changing files, so do not before the approval.",
	}, s.submit)
	sdk.AddTool(m, &sdk.Tool{
		Name:        "plan_status",
		Description: "Wait for the person's answer to the plan under review, or say how the plan stands. It changes nothing. Call it again while it says pending.",
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true},
	}, s.status)
	sdk.AddTool(m, &sdk.Tool{
		Name: "complete_plan",
		Description: "Report that the approved plan is implemented. Only when all of it is done and checked, never for partial or failing work, with the exact " +
			"planId and revision that were approved.",
	}, s.complete)
	return m
}

// client is what the other side calls itself.
func client(r *sdk.CallToolRequest) string {
	if p := r.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		if name := text.Truncate(text.Line(p.ClientInfo.Name), 40); name != "" {
			return name
		}
	}
	return "an agent over MCP"
}
