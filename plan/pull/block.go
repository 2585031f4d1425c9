package pull

import (
	"encoding/json"
	"fmt"
	"strings"

	"planmode/plan/text"
)

// Terminal is the last word of a run.
type Terminal string

// The last words: three that something was verified and saved, seven that it was not.
const (
	DraftSaved     Terminal = "VERIFIED_DRAFT_SAVED"
	DraftCancelled Terminal = "VERIFIED_DRAFT_SAVED_POSTING_CANCELLED"
	ReviewPosted   Terminal = "VERIFIED_REVIEW_POSTED"
	WantsContext   Terminal = "NEEDS_CONTEXT"
	NoTools        Terminal = "TOOLS_MISSING"
	ReviewError    Terminal = "REVIEW_ERROR"
	VerifyFail     Terminal = "VERIFY_FAIL"
	WriteError     Terminal = "WRITE_ERROR"
	PostError      Terminal = "POST_ERROR"
	Blocked        Terminal = "BLOCKED"
)

var exits = map[Terminal]int{WantsContext: 10, NoTools: 11, ReviewError: 12, VerifyFail: 13, WriteError: 14, PostError: 15, Blocked: 16}

// Good says that the run did what it was asked for.
func (t Terminal) Good() bool { return t == DraftSaved || t == DraftCancelled || t == ReviewPosted }

// Exit is the exit code that belongs to it.
func (t Terminal) Exit() int { return exits[t] }

// Block is what a run says last. The fields of success are counted from the review
// that was accepted.
type Block struct {
	ReviewFile string   `json:"review_file"` // empty for none
	Findings   int      `json:"findings"`
	Comments   int      `json:"new_comments"`
	Replies    int      `json:"follow_up_replies"`
	Decision   string   `json:"review_decision"`
	Posting    string   `json:"posting"`
	Notes      []string `json:"notes"`
	Review     Terminal `json:"pr_review"`
	Reason     string   `json:"reason"`
	NextStep   string   `json:"next_step"`

	List []ListedFinding `json:"finding_list"` // for programs; the printed block only counts
}

// MarshalJSON writes the same as one object, in which a list is never null.
func (b Block) MarshalJSON() ([]byte, error) {
	type plain Block
	if b.Notes == nil {
		b.Notes = []string{}
	}
	if b.List == nil {
		b.List = []ListedFinding{}
	}
	return json.Marshal(plain(b))
}

// String is the block as it is printed.
func (b Block) String() string {
	var s strings.Builder
	file := b.ReviewFile
	if file == "" {
		file = "none"
	}
	line := func(name, value string) { fmt.Fprintf(&s, "%s: %s\n", name, text.Line(oneLine(value))) }
	line("Review file", file)
	if b.Review.Good() {
		line("Findings", fmt.Sprint(b.Findings))
		line("New comments", fmt.Sprint(b.Comments))
		line("Follow-up replies", fmt.Sprint(b.Replies))
		line("Review decision", b.Decision)
	}
	line("Posting", b.Posting)
	notes := strings.Join(b.Notes, "; ")
	line("Notes", or(notes, "none"))
	line("PR_REVIEW", string(b.Review))
	if !b.Review.Good() {
		line("Reason", b.Reason)
		line("Next step", b.NextStep)
	}
	return s.String()
}
