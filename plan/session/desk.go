package session

import (
	"context"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/revdiff"
)

// Desk is where the person decides. The screen implements it, and tests do by
// script. Every call blocks until there is an answer or ctx ends; an error means
// that there is no answer, and nothing was decided.
type Desk interface {
	// Review hands the terminal to the reviewer that job describes and returns
	// how its process ended.
	Review(ctx context.Context, job *revdiff.Job) (revdiff.Exit, error)
	Decide(ctx context.Context, card Card) (Verdict, error)
	Ask(ctx context.Context, q Question) (choice int, err error)
	Permit(ctx context.Context, p Permit) (Grant, error)
	Confirm(ctx context.Context, c Confirmation) (bool, error)
	// Questions asks what an agent wants to know. The person may leave any of it
	// unanswered.
	Questions(ctx context.Context, q QuestionSet) (Answers, error)
}

// Row is a row of the decision card.
type Row string

// The rows of the card.
const (
	RowApprove        Row = "approve"
	RowRequestChanges Row = "request_changes"
	RowKeep           Row = "keep"
	RowCancel         Row = "cancel"
	RowLeave          Row = "leave"
	RowUseEdits       Row = "use_edits" // only when the reviewer edited the copy
	RowReopen         Row = "reopen"    // when the review ended oddly, and in the reviewer: read on
)

// Card is the one decision card: what was shown, and what the review said.
type Card struct {
	Review   plan.ReviewID
	Ref      plan.Ref
	Title    string
	Steps    []string
	Missing  []string // section names that the plan lacks
	Doubt    string   // why the plan deserves a second look; empty if nothing is known
	Compared string   // "r1 → r2: 12 lines added, 3 removed"; empty on r1
	Outcome  string   // one sentence: what the review brought back
	Reviewer string   // "built-in reviewer", "revdiff v1.12.0"
	Options  []plan.Option
	Notes    []plan.Annotation // pending notes that were not sent
	Context  int               // percent of the agent's context in use; 0 when unknown
	Edited   bool              // an edited copy can become the next revision
	Start    Row               // the row it opens on
	Rows     []Row             // in order

	Permission plan.Permission // the mode in force; one for the work can be chosen
}

// Verdict is the person's answer to a card. Review and Hash repeat what the
// person saw.
type Verdict struct {
	Review plan.ReviewID
	Hash   plan.Hash
	Row    Row
	Option *int   // the approach chosen, if the plan offers several
	Text   string // notes with an approval, or the changes requested
	Clean  bool   // of an approval: the work begins in a clean context

	// Pending is what becomes of notes that were not sent, when a plan is approved:
	// without it such an approval does not count.
	Pending Pending
	// Permission is the permission mode chosen for the work with an approval. Empty
	// leaves the mode in force as it is, which is not the same as choosing it.
	Permission plan.Permission
}

// Pending is a choice about notes that were not sent.
type Pending string

// The choices.
const (
	PendingSend    Pending = "send"    // the agent gets them with the approved plan
	PendingDiscard Pending = "discard" // it does not; they stay with the plan
)

// Question is a chooser. Escape chooses nothing: the answer is then Cancel.
type Question struct {
	Title   string
	Body    string
	Choices []Choice
	Cancel  int // the index that Escape stands for
}

// Choice is one row of a chooser.
type Choice struct {
	Label  string
	Detail string
}

// Grant answers a permission question.
type Grant struct {
	Answer GrantAnswer
	Reason string // given with a denial, for the agent
}

// GrantAnswer is the answer itself. The strings are written to disk.
type GrantAnswer string

// The answers.
const (
	GrantOnce    GrantAnswer = "once"
	GrantSession GrantAnswer = "session"
	GrantAlways  GrantAnswer = "always" // as the rule of the preview says, from now on and in every session
	GrantDeny    GrantAnswer = "deny"
)

// Permit asks whether a call may run.
type Permit struct {
	Call    tool.Call
	Preview tool.Preview
	Why     string // why it is asked although the permission mode would not; empty if that is why
	Place   int    // among the calls of the batch that are asked about, from 1
	Of      int    // how many those are
}

// Confirmation asks yes or no; Escape is no.
type Confirmation struct {
	Title string
	Body  string
	Yes   string
	No    string

	label string // for the observer
}
