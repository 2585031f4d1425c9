package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"

	"planmode/plan/gate"
	"planmode/plan/gate/target"
	"planmode/plan/gate/waiter"
)

// runGate answers a gate. Its arguments are judged before cobra sees any: a caller
// that relies on the strict options must never get an answer that ignores one. The
// texts of mistakes are a contract with callers, so they are printed as they are.
func runGate(r gate.Request, err error) int {
	var mistake *gate.UsageError
	if errors.As(err, &mistake) {
		tell(mistake.Text)
		return mistake.Code
	}
	if r.Help {
		return printHelp(r.Command)
	}
	if r.Command == gate.AnnotateLast {
		return runAnnotateLast(r)
	}
	return newGateRun(r).answer(func(ctx context.Context, g *gateRun) (target.Text, error) {
		return target.Resolve(ctx, g.look(), r.Words)
	})
}

// look is what a target is looked for with.
func (g *gateRun) look() target.Options {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	o := target.Options{
		Cwd: g.cwd, Home: home, Strict: g.request.Strict.On(), Hook: g.request.Format.Hook,
		Raw: g.request.Raw, Private: g.request.Private, Content: g.request.ContentOnly, Say: tell,
	}
	if !term.IsTerminal(os.Stdin.Fd()) {
		o.Stdin = os.Stdin
	}
	return o
}

// job is the review that is asked for.
func (g *gateRun) job(t target.Text) (waiter.Job, error) {
	var id [6]byte
	rand.Read(id[:])
	j := waiter.Job{ID: hex.EncodeToString(id[:]), Text: t, Format: g.request.Format, Strict: g.request.Strict, Asker: asker(os.Getenv), Cwd: g.cwd}
	if g.asker != "" {
		j.Asker = g.asker
	}
	key := t.Key()
	if key == "" {
		return j, nil
	}
	seen, ok, err := g.store.GateSeen(key)
	if err != nil {
		return j, fmt.Errorf("read what you saw of %s last: %w", t.Name, err)
	}
	if ok {
		j.Base = &waiter.Base{Markdown: []byte(seen.Markdown), Notes: seen.Notes}
	}
	return j, nil
}

// failure turns what kept a gate from answering into its exit code. Nothing is
// written to standard output but the one text that is meant for an agent.
func (g *gateRun) failure(err error) int {
	g.failed = err
	var found *target.Error
	plain := !g.request.Format.JSON && !g.request.Format.Hook && !g.request.Strict.On()
	if errors.As(err, &found) && found.Handoff && plain {
		if _, werr := fmt.Fprintln(os.Stdout, cleanLines(found.Text)); werr == nil {
			return gate.ExitYes
		}
		return gate.ExitFailed
	}
	if !errors.Is(err, errNothing) {
		tell(err.Error())
	}
	return g.request.Strict.Failure()
}
