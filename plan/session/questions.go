package session

import (
	"context"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tool"
)

// QuestionSet is what an agent asks the person at once. The desk calls Committed,
// if it is set, as soon as the reply to question i counts or no longer does, so
// that neither an interrupt nor a crash loses it. It never blocks, and is safe for
// concurrent use.
type QuestionSet struct {
	Questions []tool.Inquiry
	Committed func(i int, r Reply)
}

// Answers are the replies, one for each question in its order. One that is missing
// is not answered.
type Answers struct{ Replies []Reply }

// Reply is what the person said to one question. Only an act of theirs answers it.
type Reply struct {
	Answered bool
	Choice   int    // index of the option; -1 for words of their own
	Text     string // their own words
	Note     string // beside the answer, or without one
}

// AskPerson implements tool.Talker. However it ends, the mode stays as it is and
// no plan is approved by it.
func (s *Session) AskPerson(ctx context.Context, call tool.Call, args tool.QuestionArgs) tool.Result {
	if s.asksNobody() {
		return questionsResult(tool.QuestionDetails{Kind: tool.DetailUnavailable, Questions: answered(args.Questions, nil)})
	}
	h := s.hear(call, args.Questions)
	s.waiting(call.ID, true)
	a, err := s.opt.Desk.Questions(ctx, QuestionSet{Questions: args.Questions, Committed: h.commit})
	s.waiting(call.ID, false)
	committed := h.end()
	d := tool.QuestionDetails{Kind: tool.DetailAnswered}
	if err != nil {
		d.Kind, a.Replies = tool.DetailInterrupted, committed
	}
	d.Questions = answered(args.Questions, a.Replies)
	for _, q := range d.Questions {
		if !q.Answered && d.Kind == tool.DetailAnswered {
			d.Kind = tool.DetailDismissed
		}
	}
	return questionsResult(d)
}

// asksNobody says whether the person wants no questions while planning.
func (s *Session) asksNobody() bool { return s.Permission() == plan.PermissionAuto }

// answered joins questions and replies. A choice that was not on offer is no answer.
func answered(questions []tool.Inquiry, replies []Reply) []tool.Answered {
	out := make([]tool.Answered, len(questions))
	for i, q := range questions {
		out[i].Question = q.Question
		if i >= len(replies) {
			continue
		}
		r := replies[i]
		out[i].Note = strings.TrimSpace(r.Note)
		own := strings.TrimSpace(r.Text)
		switch {
		case !r.Answered:
		case r.Choice >= 0 && r.Choice < len(q.Options):
			out[i].Answered, out[i].Choice = true, q.Options[r.Choice].Label
		case own != "":
			out[i].Answered, out[i].Text = true, own
		}
	}
	return out
}

func questionsResult(d tool.QuestionDetails) tool.Result {
	var b strings.Builder
	open := 0
	for i, q := range d.Questions {
		fmt.Fprintf(&b, "\n%d. %s\n", i+1, text.Line(q.Question))
		switch {
		case q.Choice != "":
			fmt.Fprintf(&b, "   Answer: %s\n", text.Line(q.Choice))
		case q.Text != "":
			fmt.Fprintf(&b, "   Answer in their own words: %s\n", indent(q.Text))
		default:
			open++
			b.WriteString("   Not answered.\n")
		}
		if q.Note != "" {
			fmt.Fprintf(&b, "   Their note: %s\n", indent(q.Note))
		}
	}
	const own = "Not answered means just that: the person did not agree to the recommended answer. Decide it yourself and record it in the plan as an assumption, " +
		"or leave it open there; do not ask the same again."
	r := tool.Result{Details: tool.Marshal(d)}
	switch {
	case d.Kind == tool.DetailUnavailable:
		r.Error = true
		r.Text = "The questions were not asked: the person wants to be asked nothing now (permission mode auto). Decide each of them yourself, and record " +
			"every decision in the plan as an assumption."
	case d.Kind == tool.DetailInterrupted:
		r.Error = true
		r.Text = "The questions were interrupted. What the person had answered by then:\n" + b.String() + "\n" + own
	case open > 0:
		r.Text = fmt.Sprintf("The person ended the questions with %s of %d unanswered.\n", text.Count(open, "question"), len(d.Questions)) + b.String() + "\n" + own
	default:
		r.Text = "The person answered:\n" + b.String()
	}
	return r
}

// indent keeps words of the person below the line that says whose they are.
func indent(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(text.Clean(s)), "\n", "\n   ")
}
