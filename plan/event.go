package plan

// Kind names an entry of a session log. The strings are written to disk; a kind
// that is not listed here or in package tree is kept and shown as such.
type Kind string

// The kinds of the law's events.
const (
	KindPlanningEntered   Kind = "planning_entered"
	KindRevisionAttached  Kind = "revision_attached"
	KindRevisionSubmitted Kind = "revision_submitted"
	KindReviewOpened      Kind = "review_opened"
	KindReviewClosed      Kind = "review_closed"
	KindChangesRequested  Kind = "changes_requested"
	KindPlanApproved      Kind = "plan_approved"
	KindPlanningLeft      Kind = "planning_left"
	KindDraftDetached     Kind = "draft_detached"
	KindWorkCompleted     Kind = "work_completed"
	KindWorkAbandoned     Kind = "work_abandoned"
	KindWorkRecovered     Kind = "work_recovered"
	KindWorkAdopted       Kind = "work_adopted"
)

// Actor says who did something. The strings are written to disk.
type Actor string

// The actors.
const (
	ByUser  Actor = "user"
	ByAgent Actor = "agent"
	ByAuto  Actor = "auto" // approved without a person, in auto mode only

	// ByPlanmode let go of work whose plan is gone or cannot be read.
	ByPlanmode Actor = "planmode"
)

// Event is a change of State, recorded as an entry of the session log. The
// concrete types below are the only ones.
type Event interface{ Kind() Kind }

// PlanningEntered turns planning on. Continue keeps the attached draft; without
// it planning starts with none.
type PlanningEntered struct {
	Continue bool `json:"continue,omitempty"`
}

// RevisionAttached starts or continues planning on an existing revision: an
// approved one to revise, or the branch's own draft beside open work.
type RevisionAttached struct {
	Ref Ref `json:"ref"`
}

// RevisionSubmitted records a new revision. Named is the plan id the submitter
// gave: it must match the attached draft, or be empty when none is attached.
// Reoffers says that only the approaches on offer differ from the draft, and the
// text is the same: else equal bytes are refused.
type RevisionSubmitted struct {
	Ref      Ref    `json:"ref"`
	Named    ID     `json:"named,omitempty"`
	Title    string `json:"title"`
	Author   Actor  `json:"author"`
	Steps    int    `json:"steps"`
	Options  int    `json:"options,omitempty"` // approaches on offer; one is the same as none
	Reoffers bool   `json:"reoffers,omitempty"`
}

// ReviewOpened records that a revision is about to be shown.
type ReviewOpened struct {
	Review ReviewID `json:"review"`
	Ref    Ref      `json:"ref"`
	Round  int      `json:"round"`
}

// Outcome is how a review ended without changes being requested or the plan
// approved. The strings are written to disk.
type Outcome string

// The outcomes of ReviewClosed.
const (
	OutcomeKept        Outcome = "kept"        // keep planning
	OutcomeCancelled   Outcome = "cancelled"   // review cancelled or dismissed
	OutcomeFailed      Outcome = "failed"      // the reviewer could not do its work
	OutcomeVoided      Outcome = "voided"      // planning was left, or the branch moved
	OutcomeInterrupted Outcome = "interrupted" // planmode stopped while it was open
	OutcomeStale       Outcome = "stale"       // the bytes shown were no longer the revision
)

// ReviewClosed ends the open review without a decision about the bytes.
type ReviewClosed struct {
	Review  ReviewID `json:"review"`
	Outcome Outcome  `json:"outcome"`
	Reason  string   `json:"reason,omitempty"`
}

// ChangesRequested ends the open review with notes for the agent.
type ChangesRequested struct {
	Review ReviewID `json:"review"`
	Count  int      `json:"count"` // annotations; 0 when only free text was given
	Text   string   `json:"text,omitempty"`
}

// PlanApproved ends the open review with the one decision that unlocks work. It
// repeats all that was shown, so that it can bind nothing else.
type PlanApproved struct {
	Review     ReviewID `json:"review"`
	Ref        Ref      `json:"ref"`
	Submission EntryID  `json:"submission"`
	By         Actor    `json:"by"`
	Title      string   `json:"title"`
	Steps      int      `json:"steps"`
	Option     *int     `json:"option,omitempty"`
	Choice     string   `json:"choice,omitempty"` // the label of that option, for display
	Notes      string   `json:"notes,omitempty"`
	Clean      bool     `json:"clean,omitempty"` // the work begins in a clean context
}

// PlanningLeft turns planning off; a draft stays attached, parked.
type PlanningLeft struct{}

// DraftDetached lets go of the draft. Its files are always kept.
type DraftDetached struct {
	Ref       Ref  `json:"ref"`
	Discarded bool `json:"discarded,omitempty"`
}

// WorkCompleted closes the work as done, after its bytes were hashed again.
type WorkCompleted struct {
	Ref          Ref      `json:"ref"`
	By           Actor    `json:"by"`
	Title        string   `json:"title"`
	Summary      string   `json:"summary,omitempty"`
	Verification []string `json:"verification,omitempty"`
	// Named are the files that the plan named, Touched those that changed.
	Named   []NamedFile `json:"named,omitempty"`
	Touched *Touched    `json:"touched,omitempty"`
}

// WorkAbandoned closes the work as given up.
type WorkAbandoned struct {
	Ref     Ref    `json:"ref"`
	By      Actor  `json:"by"`
	Title   string `json:"title"`
	Summary string `json:"summary,omitempty"`
}

// WorkRecovered records an approval found on disk whose entry is nowhere in the
// log. The work is unknown until the person chooses.
type WorkRecovered struct {
	Ref    Ref    `json:"ref"`
	Reason string `json:"reason"`
}

// WorkAdopted continues, in this session, work approved in another.
type WorkAdopted struct {
	Ref   Ref    `json:"ref"`
	From  string `json:"from"` // the session that approved it
	Title string `json:"title"`
}

// Kind implements Event.
func (PlanningEntered) Kind() Kind { return KindPlanningEntered }

// Kind implements Event.
func (RevisionAttached) Kind() Kind { return KindRevisionAttached }

// Kind implements Event.
func (RevisionSubmitted) Kind() Kind { return KindRevisionSubmitted }

// Kind implements Event.
func (ReviewOpened) Kind() Kind { return KindReviewOpened }

// Kind implements Event.
func (ReviewClosed) Kind() Kind { return KindReviewClosed }

// Kind implements Event.
func (ChangesRequested) Kind() Kind { return KindChangesRequested }

// Kind implements Event.
func (PlanApproved) Kind() Kind { return KindPlanApproved }

// Kind implements Event.
func (PlanningLeft) Kind() Kind { return KindPlanningLeft }

// Kind implements Event.
func (DraftDetached) Kind() Kind { return KindDraftDetached }

// Kind implements Event.
func (WorkCompleted) Kind() Kind { return KindWorkCompleted }

// Kind implements Event.
func (WorkAbandoned) Kind() Kind { return KindWorkAbandoned }

// Kind implements Event.
func (WorkRecovered) Kind() Kind { return KindWorkRecovered }

// Kind implements Event.
func (WorkAdopted) Kind() Kind { return KindWorkAdopted }
