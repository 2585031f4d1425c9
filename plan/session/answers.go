package session

import (
	"encoding/json"
	"sync"

	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// hearing keeps the replies to one call as they come, in memory at once and on
// the disk right after, in the order in which they came.
type hearing struct {
	call      string
	questions []tool.Inquiry

	mu      sync.Mutex
	replies []Reply
	queue   []tree.Answer // not on the disk yet
	ended   bool
	more    chan struct{} // holds something when the queue or ended changed
	kept    chan struct{} // closed when everything is on the disk
}

// hear begins to keep the replies to a call. The person's keys never wait for
// the disk, so another goroutine writes.
func (s *Session) hear(call tool.Call, questions []tool.Inquiry) *hearing {
	h := &hearing{
		call: call.ID, questions: questions, replies: make([]Reply, len(questions)),
		more: make(chan struct{}, 1), kept: make(chan struct{}),
	}
	s.spawn("answers", func() { s.keepAnswers(h) })
	return h
}

func (h *hearing) commit(i int, r Reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || i < 0 || i >= len(h.replies) || h.replies[i] == r {
		return
	}
	h.replies[i] = r
	a := answered(h.questions, h.replies)[i]
	h.queue = append(h.queue, tree.Answer{Call: h.call, Index: i, Answered: a.Answered, Choice: a.Choice, Text: a.Text, Note: a.Note})
	h.wake()
}

func (h *hearing) wake() {
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// end takes no more replies, waits until those that came are on the disk, and
// returns them.
func (h *hearing) end() []Reply {
	h.mu.Lock()
	h.ended = true
	h.wake()
	h.mu.Unlock()
	<-h.kept
	return h.replies
}

// take returns what is to be written, and whether that is the last of it.
func (h *hearing) take() ([]tree.Answer, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.queue
	h.queue = nil
	return out, h.ended
}

// keepAnswers writes replies until the hearing ends. One that cannot be written
// counts all the same; that it would not outlive the program is said once.
func (s *Session) keepAnswers(h *hearing) {
	defer close(h.kept)
	told := false
	for range h.more {
		answers, last := h.take()
		for _, a := range answers {
			if err := s.record(tree.KindAnswer, a); err != nil && !told {
				told = true
				s.say(tree.Warning, "Your answer counts, but it could not be saved yet: %v. It is saved when the questions end.", err)
			}
		}
		if last {
			return
		}
	}
}

// recoverAnswers gives the questions that were open when planmode stopped a
// result with what the person had answered by then, or it would not reach the
// agent.
func (s *Session) recoverAnswers() {
	for _, q := range unfinishedQuestions(s.branch) {
		d := tool.QuestionDetails{Kind: tool.DetailInterrupted, Questions: q.answers}
		r := questionsResult(d)
		r.CallID, r.Name = q.call, tool.AskName
		given := 0
		for _, a := range q.answers {
			if a.Answered {
				given++
			}
		}
		if err := s.recordResult(r); err != nil {
			s.say(tree.Failure, "What you had answered when planmode stopped could not be given to the agent: %v. It stays in the log of the session.", err)
			continue
		}
		s.say(tree.Info, "planmode stopped while the agent asked you something. What you had answered is kept (%d of %s); the agent reads it with your next message.",
			given, text.Count(len(q.answers), "question"))
	}
}

// unfinished are the questions of a call without a result, with what the person
// said to them.
type unfinished struct {
	call    string
	answers []tool.Answered
	said    bool
}

// unfinishedQuestions finds the open calls of a branch to which the person said
// something. A message after a call ends its chance of a result.
func unfinishedQuestions(branch []Item) (out []*unfinished) {
	var open []*unfinished
	for _, e := range branch {
		switch e.Kind {
		case tree.KindUser, tree.KindAssistant, tree.KindHandoff:
			open = nil
		case tree.KindToolCall:
			if q := questionsOf(e); q != nil {
				open = append(open, q)
			}
		case tree.KindToolResult:
			r, err := tree.Decode[tree.ToolResult](e)
			for i := 0; err == nil && i < len(open); i++ {
				if open[i].call == r.Call {
					open = append(open[:i:i], open[i+1:]...)
				}
			}
		case tree.KindAnswer:
			a, err := tree.Decode[tree.Answer](e)
			for i := 0; err == nil && i < len(open); i++ {
				if open[i].call == a.Call {
					open[i].take(a)
				}
			}
		}
	}
	for _, q := range open {
		if q.said {
			out = append(out, q)
		}
	}
	return out
}

// questionsOf reads a call that asks questions; nil for any other.
func questionsOf(e Item) *unfinished {
	c, err := tree.Decode[tree.ToolCall](e)
	if err != nil || c.Name != tool.AskName {
		return nil
	}
	var args tool.QuestionArgs
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return nil // it was refused and asked nothing
	}
	return &unfinished{call: c.Call, answers: answered(args.Questions, nil)}
}

func (u *unfinished) take(a tree.Answer) {
	if a.Index < 0 || a.Index >= len(u.answers) {
		return
	}
	q := &u.answers[a.Index]
	q.Answered, q.Choice, q.Text, q.Note = a.Answered, a.Choice, a.Text, a.Note
	u.said = true
}
