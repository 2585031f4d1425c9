package session

import (
	"time"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// View is a copy of what a screen needs of a session, cheap to take on every
// change. Slices and pointers in it are never written again.
type View struct {
	Session string
	Dir     string
	Branch  string // git branch, or empty
	Agent   string
	Model   string
	Effort  string  // how hard it is told to think; empty leaves it to the model
	Problem string  // why no turn can run on it now, or empty
	Cost    float64 // US dollars of the session, as far as prices are known
	Mode    string  // permission mode, in words
	// Permission is the permission mode in force.
	Permission plan.Permission
	Demo       bool
	State      plan.State
	Draft      *PlanView // Planning of the state
	Work       *PlanView // Work of the state
	Running    bool
	Since      time.Time // start of the running turn
	Status     string    // what the turn waits for, if anything
	Queue      []string  // messages typed while the turn ran
	Live       Live
	Reviewer   string // name of the reviewer in use
	Disabled   string // why Plan Mode cannot be used, or empty
	ReadOnly   string // why the session cannot be written, or empty
	Context    int    // percent of the window in use; 0 when unknown
	Entries    int    // entries on the branch
	Leaf       plan.EntryID
	// Stale says how the work tree is another one than at the approval of the open
	// work, a sentence each; nil when it is not. What turns of this session change is
	// the work itself and not told here.
	Stale []string
	Epoch int // grows when the branch is no longer an extension of the last one
	// Checklist of the work at hand, as the agent keeps it; nil for none.
	Checklist *tool.ChecklistDetails
}

// PlanView is a plan as the summary shows it.
type PlanView struct {
	Ref    plan.Ref
	Title  string
	Status plan.Status
	Steps  []string
	Path   string
	Auto   bool // its approval is one without a person
}

// Live is what the running turn shows before it is an entry.
type Live struct {
	Text      string
	Reasoning string
	Calls     []LiveCall
}

// LiveCall is a call that waits or runs.
type LiveCall struct {
	ID, Name string
	Args     string // JSON
	Output   string // the tail of what it printed so far
	Waiting  bool   // for the person
	Pending  bool   // not begun: an earlier call of the batch runs, or waits
}

// Item is an entry of the branch for a screen.
type Item = tree.Entry
