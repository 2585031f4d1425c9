package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/gate/target"
	"planmode/plan/gate/transcript"
	"planmode/plan/process"
	"planmode/plan/text"
)

// noMessage is what callers know: there is nothing to review.
const noMessage = "No rendered assistant message found in session logs."

// Bounds of the search for a session.
const (
	maxAncestors   = 8                // processes above this one that may be an agent
	exportPatience = 20 * time.Second // for a program that prints its own session
	maxExport      = 64 << 20         // bytes of what it prints
)

// origins are the agents that callers name in the environment.
var origins = map[string]transcript.Harness{
	"claude-code": transcript.Claude, "codex": transcript.Codex, "gemini-cli": transcript.Gemini, "copilot-cli": transcript.Copilot,
	"pi": transcript.Pi, "opencode": transcript.OpenCode, "kimi-code": transcript.Kimi, "planmode": transcript.Planmode,
}

// runAnnotateLast reviews the last message of an agent.
func runAnnotateLast(r gate.Request) int {
	return newGateRun(r).answer(lastMessage)
}

// lastMessage is the message to review: from standard input, from the hook's event, or
// the newest of the session that is most likely meant.
func lastMessage(ctx context.Context, g *gateRun) (target.Text, error) {
	if g.request.Stdin {
		look := g.look()
		t, err := target.Resolve(ctx, look, []string{"-"})
		t.Subject, t.Source, t.Name = gate.SubjectMessage, target.FromMessage, "message on standard input"
		return t, err
	}
	s, err := g.session(ctx)
	if errors.Is(err, transcript.ErrNone) || errors.Is(err, transcript.ErrNoMessage) {
		return target.Text{}, fmt.Errorf("%s\nplanmode: %w", noMessage, err)
	}
	if err != nil {
		return target.Text{}, err
	}
	m := s.Messages[len(s.Messages)-1]
	if g.request.Pick {
		if m, err = g.pick(ctx, s); err != nil {
			return target.Text{}, err
		}
	}
	return g.message(s, m)
}

// message is one message of a session as the text to review.
func (g *gateRun) message(s transcript.Session, m transcript.Message) (target.Text, error) {
	if len(m.Text) > target.MaxBytes {
		return target.Text{}, fmt.Errorf("the last message of %s is larger than %d MB", s.Harness, target.MaxBytes>>20)
	}
	name := "message of " + whose(s, m, time.Now())
	tell("planmode: reviewing the last " + name + ": " + firstLine(m.Text, 60))
	return target.Text{Subject: gate.SubjectMessage, Name: text.Line(name), Markdown: []byte(text.Visible([]byte(m.Text))), Source: target.FromMessage}, nil
}

// session finds and reads the session that is meant.
func (g *gateRun) session(ctx context.Context) (transcript.Session, error) {
	in := g.look().Stdin
	if !g.request.Format.Hook || in == nil || g.request.Session != "" {
		return transcript.Find(ctx, g.sessionOptions(ctx))
	}
	event, err := transcript.ReadEvent(in)
	if err != nil {
		return transcript.Session{}, err
	}
	return g.eventSession(ctx, event)
}

// eventSession is the session that a hook's event names, or the one that is found.
func (g *gateRun) eventSession(ctx context.Context, event transcript.Event) (transcript.Session, error) {
	o := g.sessionOptions(ctx)
	if s, ok, err := event.Of(o); ok {
		return s, err
	}
	if o.Session = event.Session; filepath.IsAbs(event.Cwd) {
		o.Cwd = filepath.Clean(event.Cwd)
	}
	return transcript.Find(ctx, o)
}

// sessionOptions are what sessions are looked for with.
func (g *gateRun) sessionOptions(ctx context.Context) transcript.Options {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return transcript.Options{
		Session: g.request.Session, Cwd: g.cwd, Home: home, Getenv: os.Getenv, Ancestors: process.Ancestors(ctx, maxAncestors),
		Store: g.store, PassOver: g.request.PassOver, Command: g.export, Harness: origins[os.Getenv("PLANNOTATOR_ORIGIN")],
	}
}

// export runs a program that knows how to print its own sessions.
func (g *gateRun) export(ctx context.Context, name string, args ...string) ([]byte, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("find the program %s: %w", name, err)
	}
	r, err := process.Run(ctx, process.Command{Path: path, Args: args, Dir: g.cwd, Env: os.Environ(), Timeout: exportPatience, Limit: maxExport, Split: true})
	switch {
	case err != nil:
		return nil, err
	case r.TimedOut:
		return nil, fmt.Errorf("%s did not end within %s", name, exportPatience)
	case r.Code != 0:
		return nil, fmt.Errorf("%s ended with %d: %s", name, r.Code, text.Line(string(r.Stderr)))
	case r.Cut > 0:
		return nil, fmt.Errorf("%s printed more than %d MB", name, maxExport>>20)
	}
	return r.Output, nil
}

// whose says which session a message is of, and when it was written.
func whose(s transcript.Session, m transcript.Message, now time.Time) string {
	out := string(s.Harness)
	if s.ID != "" {
		out += ", session " + text.Truncate(text.Line(s.ID), 13)
	}
	at := m.At
	if at.IsZero() {
		at = s.Modified
	}
	if at.IsZero() {
		return out
	}
	return out + ", " + ago(now, plan.Time{Time: at})
}

// firstLine is the beginning of a message, for one line of cells width.
func firstLine(message string, cells int) string {
	return text.Truncate(text.Line(message), cells)
}
