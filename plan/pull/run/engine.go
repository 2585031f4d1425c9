package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"planmode/plan/agent"
	"planmode/plan/process"
	"planmode/plan/pull"
)

// Options are one review.
type Options struct {
	Workspace *Workspace
	Source    Source
	Output    string // the review file, relative to the workspace
	Focus     string // full, security, correctness or tests
	Style     string // how the review is worded; never what it judges
	Agent     agent.Agent
	Model     string
	Effort    string
	Now       func() time.Time
	Watch     func(Progress) // called from several goroutines; nil for nobody

	WantsPosting bool // the person chose that a verified review is offered for posting
	Gate         Gate // both only for WantsPosting
	Poster       Poster
}

// Progress is one thing that a watcher may show.
type Progress struct {
	Job      string // the role it is about, or empty
	What     string // started, activity, passed, refused, failed, or a stage
	Line     string // not cleaned
	Elapsed  time.Duration
	Usage    agent.Usage
	Repeated bool // of started: the last payload of the role was refused or failed
}

// engine is one run. One goroutine owns it; roles run beside and only send events.
type engine struct {
	Options
	folder *Folder
	before Baseline
	cancel context.CancelFunc
	state  pull.State
	done   chan outcome

	facts       pull.Context
	description string
	context     pull.Context
	chunks      []pull.Chunk
	author      pull.Author
	authorSum   string
	verify      pull.Verify
	shown       Shown
	receipts    *pull.Receipts // of the posting, once there are any
	left        []string       // lines about receipts of other runs
	warnings    []string       // about the review as it stands
	notes       []string
}

// outcome is an ended dispatch with its payload, which is taken over by the owner.
type outcome struct {
	key     string
	payload pull.Payload
	result  pull.Result
}

// Review carries out one review and returns its last words. It returns only when
// every role has ended and the audit is done; ctx stops it cleanly at any point.
func Review(ctx context.Context, o Options) pull.Block {
	e := &engine{Options: o, done: make(chan outcome), state: pull.State{Stage: pull.Intake, WantsPosting: o.WantsPosting}}
	if e.Watch == nil {
		e.Watch = func(Progress) {}
	}
	ctx, e.cancel = context.WithCancel(ctx)
	defer e.cancel()
	effects := e.step(e.intake(ctx))
	for e.state.Stage != pull.Ended {
		if next, stop := e.carryOut(ctx, effects); stop {
			effects = e.stop(ctx)
			if effects == nil {
				effects = e.step(next)
			}
			continue
		}
		select {
		case out := <-e.done:
			effects = append(e.stop(ctx), e.step(e.take(out))...)
		case <-e.interrupted(ctx):
			effects = e.stop(ctx)
		}
	}
	return e.block()
}

// stop ends the run if the person stopped it: what a role says after that is no answer.
func (e *engine) stop(ctx context.Context) []pull.Effect {
	if ctx.Err() == nil || e.state.Stage == pull.Ending {
		return nil
	}
	return e.step(pull.Event{Kind: pull.Interrupted})
}

// interrupted fires once the person stopped the run, and not again while it ends.
func (e *engine) interrupted(ctx context.Context) <-chan struct{} {
	if e.state.Stage == pull.Ending {
		return nil
	}
	return ctx.Done()
}

func (e *engine) step(ev pull.Event) []pull.Effect {
	var effects []pull.Effect
	e.state, effects = pull.Step(e.state, ev)
	return effects
}

// intake makes sure that nothing stands in the way, then makes the run folder.
func (e *engine) intake(ctx context.Context) pull.Event {
	if e.WantsPosting && (e.Gate == nil || e.Poster == nil) {
		return pull.Event{Kind: pull.ToolsGone, Reason: "nobody can be asked here, so nothing can be posted", Next: "start the review in a terminal, or without posting"}
	}
	if err := pull.CheckOutput(e.Output); err != nil {
		return pull.Event{Kind: pull.IntakeRefused, Reason: err.Error(), Next: "name another file with --output"}
	}
	if err := e.Workspace.CheckTarget(e.Output); err != nil {
		return pull.Event{Kind: pull.IntakeRefused, Reason: err.Error(), Next: "name a file that is not there yet with --output"}
	}
	e.left = e.Workspace.leftovers()
	e.notes = append(e.notes, e.left...)
	id := NewID(e.Now())
	if err := e.Workspace.ProveIgnored(ctx, id); err != nil {
		return pull.Event{Kind: pull.IntakeRefused, Blocked: true, Reason: err.Error(), Next: "add the line " + Ignore + " to .gitignore or .git/info/exclude"}
	}
	var err error
	if e.before, err = e.Workspace.Capture(ctx); err != nil {
		return pull.Event{Kind: pull.IntakeRefused, Blocked: true, Reason: err.Error(), Next: "make git work in this folder, then try again"}
	}
	return e.begin(ctx, id)
}

// begin makes the run folder and holds it. Of two runs that begin at once the later
// one, by its id, gives way.
func (e *engine) begin(ctx context.Context, id string) pull.Event {
	if ids, err := e.Workspace.Running(); err != nil || len(ids) > 0 {
		return besides(ids, err)
	}
	var err error
	if e.folder, err = e.Workspace.Make(id); err == nil {
		err = e.folder.Lock(ctx)
	}
	if err != nil {
		return pull.Event{Kind: pull.IntakeRefused, Blocked: true, Reason: err.Error(), Next: "make the folder writable, then try again"}
	}
	ids, err := e.Workspace.Running()
	if err != nil || slices.Min(append(ids, id)) != id {
		return besides(ids, err)
	}
	return pull.Event{Kind: pull.IntakeSafe}
}

func besides(ids []string, err error) pull.Event {
	reason := fmt.Sprintf("%v: %s", ErrRunning, strings.Join(ids, ", "))
	if err != nil {
		reason = err.Error()
	}
	return pull.Event{Kind: pull.IntakeRefused, Blocked: true, Reason: reason, Next: "wait for its end, or review in a worktree of its own"}
}

// carryOut does the effects in order. An effect that is done at once gives the next
// event, and what follows it in the list is dropped only after drift.
func (e *engine) carryOut(ctx context.Context, effects []pull.Effect) (next pull.Event, stop bool) {
	for i, f := range effects {
		switch f.Kind {
		case pull.Collect:
			return e.collect(ctx), true
		case pull.LookForDrift:
			if next, bad := e.look(ctx); bad {
				e.drop(effects[i+1:])
				return next, true
			}
		case pull.Dispatch:
			e.dispatch(ctx, f)
		case pull.Render:
			return e.render(f), true
		case pull.DryRun:
			return e.dryRun(ctx), true
		case pull.Ask:
			return e.ask(ctx), true
		case pull.Post:
			return e.post(ctx, f), true
		case pull.RecordReceipts:
			return e.record(f), true
		case pull.CancelAll:
			e.cancel()
		case pull.Audit:
			return e.audit(), true
		}
	}
	return pull.Event{}, false
}

// look says whether the source moved on or something was changed that the run may not
// change.
func (e *engine) look(ctx context.Context) (pull.Event, bool) {
	changed, err := e.Workspace.Audit(ctx, e.before, e.Output)
	if err == nil && len(changed) > 0 {
		return pull.Event{Kind: pull.OutOfBounds, Reason: strings.Join(changed, ", ")}, true
	}
	moved, err := e.Source.Drift(ctx)
	if err != nil && ctx.Err() == nil {
		moved = "it cannot be said whether the change moved on: " + err.Error()
	}
	return pull.Event{Kind: pull.Drifted, Reason: moved}, moved != ""
}

// drop answers for the dispatches that do not take place any more: the table counts
// them as running until it hears of their end.
func (e *engine) drop(effects []pull.Effect) {
	for _, f := range effects {
		if f.Kind == pull.Dispatch {
			process.Go("dropped review role", func() { e.done <- outcome{key: f.Key, result: pull.Result{Lost: true}} })
		}
	}
}

func (e *engine) collect(ctx context.Context) pull.Event {
	var err error
	if e.facts, e.description, err = e.Source.Facts(ctx, e.Now()); err != nil {
		return pull.Event{Kind: pull.Collected, Exit: 1, Reason: "the facts could not be collected: " + err.Error(), Next: "try again"}
	}
	if e.facts.Files.Total == 0 {
		return pull.Event{Kind: pull.IntakeRefused, Reason: "the change holds no files", Next: "name a range that changes something"}
	}
	exit := 0
	if e.facts.History.Status != "complete" {
		exit = 3
	}
	return pull.Event{Kind: pull.Collected, Exit: exit}
}

// dispatch starts one role. The goroutine touches nothing of the engine.
func (e *engine) dispatch(ctx context.Context, f pull.Effect) {
	b := e.brief(f)
	facts := e.facts
	chunks, author, sum := e.chunks, e.author, e.authorSum
	e.Watch(Progress{Job: f.Key, What: "started", Repeated: len(f.Problems) > 0 || len(f.Issues) > 0 || f.Text != ""})
	crew := Crew{Agent: e.Agent, From: e.Source, Base: facts.Pins.BaseSHA, Head: facts.Pins.HeadSHA, Now: e.Now, Watch: func(a Activity) {
		e.Watch(Progress{Job: a.Job, What: "activity", Line: a.Line, Usage: a.Usage})
	}}
	job := Job{Name: f.Key, System: pull.System(f.Role), Prompt: b.Prompt(), Model: e.Model, Effort: e.Effort}
	context := e.context
	process.Go("review role "+f.Key, func() {
		out := outcome{key: f.Key}
		d, err := crew.Run(ctx, job)
		if err != nil {
			out.result = pull.Result{Lost: true, Reason: err.Error()}
		} else {
			out.payload, out.result = judge(ctx, judged{b, facts, context, chunks, author, sum, e.Source, e.folder}, d)
		}
		p := Progress{Job: f.Key, What: "passed", Elapsed: d.Elapsed, Usage: d.Usage, Line: string(out.result.Status)}
		if len(out.result.Problems) > 0 {
			p.What, p.Line = "refused", out.result.Problems[0].String()
		} else if out.result.Status != pull.Pass {
			p.What = "failed"
			if p.Line == "" {
				p.Line = out.result.Reason
			}
		}
		e.Watch(p)
		e.done <- out
	})
}

// brief is what a role is told.
func (e *engine) brief(f pull.Effect) pull.Brief {
	b := pull.Brief{Role: f.Role, Focus: e.Focus, Style: e.Style, Diagnostics: f.Problems, Threads: e.discussions()}
	switch f.Role {
	case pull.RoleContext:
		b.Context, b.Description = &e.facts, e.description
	case pull.RoleChunk:
		b.Context, b.Description = &e.context, e.description
		b.Dimension = strings.TrimPrefix(f.Key, "chunk:")
	case pull.RoleAuthor:
		b.Context, b.Chunks, b.Issues, b.Wish = &e.context, e.chunks, f.Issues, f.Text
		b.Revision = e.author.Revision + 1
		if e.author.Revision > 0 {
			b.Author = &e.author
		}
	case pull.RoleVerify:
		b.Context, b.Chunks, b.Author, b.SHA256, b.Warnings = &e.context, e.chunks, &e.author, e.authorSum, e.warnings
	}
	return b
}

// take takes over a payload that was accepted.
func (e *engine) take(out outcome) pull.Event {
	p := out.payload
	if len(out.result.Problems) == 0 && !out.result.Lost {
		switch {
		case p.Context != nil:
			e.context = *p.Context
			e.chunks = make([]pull.Chunk, len(p.Context.Dimensions))
		case p.Chunk != nil:
			for i, d := range e.context.Dimensions {
				if d.Name == p.Chunk.Dimension {
					e.chunks[i] = *p.Chunk
				}
			}
		case p.Author != nil:
			e.author, e.authorSum, e.warnings = *p.Author, p.SHA256, out.result.Warnings
		case p.Verify != nil:
			e.verify = *p.Verify
		}
	}
	return pull.Event{Kind: pull.Done, Key: out.key, Result: out.result}
}

func (e *engine) render(f pull.Effect) pull.Event {
	sum, err := e.folder.Render(e.Output, e.draft(), f.SHA256)
	if err != nil {
		next := "name another file with --output"
		if errors.Is(err, ErrUncertain) {
			next = "look at " + e.Output + " before you use it"
		}
		return pull.Event{Kind: pull.Rendered, Exit: 1, Reason: err.Error(), Next: next}
	}
	return pull.Event{Kind: pull.Rendered, SHA256: sum}
}

// audit compares the workspace with what it was, then removes what the run made. It
// works also when the run was stopped.
func (e *engine) audit() pull.Event {
	if e.folder == nil {
		return pull.Event{Kind: pull.Audited}
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	output := e.Output
	changed, err := e.Workspace.Audit(ctx, e.before, output)
	if err != nil {
		changed = append(changed, "what was changed cannot be said: "+err.Error())
	}
	if stray, err := e.folder.Stray(); err == nil && len(stray) > 0 {
		changed = append(changed, fmt.Sprintf("files in the run folder that are not as the run wrote them: %q", stray))
	}
	if left, err := e.folder.Clean(); err != nil || len(left) > 0 {
		e.notes = append(e.notes, "kept in "+e.folder.Name()+": "+strings.Join(left, ", "))
	}
	return pull.Event{Kind: pull.Audited, Reason: strings.Join(changed, ", ")}
}

func (e *engine) block() pull.Block {
	f := e.state.End
	b := pull.Block{Posting: f.Posting, Review: f.Value, Reason: f.Reason, NextStep: f.Next, Notes: e.notes}
	if e.state.Draft != "" {
		b.ReviewFile = e.Output
	}
	if f.Value.Good() {
		b.Findings, b.Comments, b.Replies, b.Decision = len(e.author.Findings), len(e.author.Comments), len(e.author.Replies), e.author.Decision
		b.List = pull.List(e.author)
		b.Notes = append(b.Notes, "read "+pull.Reached(e.context, e.chunks).String())
		b.Notes = append(b.Notes, e.author.Limitations...)
	}
	return b
}
