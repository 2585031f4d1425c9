package tree

import "planmode/plan"

// Compaction begins the conversation anew for the agent. Of what comes before it
// on the branch the agent is told only what this entry holds or names; nothing is
// removed from the log, and the state of the law is not touched.
type Compaction struct {
	Reason  Reason       `json:"reason"`
	Summary string       `json:"summary,omitempty"`
	By      string       `json:"by,omitempty"`      // who wrote the summary
	Focus   string       `json:"focus,omitempty"`   // what the person asked to be kept
	Plans   string       `json:"plans,omitempty"`   // plans, notes and decisions, exactly
	Covers  int          `json:"covers,omitempty"`  // entries that are no longer told
	Request plan.EntryID `json:"request,omitempty"` // the original request, still told
	Keep    plan.EntryID `json:"keep,omitempty"`    // from this entry on all is still told
}

// Told is what the agent is told of what the compaction covers; empty for a clean
// context.
func (c Compaction) Told() string {
	if c.Summary == "" && c.Plans == "" {
		return ""
	}
	told := "This comes from planmode, not from the person: earlier messages were shortened to what follows.\n"
	if c.Summary != "" {
		told += "\n" + c.Summary + "\n"
	}
	if c.Plans != "" {
		told += "\n" + c.Plans + "\n"
	}
	return told
}

// Reason is why a conversation begins anew. The strings are written to disk.
type Reason string

// The reasons.
const (
	Asked        Reason = "asked"         // by the person
	Automatic    Reason = "automatic"     // the context was nearly full
	CleanContext Reason = "clean_context" // only what follows counts
)

// Boundary finds the last compaction of a branch: its index and body, and the
// index from which entries are told to the agent. ok is false when the whole
// branch is told. One that cannot be decoded hides nothing.
func Boundary(branch []Entry) (at, from int, c Compaction, ok bool) {
	for at = len(branch) - 1; at >= 0; at-- {
		if branch[at].Kind != KindCompaction {
			continue
		}
		c, err := Decode[Compaction](branch[at])
		if err != nil {
			continue
		}
		return at, keptFrom(branch[:at], c.Keep, at+1), c, true
	}
	return 0, 0, Compaction{}, false
}

// keptFrom finds the entry from which on all is told. It is near the end.
func keptFrom(before []Entry, keep plan.EntryID, otherwise int) int {
	if keep == "" {
		return otherwise
	}
	for i := len(before) - 1; i >= 0; i-- {
		if before[i].ID == keep {
			return i
		}
	}
	return otherwise
}
