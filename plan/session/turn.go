package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/image"
	"planmode/plan/prompt"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// maxRefusals is how many submissions in one turn may be refused before the
// turn ends and the person is shown why.
const maxRefusals = 3

// turn is one run of the agent. It is the agent's host.
type turn struct {
	s            *Session
	job          *job
	mode         plan.Mode      // the mode it began in, which it keeps
	refusals     int            // submissions refused in it
	ended        bool           // a result ended the turn: no further batch runs
	asks         map[string]int // the calls of the batch that the person is asked about, by id, in order
	streamFailed bool
	proposed     *block // the plan that a finished message holds, until it is taken up
	circles      circles

	runs, effort string      // the model as chosen, and how hard it thinks
	offer        agent.Offer // what that stood for when the turn began
}

// Send gives the agent a message of the person, or queues it while a turn runs.
// The marks in it that Attach gave show their images.
// A queue that an interrupt held goes first. It writes to disk, so a screen
// calls it outside its event loop. On an error nothing was sent or queued.
func (s *Session) Send(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	if err := s.readOnly(); err != nil {
		return fmt.Errorf("the session can only be read: %w", err)
	}
	if n := len(image.Marks(text)); n > image.MaxCount {
		return fmt.Errorf("a message shows at most %d images, and this one has %d", image.MaxCount, n)
	}
	s.remember(image.Plain(text))
	s.starting.Lock()
	defer s.starting.Unlock()
	j, ctx, ok := s.begin("")
	if !ok {
		return s.enqueue(text)
	}
	first := s.rotateQueue(text)
	if err := s.record(tree.KindUser, s.message(first)); err != nil {
		s.unrotateQueue(first)
		s.end(j)
		return err
	}
	s.keepQueue()
	s.spawn("turn", func() { s.turns(ctx, j) })
	return nil
}

// enqueue lets a message wait for the turn that runs.
func (s *Session) enqueue(text string) error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return ErrClosed
	}
	s.queue = append(s.queue, text)
	s.mu.Unlock()
	s.keepQueue()
	s.poke()
	return nil
}

// rotateQueue puts text last and returns what comes first.
func (s *Session) rotateQueue(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(append([]string(nil), s.queue...), text)
	s.queue = all[1:]
	return all[0]
}

// unrotateQueue undoes rotateQueue: the person keeps the text that was refused.
func (s *Session) unrotateQueue(first string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append([]string{first}, s.queue...)
	s.queue = all[:len(all)-1]
}

// Unqueue takes the last queued message back, for editing; false if none. The disk
// keeps it with the queue until it is saved as the text being composed.
func (s *Session) Unqueue() (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return "", false
	}
	last := len(s.queue) - 1
	text := s.queue[last]
	s.queue = append([]string(nil), s.queue[:last]...)
	s.poke()
	return text, true
}

// turns runs the turn of j and those that follow from it: the hand-off of a plan
// approved in it, then what was queued. The session is never free in between. A
// turn that was interrupted or failed holds the queue.
func (s *Session) turns(ctx context.Context, j *job) {
	s.lookBefore(ctx)
	for {
		clean := s.oneTurn(ctx, j)
		s.lookAfter() // before another job can begin
		s.compareWatch()
		if ctx.Err() != nil || !s.follow(j, clean) {
			s.end(j)
			return
		}
	}
}

// follow records what the next turn of j begins with; false when there is none
// and the session is free.
func (s *Session) follow(j *job, clean bool) bool {
	s.mu.Lock()
	h, goOn := s.handoff, s.goOn
	s.handoff, s.goOn = nil, false
	s.mu.Unlock()
	switch {
	case h != nil:
		return s.handOver(*h)
	case goOn && clean:
		return true
	}
	if s.takeAgain(j) {
		return true
	}
	text, ok := s.dequeueOrFree(j, clean)
	if !ok {
		return false
	}
	if err := s.record(tree.KindUser, s.message(text)); err != nil {
		s.putBack(text)
		s.say(tree.Failure, "The queued message could not be recorded (%v). It is still queued; sending anything tries again.", err)
		return false
	}
	s.keepQueue()
	return true
}

// handOver records the approved plan for the agent.
func (s *Session) handOver(h tree.Handoff) bool {
	if err := s.handOverClean(h); err != nil {
		s.markReinject()
		s.say(tree.Failure, "The plan is approved, but it could not be handed to the agent (%v). Send any message to try again.", err)
		return false
	}
	s.mu.Lock()
	s.reinject = false // an older plan that was to be repeated is revised by it
	s.mu.Unlock()
	return true
}

// dequeueOrFree takes the oldest queued message. When there is none, or the
// queue is held, it frees the session in the same step, so that a message sent
// meanwhile is never left waiting for a turn that will not come.
func (s *Session) dequeueOrFree(j *job, clean bool) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !clean || len(s.queue) == 0 || s.closing {
		s.free(j)
		return "", false
	}
	text := s.queue[0]
	s.queue = append([]string(nil), s.queue[1:]...)
	return text, true
}

func (s *Session) putBack(text string) {
	s.mu.Lock()
	s.queue = append([]string{text}, s.queue...)
	s.mu.Unlock()
	s.poke()
}

func (s *Session) markReinject() {
	s.mu.Lock()
	s.reinject = true
	s.mu.Unlock()
}

// oneTurn runs the agent once. It reports whether the turn ended by itself.
func (s *Session) oneTurn(ctx context.Context, j *job) bool {
	s.compactIfFull(ctx)
	s.injectAgain()
	s.deliver()
	s.takeServers(ctx)
	s.remind()
	t := &turn{s: s, job: j, mode: s.current().Mode}
	s.bind(t)
	s.setStatus("") // what was said of the review or turn before is over
	s.setEnding(j, false)
	begun := s.opt.Now()
	slog.Debug("turn begins", "session", s.opt.Session, "agent", t.offer.Agent, "model", t.offer.Model, "mode", t.mode)
	err := s.opt.Agent.Run(ctx, s.describe(t), t)
	slog.Debug("turn ended", "session", s.opt.Session, "took", s.opt.Now().Sub(begun), "failed", err != nil, "interrupted", ctx.Err() != nil)
	stopped := ""
	switch {
	case ctx.Err() != nil:
		stopped = "interrupted"
	case err != nil:
		stopped = "error"
	}
	cut := t.finishMessage(stopped)
	if err == nil {
		t.settle(ctx, 0)
	}
	switch {
	case ctx.Err() != nil && !cut && !s.isClosing() && !s.isVoided(j):
		s.say(tree.Info, "Interrupted. What was done so far is kept; nothing more runs.")
	case ctx.Err() == nil && err != nil && !errors.Is(err, context.Canceled):
		s.say(tree.Failure, "The agent stopped with an error: %v. Send a message to try again.", err)
	}
	return ctx.Err() == nil && err == nil
}

// describe is what the agent is told of this turn.
func (s *Session) describe(t *turn) agent.Turn {
	st := s.current()
	facts := s.facts()
	out := agent.Turn{
		Mode: st.Mode, Messages: s.conversation(t.offer), Dir: s.opt.Dir,
		Language: s.opt.Config.ContentLanguage, Now: s.opt.Now(), Model: t.runs, Effort: t.effort, Tools: s.specs(st),
	}
	if facts.Draft != nil {
		out.Draft = &facts.Draft.Ref
	}
	if facts.Work != nil {
		out.Work = &facts.Work.Ref
	}
	out.System = prompt.System(facts) + "\n\n" + prompt.Turn(facts)
	return out
}

func (s *Session) reference(ref plan.Ref, text string) prompt.Reference {
	r := prompt.Reference{Ref: ref, Title: string(ref.Plan), Path: s.opt.Store.RevisionPath(ref), Text: text}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.views[ref]; v != nil {
		r.Title, r.Status, r.Auto = v.Title, v.Status, v.Auto
	}
	return r
}

// finishMessage makes an entry of what was streamed. It reports whether there is
// one that says how the message stopped.
func (t *turn) finishMessage(stopped string) (said bool) {
	s := t.s
	s.mu.Lock()
	m := tree.Assistant{
		Text: s.live.text.String(), Reasoning: s.live.reasoning.String(),
		Model: t.offer.Model, Stopped: stopped,
	}
	s.mu.Unlock()
	if m.Text == "" && m.Reasoning == "" {
		return false
	}
	err := s.record(tree.KindAssistant, m)
	if err != nil {
		s.showUnsaved(tree.KindAssistant, m)
	}
	s.mu.Lock()
	s.live = live{calls: s.live.calls, saved: s.live.saved}
	s.mu.Unlock()
	if err != nil {
		s.say(tree.Failure, "The agent's message is shown, but could not be saved: %v.", err)
		return false
	}
	t.keepStreaming("")
	if stopped == "" {
		t.note(m.Text)
	}
	return stopped != ""
}

// Batch implements agent.Host: the whole batch is judged, then run in order.
func (t *turn) Batch(ctx context.Context, calls []tool.Call) ([]tool.Result, bool, error) {
	s := t.s
	t.finishMessage("")
	t.settle(ctx, len(calls))
	if t.ended {
		return nil, true, nil
	}
	s.mu.Lock()
	s.live.setCalls(calls) // before the entries: one that is not live looks as if it had been left behind
	s.mu.Unlock()
	for _, c := range calls {
		if err := s.record(tree.KindToolCall, tree.ToolCall{Call: c.ID, Name: c.Name, Args: validArgs(c.Args)}); err != nil {
			return nil, true, fmt.Errorf("record the call of %s: %w", c.Name, err)
		}
	}
	s.poke()
	judged := t.policy().Check(s.tools, calls)
	t.asks = asked(calls, judged)
	results := make([]tool.Result, len(calls))
	for i, c := range calls {
		s.unpend(c.ID)
		results[i] = t.countRefusal(c, t.answer(ctx, c, judged[i]))
		results[i].CallID, results[i].Name = c.ID, c.Name
		t.ended = t.ended || results[i].Stop
		s.setEnding(t.job, t.ended) // before anybody can see the result
		if err := s.recordResult(results[i]); err != nil {
			return results, true, err
		}
	}
	s.mu.Lock()
	s.live.calls = nil
	s.mu.Unlock()
	if ctx.Err() == nil {
		t.afterBatch(calls, results)
	}
	return results, t.ended || ctx.Err() != nil, ctx.Err()
}

func (s *Session) recordResult(r tool.Result) error {
	err := s.record(tree.KindToolResult, tree.ToolResult{
		Call: r.CallID, Name: r.Name, Text: r.Text, Error: r.Error, Details: r.Details,
	})
	s.mu.Lock()
	s.live.drop(r.CallID)
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("record the result of %s: %w", r.Name, err)
	}
	return nil
}
