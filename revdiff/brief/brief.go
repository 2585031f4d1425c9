package brief

import (
	"encoding/json"
	"fmt"

	"planmode/plan"
)

// Version is the version of a Brief and of an Outcome.
const Version = 1

// Brief is what the reviewer must know besides the texts. The paths in it are
// the only ones that it reads or writes because of it.
type Brief struct {
	Version   int             `json:"version"`
	Review    plan.ReviewID   `json:"review"`
	Ref       plan.Ref        `json:"ref"`
	Base      int             `json:"base,omitempty"`  // the revision compared with; 0 for none
	Revisions []Revision      `json:"revisions"`       // of the plan, oldest first, the one under review included
	Earlier   []Earlier       `json:"earlier"`         // what the person said in earlier rounds
	Card      json.RawMessage `json:"card,omitempty"`  // the decision card, if the person may decide in the reviewer
	Gate      *Gate           `json:"gate,omitempty"`  // the same for a review that another program asked for
	Outcome   string          `json:"outcome"`         // where an Outcome is written
	Edit      string          `json:"edit,omitempty"`  // where the person's own edit of the text is kept
	Title     string          `json:"title,omitempty"` // of the plan
}

// Revision is a text of the plan that can be compared.
type Revision struct {
	Revision int         `json:"revision"`
	Path     string      `json:"path"`
	Hash     plan.Hash   `json:"hash"`
	At       plan.Time   `json:"at"`
	Author   plan.Actor  `json:"author"`
	Status   plan.Status `json:"status"`
	Looked   bool        `json:"looked"` // the person decided on it
}

// Earlier is a note of an earlier round. Its anchors are in the revision it was
// written on.
type Earlier struct {
	ID       string          `json:"id"`
	Revision int             `json:"revision"`
	Note     plan.Annotation `json:"note"`
	Sent     bool            `json:"sent"`              // the agent got it
	Answer   string          `json:"answer,omitempty"`  // what the next revision says about it
	Settled  bool            `json:"settled,omitempty"` // by the person
}

// Outcome is how the review ended, besides the notes and the exit code.
type Outcome struct {
	Version int             `json:"version"`
	Review  plan.ReviewID   `json:"review"`
	Hash    plan.Hash       `json:"hash"`
	Verdict json.RawMessage `json:"verdict,omitempty"` // the answer to the card, if one was given
	Marks   []Mark          `json:"marks,omitempty"`
}

// Parse reads a brief.
func Parse(b []byte) (Brief, error) {
	var x Brief
	if err := json.Unmarshal(b, &x); err != nil {
		return Brief{}, fmt.Errorf("read what planmode says about the review: %w", err)
	}
	if x.Version != Version {
		return Brief{}, fmt.Errorf("read what planmode says about the review: %w: %d", errVersion, x.Version)
	}
	return x, nil
}

// ParseOutcome reads an outcome and refuses one that is about another review or
// other bytes.
func ParseOutcome(b []byte, review plan.ReviewID, hash plan.Hash) (Outcome, error) {
	var o Outcome
	if err := json.Unmarshal(b, &o); err != nil {
		return Outcome{}, fmt.Errorf("read the outcome of the review: %w", err)
	}
	switch {
	case o.Version != Version:
		return Outcome{}, fmt.Errorf("read the outcome of the review: %w: %d", errVersion, o.Version)
	case o.Review != review || o.Hash != hash:
		return Outcome{}, fmt.Errorf("read the outcome of the review: %w: %q on %s", errOther, o.Review, o.Hash.Short())
	}
	return o, nil
}
