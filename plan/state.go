package plan

import (
	"fmt"
	"time"
)

// EntryID names one line of a session log: 12 hex digits, never reused.
type EntryID string

// ReviewID names one showing of a revision to the person. It is random, so that
// an answer to one review can never be taken for an answer to another.
type ReviewID string

// Mode says what the agent may do. The strings are written to disk.
type Mode string

// The two modes. The zero value of Mode counts as ModeNormal.
const (
	ModeNormal   Mode = "normal"
	ModePlanning Mode = "planning"
)

// WorkStatus is how the implementation of an approved revision stands. The
// strings are written to disk.
type WorkStatus string

// The statuses of work. Implementing and unknown are open: they can be closed.
const (
	Implementing WorkStatus = "implementing"
	Completed    WorkStatus = "completed"
	Abandoned    WorkStatus = "abandoned"
	Unknown      WorkStatus = "unknown"
)

// Open says whether the work can still be completed or abandoned.
func (s WorkStatus) Open() bool { return s == Implementing || s == Unknown }

// Status is the display status of one revision, derived from its latest
// decision. The strings are written to the manifest.
type Status string

// The document statuses.
const (
	StatusDraft            Status = "draft"
	StatusChangesRequested Status = "changes_requested"
	StatusApproved         Status = "approved"
	StatusDiscarded        Status = "discarded"
)

// Ref names exact bytes: a revision of a plan and its hash.
type Ref struct {
	Plan     ID   `json:"plan"`
	Revision int  `json:"revision"`
	Hash     Hash `json:"hash"`
}

// String is the ref for a log or an error: "<plan> r2".
func (r Ref) String() string { return fmt.Sprintf("%s r%d", r.Plan, r.Revision) }

// Work is the implementation of one approved revision.
type Work struct {
	Ref    Ref
	Status WorkStatus
	Since  time.Time // when the status was reached
}

// OpenReview is a review that has been shown and not yet answered.
type OpenReview struct {
	ID         ReviewID
	Ref        Ref
	Submission EntryID // the entry that put Ref under planning
	Round      int     // 1 for the first showing of the revision
}

// State is everything that decides what may happen next on a branch. It is a
// value: Apply returns a new one and never changes the old. The pointers are
// never written through.
type State struct {
	Mode       Mode
	Planning   *Ref    // the draft under planning, or parked in normal mode
	Submission EntryID // the entry that attached Planning; empty when Planning is nil
	Work       *Work   // the latest work, open or closed
	Review     *OpenReview
}

// OpenWork returns the work when it is open, else nil.
func (s State) OpenWork() *Work {
	if s.Work != nil && s.Work.Status.Open() {
		return s.Work
	}
	return nil
}

// IsPlanning says whether the branch is in planning mode.
func (s State) IsPlanning() bool { return s.Mode == ModePlanning }
