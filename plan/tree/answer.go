package tree

import "planmode/plan"

// KindAnswer is the entry of an answer that the person committed while the
// questions of an agent were still open. The string is written to disk.
const KindAnswer plan.Kind = "answer"

// Answer is what the person said to one question of a call. The last one of a
// question counts, until the result of the call tells all of them.
type Answer struct {
	Call     string `json:"call"`
	Index    int    `json:"index"` // of the question in the call, from 0
	Answered bool   `json:"answered"`
	Choice   string `json:"choice,omitempty"` // the label of the answer; empty for words of their own
	Text     string `json:"text,omitempty"`
	Note     string `json:"note,omitempty"`
}
