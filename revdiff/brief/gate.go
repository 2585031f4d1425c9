package brief

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Gate makes the card in the reviewer that of a review which another program asked
// for.
type Gate struct {
	Subject  string `json:"subject"`            // what is reviewed, in a word
	Asker    string `json:"asker,omitempty"`    // who asked, for the person
	Approves bool   `json:"approves"`           // the caller wants to hear of an approval
	Carries  bool   `json:"carries"`            // notes given with an approval reach it
	Plain    bool   `json:"plain,omitempty"`    // the text is not Markdown
	Compared string `json:"compared,omitempty"` // what changed since the person saw it last
	Doubt    string `json:"doubt,omitempty"`    // what they must know before they begin
}

// GateRow is a row of the card of a gate.
type GateRow string

// The rows. The first three are the answers.
const (
	GateApprove GateRow = "approve"
	GateSend    GateRow = "send"
	GateClose   GateRow = "close"
	GateReopen  GateRow = "reopen" // back to the text
)

// GateVerdict is the person's answer to it. Text was written on the card; Notes says
// that what they wrote in the reviewer is a part of the answer.
type GateVerdict struct {
	Row   GateRow `json:"row"`
	Text  string  `json:"text,omitempty"`
	Notes bool    `json:"notes,omitempty"`
}

var errNoVerdict = errors.New("it is none of the answers")

// ParseGateVerdict reads a verdict; anything but one of the answers is an error.
func ParseGateVerdict(b []byte) (GateVerdict, error) {
	var v GateVerdict
	err := json.Unmarshal(b, &v)
	if err == nil && !slices.Contains([]GateRow{GateApprove, GateSend, GateClose}, v.Row) {
		err = errNoVerdict
	}
	if err != nil {
		return GateVerdict{}, fmt.Errorf("read the answer to the gate: %w", err)
	}
	return v, nil
}
