package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/gate/target"
	"planmode/plan/gate/waiter"
	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/revdiff"
	"planmode/store"
	"planmode/tui/showing"
)

// gateRun is one gate: a process that owes its caller one answer on standard output.
type gateRun struct {
	request gate.Request
	cwd     string
	result  string // absolute path of the result file; empty for none
	dirs    store.Dirs
	config  store.Config
	store   *store.Store
	ended   atomic.Int32 // the exit code that a signal asks for

	asker  string // who asks; empty for what the environment says
	told   bool   // the caller has been answered
	failed error  // what kept the gate from answering

	// reply is what the caller is told, where that is not the record of a gate.
	reply func(job waiter.Job, a waiter.Answer) (line string, some bool)
}

func newGateRun(r gate.Request) *gateRun { return &gateRun{request: r} }

// tell writes to standard error. What it says may quote names and texts of others.
func tell(s string) { fmt.Fprintln(os.Stderr, cleanLines(s)) }

func cleanLines(s string) string { return strings.TrimRight(text.Clean(s), "\n") }

// answer does all of a gate and is its exit code: find the text, show it, wait for
// the person, record what they decided, and only then tell the caller.
func (g *gateRun) answer(find func(context.Context, *gateRun) (target.Text, error)) int {
	for _, flag := range g.request.Ignored {
		tell("planmode: " + flag + " means nothing here and is ignored")
	}
	ctx, stop := g.watch()
	defer stop()
	if err := g.open(); err != nil {
		return g.failure(err)
	}
	defer g.store.Close()
	t, err := g.find(ctx, find)
	if err != nil {
		return g.broken(err)
	}
	job, err := g.job(t)
	if err != nil {
		return g.broken(err)
	}
	a, err := g.show(ctx, job)
	if err != nil {
		return g.broken(err)
	}
	if a.Expired {
		tell("planmode: nobody came back to this review; nothing was decided, and your notes are kept for the next one")
	}
	return g.settle(job, a)
}

// find finds the text. It does not wait for a pipe that nobody writes to once a signal
// has ended the gate.
func (g *gateRun) find(ctx context.Context, find func(context.Context, *gateRun) (target.Text, error)) (target.Text, error) {
	type found struct {
		text target.Text
		err  error
	}
	done := make(chan found, 1)
	process.Go("find what a gate reviews", func() {
		t, err := find(ctx, g)
		done <- found{t, err}
	})
	select {
	case f := <-done:
		return f.text, f.err
	case <-ctx.Done():
		return target.Text{}, ctx.Err()
	}
}

// open finds what the gate needs before anything is shown: a result file that could
// not be written must not cost the person a review.
func (g *gateRun) open() (err error) {
	if g.cwd, err = workingDir(); err != nil {
		return err
	}
	if file := g.request.Strict.ResultFile; file != "" {
		if g.result = file; !filepath.IsAbs(file) {
			g.result = filepath.Join(g.cwd, file)
		}
		if err := store.CheckResult(g.result); err != nil {
			return err
		}
	}
	if g.dirs, err = store.Locate(os.Getenv); err != nil {
		return err
	}
	g.config, _ = store.ReadConfig(g.dirs) // what is wrong with it does not concern a review
	if g.store, err = store.Open(g.dirs, store.Options{}); err != nil {
		// A disk that takes nothing keeps nobody from reading a text and answering.
		tell("planmode: nothing of this review can be kept: " + err.Error())
		g.store, err = store.OpenTemporary(store.Options{})
	}
	return err
}

// workingDir is where names begin. Callers that start a gate from elsewhere say so.
func workingDir() (string, error) {
	if dir := os.Getenv("PLANNOTATOR_CWD"); filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	return dir, nil
}

// watch ends the gate on a signal, without a record; a second one ends it at once. A
// terminal that hung up, and a reader of standard output that went away, are found
// by whoever uses them.
func (g *gateRun) watch() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	caught := make(chan os.Signal, 4)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	process.Go("watch signals of the gate", func() {
		for s := range caught {
			if s == syscall.SIGHUP { // the terminal says itself that it is gone
				continue
			}
			code := int32(gate.ExitInterrupted)
			if s == syscall.SIGTERM {
				code = gate.ExitTerminated
			}
			if !g.ended.CompareAndSwap(0, code) {
				os.Exit(int(code))
			}
			cancel()
		}
	})
	return ctx, cancel
}

// showingOptions are what a review of this program's is shown with.
func (g *gateRun) showingOptions(terminal *process.Terminal) (showing.Options, error) {
	self, err := os.Executable()
	if err != nil {
		return showing.Options{}, fmt.Errorf("find planmode's own executable: %w", err)
	}
	again := g.look()
	return showing.Options{
		Terminal: terminal, Store: g.store, Env: os.Environ(), Labels: g.config.ReviewerLabels,
		Finder:     revdiff.FindOptions{Choice: revdiff.Choice(g.config.Reviewer), Getenv: os.Getenv, Self: self, Look: look(g.config)},
		ProbeCache: filepath.Join(g.dirs.State, "reviewers.json"),
		Theme:      g.config.Theme, ASCII: g.config.ASCII, Now: time.Now,
		Again: func(ctx context.Context, t target.Text) (target.Text, bool, error) {
			return target.Again(ctx, again, t)
		},
	}, nil
}

// broken is the exit code of a gate that could not answer. A signal has its own.
func (g *gateRun) broken(err error) int {
	g.failed = err
	if code := g.ended.Load(); code != 0 {
		return int(code)
	}
	if errors.Is(err, showing.ErrLeft) {
		tell("planmode: nothing was decided; your notes are kept")
		return gate.ExitInterrupted
	}
	return g.failure(err)
}

// settle makes the decision durable and then tells the caller: standard output first,
// the result file after it, with the same bytes.
func (g *gateRun) settle(job waiter.Job, a waiter.Answer) int {
	line, some := gate.Record(a.Outcome, g.request.Format)
	if g.reply != nil {
		line, some = g.reply(job, a)
	}
	record := ""
	if some {
		record = line + "\n"
	}
	if err := g.store.SettleGate(gateRecord(job, a, record), a.Text.Markdown); err != nil {
		tell("planmode: the decision is told but could not be kept here: " + err.Error())
	}
	if _, err := os.Stdout.WriteString(record); err != nil {
		tell("planmode: the answer could not be written to standard output: " + err.Error() + "; planmode last-feedback gives it again")
		return g.request.Strict.Failure()
	}
	if g.result != "" {
		if err := store.PublishResult(g.result, []byte(record), nil); err != nil {
			tell(err.Error())
			return gate.ExitBroken
		}
	}
	return g.request.Strict.Code(a.Outcome)
}

// gateRecord is what is kept of a decision.
func gateRecord(job waiter.Job, a waiter.Answer, output string) store.GateRecord {
	t := a.Text
	key := t.Key()
	if key == "" {
		key = store.GateKey(t.Markdown)
	}
	return store.GateRecord{
		ID: job.ID, Key: key, Path: t.Path, Name: t.Name, Subject: string(t.Subject), Asker: job.Asker, Cwd: job.Cwd,
		Hash: plan.HashOf(t.Markdown), Decision: a.Outcome.Decision(), Feedback: a.Outcome.Feedback, Notes: a.Notes, Unsent: a.Unsent, Output: output,
	}
}
