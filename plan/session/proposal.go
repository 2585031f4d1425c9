package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/proposal"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/store"
)

// block is a plan that a message of the agent holds between <proposed_plan> and
// </proposed_plan>. In a planning turn it is a submission like a call of
// submit_plan: at most one a turn, of a message that was finished and recorded.
// It is taken up when the message's calls arrive, which then do not run, or when
// the agent stops.
type block struct {
	text  string
	doubt string // why the person should look twice; empty if nothing does
}

// lastBlock is the block of a message that counts, the last one.
func lastBlock(message string) (b block, found bool) {
	if !proposal.Mentions(message) {
		return block{}, false
	}
	var doubts []string
	blocks := 0
	for _, p := range proposal.Parts(message) {
		if !p.Plan {
			continue
		}
		blocks++
		b.text, doubts = p.Text, nil
		if p.Fenced {
			doubts = append(doubts, "it stands in a code fence and may be an example")
		}
		if p.Torn {
			doubts = append(doubts, "its last tag stands in a code fence, so the plan may be cut off")
		}
		if p.Open {
			doubts = append(doubts, "it has no closing tag, so its end may be missing")
		}
	}
	if blocks > 1 {
		doubts = append(doubts, fmt.Sprintf("the message holds %d plans, and this is the last", blocks))
	}
	b.doubt = strings.Join(doubts, "; ")
	return b, blocks > 0
}

// note keeps the block of a finished message until the turn can take it up.
func (t *turn) note(message string) {
	if t.mode != plan.ModePlanning {
		return
	}
	b, found := lastBlock(message)
	switch {
	case !found:
	case t.proposed != nil:
		t.s.say(tree.Info, "The agent wrote a second plan in one turn. It was not reviewed: one plan a turn. /plan take reviews it.")
	default:
		t.proposed = &b
	}
}

// settle submits the block that the turn holds, if any, and ends the run of the
// agent: what comes of it is given to its next run. beside is how many calls came
// with the block; they do not run, since a submission stands alone.
func (t *turn) settle(ctx context.Context, beside int) {
	b, s := t.proposed, t.s
	if b == nil || t.ended || ctx.Err() != nil {
		return
	}
	t.ended = true
	if beside > 0 {
		s.say(tree.Info, "The plan in the agent's message is its submission; %s beside it did not run.", text.Count(beside, "tool call"))
	}
	s.setStatus("waiting for your review")
	r := s.submitBlock(ctx, *b, s.afterSubmission)
	if ctx.Err() == nil && !s.isClosing() {
		s.blockAnswered(t.job, r, beside)
	}
}

// submitBlock is SubmitPlan for a block: the same checks but for the sections,
// which are a remark on the card, and the same revision, review and decision.
func (s *Session) submitBlock(ctx context.Context, b block, next afterwards) tool.Result {
	st := s.current()
	if !st.IsPlanning() {
		return planResult("Plan Mode is off, so the plan was not submitted.", tool.PlanDetails{Kind: tool.DetailUnavailable, Reason: "Plan Mode is off"}, true)
	}
	sub, err := s.blockSubmission(st, b)
	if err != nil {
		d := tool.PlanDetails{Kind: tool.DetailInvalid, Title: sub.Title, Reason: err.Error()}
		if st.Planning != nil {
			d.Plan, d.Revision = st.Planning.Plan, st.Planning.Revision
		}
		return s.refuseSubmission(d)
	}
	if p := st.Planning; p != nil && p.Hash == plan.HashOf(sub.Text) { // also of a plan that offers approaches
		return s.refuseSubmission(tool.PlanDetails{Kind: tool.DetailUnchanged, Plan: p.Plan, Revision: p.Revision, Title: sub.Title,
			Reason: fmt.Sprintf("the text is byte for byte r%d", p.Revision)})
	}
	return s.submit(ctx, st, sub, b.doubt, next)
}

// blockSubmission makes a submission of a block. Its title is its own: a block
// has no other place for one.
func (s *Session) blockSubmission(st plan.State, b block) (store.Submission, error) {
	if strings.TrimSpace(b.text) == "" {
		return store.Submission{}, errors.New("the block is empty; write the whole plan between the tags")
	}
	text, err := document.Normalise([]byte(b.text))
	if err != nil {
		return store.Submission{}, err
	}
	doc := document.Parse(text)
	sub := store.Submission{
		Session: s.opt.Session, Cwd: s.opt.Dir, Title: doc.Title(), Text: text,
		Author: plan.ByAgent, Language: doc.Language(), Steps: doc.Steps(),
	}
	if st.Planning != nil {
		sub.Plan, sub.BasedOn = st.Planning.Plan, st.Planning.Revision
		if sub.Title == "" {
			sub.Title = s.titleOf(*st.Planning)
		}
	}
	if sub.Title == "" {
		sub.Title = doc.FirstLine()
	}
	sub.Title, err = document.CleanTitle(sub.Title)
	return sub, err
}

// blockAnswered gives what came of a block to the agent, the way a result of
// submit_plan would, and lets it go on where that would.
func (s *Session) blockAnswered(j *job, r tool.Result, beside int) {
	var d tool.PlanDetails
	if err := json.Unmarshal(r.Details, &d); err != nil {
		d.Kind = tool.DetailError
	}
	switch d.Kind {
	case tool.DetailApproved:
		return // the hand-off tells it
	case tool.DetailUnchanged:
		s.say(tree.Info, "The plan is the same as r%d, so there is no new revision. /plan review shows it.", d.Revision)
		return
	}
	f := Feedback{Text: "This is planmode. The <proposed_plan> block of your last message was taken as a submission. " + r.Text, Details: d}
	if beside > 0 {
		f.Text += fmt.Sprintf("\nThe %s of that message did not run: a plan is submitted alone.", text.Count(beside, "tool call"))
	}
	goesOn := !r.Stop
	if r.Error && goesOn {
		if n := refusedBlocks(s.Items(0)) + 1; n >= maxRefusals {
			goesOn = false
			s.say(tree.Warning, "The agent submitted a plan that was refused %d times, so the turn was ended. The last reason: %s\nPlan Mode is still on; tell the agent how to go on.", n, r.Text)
		}
	}
	if err := s.record(KindFeedback, f); err != nil {
		s.say(tree.Failure, "What came of the plan could not be given to the agent (%v). Plan Mode is still on; send a message to go on.", err)
		return
	}
	s.mu.Lock()
	j.again = goesOn
	s.mu.Unlock()
}

// refusedBlocks counts the blocks that were refused since the person last said or
// decided something.
func refusedBlocks(branch []Item) int {
	n := 0
	for i := len(branch) - 1; i >= 0; i-- {
		switch e := branch[i]; e.Kind {
		case tree.KindUser, plan.KindRevisionSubmitted:
			return n
		case KindFeedback:
			if f, err := tree.Decode[Feedback](e); err == nil && f.Refused() {
				n++
			}
		}
	}
	return n
}

// Refused says whether the feedback tells of a plan that was not accepted, so
// that no review of it is on the branch.
func (f Feedback) Refused() bool {
	switch f.Details.Kind {
	case tool.DetailInvalid, tool.DetailUnavailable, tool.DetailStorageError:
		return true
	}
	return false
}

// takeAgain says whether the agent runs again because of what came of its block.
func (s *Session) takeAgain(j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := j.again
	j.again = false
	return again
}

// newestBlock is the plan of the newest finished message that holds one.
func (s *Session) newestBlock() (block, bool) {
	branch := s.Items(0)
	for i := len(branch) - 1; i >= 0; i-- {
		if branch[i].Kind != tree.KindAssistant {
			continue
		}
		a, err := tree.Decode[tree.Assistant](branch[i])
		if err != nil || a.Stopped != "" {
			continue
		}
		if b, found := lastBlock(a.Text); found && strings.TrimSpace(b.text) != "" {
			return b, true
		}
	}
	return block{}, false
}

// planTake reviews the plan that a message of the agent holds although it was not
// submitted: Plan Mode was off, or it was the second of its turn. Turning Plan
// Mode on asks what it always asks.
func (s *Session) planTake(ctx context.Context) {
	b, found := s.newestBlock()
	if !found {
		s.say(tree.Info, "No answer of the agent here holds a plan of its own. %s", s.leadOn())
		return
	}
	if !s.current().IsPlanning() {
		if s.planOn(ctx); !s.current().IsPlanning() {
			return
		}
	}
	s.asReview(func(ctx context.Context) tool.Result {
		// They asked to see it, so it is reviewed in every permission mode.
		r := s.submitBlock(ctx, b, func(ctx context.Context, ref plan.Ref) tool.Result { return s.review(ctx, ref, nil) })
		var d tool.PlanDetails
		if json.Unmarshal(r.Details, &d) == nil && r.Error {
			s.tookNothing(d)
		}
		return r
	})
}

// tookNothing tells the person why a plan they asked for is not under review.
func (s *Session) tookNothing(d tool.PlanDetails) {
	switch d.Kind {
	case tool.DetailUnchanged:
		s.say(tree.Info, "The plan is the same as r%d, so there is no new revision. /plan review shows it.", d.Revision)
	case tool.DetailInvalid, tool.DetailUnavailable, tool.DetailStorageError:
		s.say(tree.Warning, "The plan could not be taken: %s. Nothing was changed.", d.Reason)
	}
}

// remark keeps what the person should know of a revision, and says it before the
// review begins.
func (s *Session) remark(ref plan.Ref, doubt string) {
	if doubt == "" {
		return
	}
	s.mu.Lock()
	if s.remarks == nil {
		s.remarks = map[plan.Ref]string{}
	}
	s.remarks[ref] = doubt
	s.mu.Unlock()
	s.say(tree.Warning, "Look twice at r%d: %s.", ref.Revision, doubt)
}

func (s *Session) remarkOn(ref plan.Ref) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remarks[ref]
}
