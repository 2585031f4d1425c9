package tool

import (
	"encoding/json"

	"planmode/plan"
)

// DetailKind classifies the result of a managed tool. The strings are written
// to session logs.
type DetailKind string

// The kinds of submit_plan and complete_plan results.
const (
	DetailUnavailable      DetailKind = "unavailable"
	DetailInvalid          DetailKind = "invalid"
	DetailInvalidPlanID    DetailKind = "invalid_plan_id"
	DetailStorageError     DetailKind = "storage_error"
	DetailUnchanged        DetailKind = "unchanged"
	DetailChangesRequested DetailKind = "changes_requested"
	DetailCancelled        DetailKind = "cancelled"
	DetailInterrupted      DetailKind = "interrupted"
	DetailError            DetailKind = "error"
	DetailKeepPlanning     DetailKind = "keep_planning"
	DetailLeft             DetailKind = "left"
	DetailIntegrityError   DetailKind = "integrity_error"
	DetailApproved         DetailKind = "approved"
	DetailAutoApproved     DetailKind = "auto_approved" // approved without a person
	DetailCompleted        DetailKind = "completed"
)

// PlanDetails is the Details of a managed tool's result: all that a screen needs
// to show it again without reading a file.
type PlanDetails struct {
	Kind         DetailKind        `json:"kind"`
	Plan         plan.ID           `json:"planId,omitempty"`
	Revision     int               `json:"revision,omitempty"`
	Hash         plan.Hash         `json:"hash,omitempty"`
	Title        string            `json:"title,omitempty"`
	Path         string            `json:"path,omitempty"`
	Steps        []string          `json:"steps,omitempty"`
	Annotations  []plan.Annotation `json:"annotations,omitempty"`
	Request      string            `json:"request,omitempty"` // free text of "Request changes"
	Option       *int              `json:"option,omitempty"`  // the approach chosen, if the plan offered several
	Choice       string            `json:"choice,omitempty"`  // its label
	Reason       string            `json:"reason,omitempty"`
	Summary      string            `json:"summary,omitempty"`
	Verification []string          `json:"verification,omitempty"`
}

// FileDetails is the Details of edit and write: the diff that was applied.
type FileDetails struct {
	Path    string `json:"path"`
	Diff    string `json:"diff"` // unified, cut to a few hundred lines
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// OutputDetails is the Details of bash.
type OutputDetails struct {
	Command  string `json:"command"`
	Exit     int    `json:"exit"`
	Millis   int64  `json:"millis"`
	TimedOut bool   `json:"timedOut,omitempty"`
	Cut      int    `json:"cut,omitempty"` // bytes of output left out
}

// Marshal encodes details, or the arguments of a call that we make: data of
// ours, which always encodes.
func Marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("encode tool data: " + err.Error())
	}
	return b
}
