package pull

import (
	"fmt"
	"reflect"
)

// ActionState is what is known of one request that posts something.
type ActionState string

// The states of an action. One that is found sending after a crash is uncertain.
const (
	ActionPending   ActionState = "pending"
	ActionSending   ActionState = "sending"
	ActionDone      ActionState = "done"
	ActionRejected  ActionState = "rejected"
	ActionUncertain ActionState = "uncertain"
)

// ReceiptsSchema is the name of the form of a file of receipts.
const ReceiptsSchema = "review.receipts/1"

// Receipts is what is known of a posting. It is written before anything is sent and
// again after each answer; that a receipt is missing never means that nothing happened.
type Receipts struct {
	Schema    string   `json:"schema" form:"review.receipts/1"`
	RunID     string   `json:"run_id" form:"text"`
	URL       string   `json:"pr_url" form:"text"`
	Actor     string   `json:"actor" form:"text"`
	Approval  string   `json:"approval_sha256" form:"sha256"`
	CreatedAt string   `json:"created_at" form:"time"`
	UpdatedAt string   `json:"updated_at" form:"time"`
	Complete  bool     `json:"complete"`
	Actions   []Action `json:"actions"`
}

// Action is one request that posts something.
type Action struct {
	Seq        int64             `json:"seq" form:"count"`
	Kind       string            `json:"kind" form:"review|reply"`
	RootID     *int64            `json:"root_id" form:"id"`
	State      ActionState       `json:"state" form:"pending|sending|done|rejected|uncertain"`
	HTTPStatus *int64            `json:"http_status" form:"count"`
	RequestID  *string           `json:"request_id"`
	ID         *int64            `json:"id" form:"id"`
	URL        *string           `json:"url" form:"text"`
	Comments   *[]CommentReceipt `json:"comments"`
	ReadBack   *string           `json:"read_back" form:"match|mismatch|unread"`
	Error      *string           `json:"error"`
	StartedAt  *string           `json:"started_at" form:"time"`
	FinishedAt *string           `json:"finished_at" form:"time"`
}

// CommentReceipt is a comment of a posted review as it was read back.
type CommentReceipt struct {
	Index int64  `json:"index" form:"count"`
	ID    int64  `json:"id" form:"id"`
	URL   string `json:"url" form:"text"`
}

// NewReceipts is the file as it is before anything is sent.
func NewReceipts(a Approval, now string) Receipts {
	r := Receipts{Schema: ReceiptsSchema, RunID: a.RunID, URL: a.Ref().URL(), Actor: a.Actor, Approval: a.Hash(),
		CreatedAt: now, UpdatedAt: now, Actions: []Action{{Kind: "review", State: ActionPending}}}
	for i, reply := range a.Replies {
		root := reply.RootID
		r.Actions = append(r.Actions, Action{Seq: int64(i + 1), Kind: "reply", RootID: &root, State: ActionPending})
	}
	return r
}

// Encode is the file of receipts.
func (r Receipts) Encode() []byte { return []byte(encode(r) + "\n") }

// ReadReceipts reads a file of receipts as strictly as a payload.
func ReadReceipts(raw []byte) (Receipts, error) {
	var r Receipts
	if len(raw) > maxBytes {
		return r, fmt.Errorf("read receipts: %d bytes, more than %d", len(raw), maxBytes)
	}
	tree, err := parse(string(raw))
	if err != nil {
		return r, fmt.Errorf("read receipts: %w", err)
	}
	b := &binder{}
	b.bind("", tree, reflect.ValueOf(&r).Elem(), "")
	if len(b.problems) > 0 {
		return Receipts{}, fmt.Errorf("read receipts: %s", b.problems[0])
	}
	for i, a := range r.Actions {
		if a.Seq != int64(i) || (a.Kind == "review") != (i == 0) || (a.RootID == nil) != (i == 0) || r.Complete && a.State != ActionDone {
			return Receipts{}, fmt.Errorf("read receipts: actions[%d] does not fit the others", i)
		}
	}
	return r, nil
}

// Posting says what became of the whole, and is never surer than its actions.
func (r Receipts) Posting() string {
	count := map[ActionState]int{}
	for _, a := range r.Actions {
		count[a.State]++
	}
	switch {
	case count[ActionSending]+count[ActionUncertain] > 0:
		return "uncertain"
	case len(r.Actions) > 0 && count[ActionDone] == len(r.Actions):
		return "posted"
	case count[ActionDone] > 0:
		return "partial"
	case count[ActionRejected] > 0:
		return "failed"
	}
	return "skipped"
}
