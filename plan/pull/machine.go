package pull

import (
	"maps"
	"slices"
	"strings"
)

// Stage is how far a run is.
type Stage string

// The stages of a run.
const (
	Intake     Stage = "intake"
	Collecting Stage = "collect"
	Chunking   Stage = "chunks"
	Authoring  Stage = "author"
	Verifying  Stage = "verify"
	Rendering  Stage = "render"
	DryRunning Stage = "dry-run"
	Gating     Stage = "gate"
	Posting    Stage = "post"
	Recording  Stage = "record receipts"
	Ending     Stage = "ending" // cancelling what still runs, then the audit
	Ended      Stage = "ended"
)

// The counters of a run and where they end.
const (
	maxOutputRepair = 1 // of each dispatch, for the whole run
	maxVerifyRepair = 2
	maxRevise       = 2
)

// Work is one logical dispatch: a role, or one dimension of the chunks.
type Work struct {
	Key    string // "context", "chunk:<dimension>", "author", "verify"
	Role   Role
	Live   bool
	Result *Result // of the newest dispatch that ended
}

// Result is what came of a dispatch, after everything was checked.
type Result struct {
	Status     Status
	Problems   []Problem // the payload is invalid
	Lost       bool      // there is none
	Reason     string
	Next       string
	Dimensions []string // of the context, in their order
	Issues     []Issue  // of a failed verification
	Warnings   []string // of the author: what of it may be made up
}

func (r *Result) bad() bool { return r.Lost || len(r.Problems) > 0 }

// State is a run. Step never changes the one it was given.
type State struct {
	Stage        Stage
	WantsPosting bool
	Work         []Work
	Repaired     map[string]int
	VerifyRepair int
	Revise       int
	Draft        string // SHA-256 of the review file as it was last written
	Preview      string // hash of the preview that the person is asked about
	Approved     bool   // the publisher was started with an approval
	Effect       bool   // and something may have reached GitHub
	End          Final  // set from the stage Ending on
}

// Final is how a run ends.
type Final struct {
	Row     int // of the table
	Value   Terminal
	Posting string // skipped, posted, cancelled, failed, partial or uncertain
	Reason  string
	Next    string
}

// EventKind says what happened.
type EventKind string

// The events.
const (
	IntakeRefused EventKind = "intake refused" // Blocked when the ignore proof failed
	IntakeSafe    EventKind = "intake safe"
	Collected     EventKind = "collected" // Exit of the collector
	Done          EventKind = "done"      // Key and Result
	Drifted       EventKind = "drifted"
	OutOfBounds   EventKind = "out of bounds"
	ToolsGone     EventKind = "tools missing"
	Rendered      EventKind = "rendered" // Exit and SHA256
	DryRan        EventKind = "dry-run"  // Exit and, for 0, SHA256 of what was previewed
	Answered      EventKind = "answered" // Answer and Text; to approve, SHA256 or its first 8 digits at least
	Posted        EventKind = "posted"   // Exit and, for 1, Posting
	Interrupted   EventKind = "interrupted"
	Audited       EventKind = "audited" // Reason names what is out of bounds; empty for a clean one
)

// Event is one thing that happened.
type Event struct {
	Kind    EventKind
	Key     string
	Result  Result
	Exit    int
	SHA256  string
	Answer  Answer
	Text    string
	Reason  string
	Next    string
	Posting string
	Blocked bool
}

// Answer is what a person said at the gate.
type Answer string

// The answers. Everything else is no answer.
const (
	Approve Answer = "APPROVED"
	Revise  Answer = "REVISE"
	Abort   Answer = "ABORT"
)

// EffectKind says what is to be done.
type EffectKind string

// The effects.
const (
	Collect        EffectKind = "collect"
	Dispatch       EffectKind = "dispatch" // Key, and Problems for a repair, Issues or Text for the author
	LookForDrift   EffectKind = "look for drift"
	Render         EffectKind = "render" // SHA256 is what to replace; empty for a new file
	DryRun         EffectKind = "dry-run"
	Ask            EffectKind = "ask"
	Post           EffectKind = "post" // SHA256 is the hash that was approved
	RecordReceipts EffectKind = "record receipts"
	CancelAll      EffectKind = "cancel"
	Audit          EffectKind = "audit"
	Finish         EffectKind = "finish"
)

// Effect is one thing to be done, in the order of the list. LookForDrift is done before
// what follows it, which is dropped when there is drift.
type Effect struct {
	Kind     EffectKind
	Row      int
	Key      string
	Role     Role
	SHA256   string
	Text     string
	Problems []Problem
	Issues   []Issue
}

// Step takes an event in: the first row of the table that fits decides.
func Step(s State, e Event) (State, []Effect) {
	s.Work, s.Repaired = slices.Clone(s.Work), maps.Clone(s.Repaired)
	if s.Repaired == nil {
		s.Repaired = map[string]int{}
	}
	if e.Kind == Done && !s.finished(e) || s.Stage == Ended {
		return s, nil // nobody waits for it
	}
	if s.Stage == Ending {
		return s.ending(e)
	}
	if s.anyLive() && e.Kind == Done {
		return s, nil // the join waits for all of them, so that their order does not matter
	}
	for _, r := range rows {
		if r.when(&s, e) {
			effects := r.do(&s, e)
			for i := range effects {
				effects[i].Row = r.number
			}
			return s, effects
		}
	}
	return s, nil
}

// finished notes the end of a dispatch; false if none of that key runs.
func (s *State) finished(e Event) bool {
	for i := range s.Work {
		if s.Work[i].Key == e.Key && s.Work[i].Live {
			result := e.Result
			s.Work[i].Live, s.Work[i].Result = false, &result
			return true
		}
	}
	return false
}

func (s *State) anyLive() bool {
	return slices.ContainsFunc(s.Work, func(w Work) bool { return w.Live })
}

// first is the first work, in declared order, of which test holds. What a role ended
// with counts only once nothing runs beside it.
func (s *State) first(test func(*Result) bool) *Work {
	if s.anyLive() {
		return nil
	}
	for i := range s.Work {
		if r := s.Work[i].Result; r != nil && !s.Work[i].Live && test(r) {
			return &s.Work[i]
		}
	}
	return nil
}

// dispatch starts a role, again if it ran before.
func (s *State) dispatch(key string, role Role) Effect {
	for i := range s.Work {
		if s.Work[i].Key == key {
			s.Work[i].Live, s.Work[i].Result = true, nil
			return Effect{Kind: Dispatch, Key: key, Role: role}
		}
	}
	s.Work = append(s.Work, Work{Key: key, Role: role, Live: true})
	return Effect{Kind: Dispatch, Key: key, Role: role}
}

// result is what a work ended with, or nil.
func (s *State) result(key string) *Result {
	for _, w := range s.Work {
		if w.Key == key && !w.Live {
			return w.Result
		}
	}
	return nil
}

// end begins the way out: what still runs is cancelled and waited for, because a late
// write would escape the audit.
func (s *State) end(f Final) []Effect {
	s.End, s.Stage = f, Ending
	if s.anyLive() {
		return []Effect{{Kind: CancelAll}}
	}
	return []Effect{{Kind: Audit}}
}

func (s State) ending(e Event) (State, []Effect) {
	switch e.Kind {
	case Done:
		if !s.anyLive() {
			return s, []Effect{{Kind: Audit, Row: s.End.Row}}
		}
	case Audited:
		if e.Reason != "" && s.End.Row != 1 {
			s.End = s.outOfBounds(e.Reason)
		}
		s.Stage = Ended
		return s, []Effect{{Kind: Finish, Row: s.End.Row}}
	}
	return s, nil
}

// RevisionsLeft is how often the person can still send the review back.
func (s State) RevisionsLeft() int { return maxRevise - s.Revise }

func (s State) outOfBounds(what string) Final {
	f := Final{Row: 2, Value: ReviewError, Posting: "skipped", Reason: "changed outside of what the run may change: " + what,
		Next: "look at these changes; the run left them as they are"}
	if s.Effect || s.Stage == Posting {
		f.Value, f.Posting = PostError, or(s.End.Posting, "uncertain")
	}
	return f
}

// minTyped is how many digits of a hash a person types at least.
const minTyped = 8

// approves says that an answer names the preview that was shown, and no other.
func (s *State) approves(e Event) bool {
	return !s.Approved && len(s.Preview) >= minTyped && len(e.SHA256) >= minTyped && strings.HasPrefix(s.Preview, e.SHA256)
}
