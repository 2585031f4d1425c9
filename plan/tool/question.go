package tool

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"planmode/plan/text"
)

// QuestionArgs are the arguments of request_user_input.
type QuestionArgs struct {
	Questions []Inquiry `json:"questions" min:"1" max:"4" doc:"1 to 4 questions, best one. Each must matter for the plan."`
}

// Inquiry is one question with the answers on offer. The person can always answer
// in words of their own, so no answer stands for that.
type Inquiry struct {
	Header   string   `json:"header,omitempty" max:"12" doc:"A label of at most 12 characters."`
	Question string   `json:"question" min:"1" max:"500" doc:"One sentence, unlike the other questions."`
	Options  []Answer `json:"options" min:"2" max:"4" doc:"2 to 4 answers that exclude each other. Do not add \"other\": the person can always write."`
}

// Answer is one answer on offer.
type Answer struct {
	Label       string `json:"label" min:"1" max:"80" doc:"The answer in a few words, unlike the others of its question."`
	Description string `json:"description,omitempty" max:"500" doc:"What it means for the plan, in a sentence."`
	Recommended bool   `json:"recommended,omitempty" doc:"True for the one that you would take; at most one."`
}

// QuestionDetails is the Details of a request_user_input result.
type QuestionDetails struct {
	Kind      DetailKind `json:"kind"` // answered, dismissed, interrupted or unavailable
	Questions []Answered `json:"questions"`
}

// Answered is one question and what the person said to it. Only what they
// committed is an answer, never what was merely selected.
type Answered struct {
	Question string `json:"question"`
	Answered bool   `json:"answered"`
	Choice   string `json:"choice,omitempty"` // the label of the answer; empty for words of their own
	Text     string `json:"text,omitempty"`   // words of their own
	Note     string `json:"note,omitempty"`   // written beside an answer, or without one
}

// The kinds of request_user_input results.
const (
	DetailAnswered  DetailKind = "answered"
	DetailDismissed DetailKind = "dismissed" // ended with at least one question open
)

type askTool struct{ talker Talker }

func (askTool) Spec() Spec {
	return Spec{
		Name: AskName,
		Description: "Ask the person a few short questions with answers to choose from. Only in Plan Mode, only about goals, limits and preferences " +
			"that change the plan and that no file can tell, and never about whether a plan is approved or whether to go on. A question may stay unanswered.",
		Schema: schema[QuestionArgs](),
		Effect: Reads,
	}
}

func (askTool) validate(raw []byte) error {
	args, err := decode[QuestionArgs](raw)
	if err != nil {
		return err
	}
	return args.check()
}

func (t askTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[QuestionArgs](call.Args)
	if err == nil {
		err = args.check()
	}
	switch {
	case err != nil:
		return failed(call, fmt.Errorf("nothing was asked: %w. Correct it and call again", err))
	case t.talker == nil:
		return unavailable(call)
	}
	return t.talker.AskPerson(ctx, call, args)
}

// check holds the questions against what tags cannot say.
func (a QuestionArgs) check() error {
	asked := map[string]bool{}
	for i, q := range a.Questions {
		where := fmt.Sprintf("questions[%d]", i)
		if err := said(where+".question", q.Question); err != nil {
			return err
		}
		if n := utf8.RuneCountInString(strings.TrimSpace(q.Header)); q.Header != "" && n == 0 {
			return fmt.Errorf("argument %q is blank; leave it out or name the subject", where+".header")
		}
		key := fold(q.Question)
		if asked[key] {
			return fmt.Errorf("argument %q asks the same as an earlier question", where+".question")
		}
		asked[key] = true
		if err := q.checkOptions(where); err != nil {
			return err
		}
	}
	return nil
}

func (q Inquiry) checkOptions(where string) error {
	labels := map[string]bool{}
	recommended := 0
	for j, o := range q.Options {
		at := fmt.Sprintf("%s.options[%d].label", where, j)
		if err := said(at, o.Label); err != nil {
			return err
		}
		if labels[fold(o.Label)] {
			return fmt.Errorf("argument %q is the same as an earlier one of its question", at)
		}
		labels[fold(o.Label)] = true
		if o.Recommended {
			recommended++
		}
	}
	if recommended > 1 {
		return fmt.Errorf("%s recommends %d options; recommend one at most", where, recommended)
	}
	return nil
}

// said checks that a person would see something, on one line.
func said(where, s string) error {
	switch {
	case text.Line(s) == "":
		return fmt.Errorf("argument %q is blank", where)
	case text.Valid([]byte(s)) != nil || strings.ContainsAny(s, "\n\t"):
		return fmt.Errorf("argument %q holds a line break or characters that cannot be shown; write one plain line", where)
	}
	return nil
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
