package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Time is an instant as the files write it: RFC 3339, UTC, milliseconds.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000Z"

// Stamp cuts t to what the files can hold.
func Stamp(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.UTC().Format(timeLayout)), nil }

// MarshalJSON implements json.Marshaler. Without it the method of the embedded
// time would be used, which leaves out milliseconds that are zero.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(`"` + timeLayout + `"`)), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	return t.UnmarshalText([]byte(s))
}

// UnmarshalText implements encoding.TextUnmarshaler. It accepts any RFC 3339
// time, since other writers keep other precisions.
func (t *Time) UnmarshalText(b []byte) error {
	at, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return err
	}
	t.Time = at.UTC()
	return nil
}

// Storage says whether a plan outlives its session. The strings are written.
type Storage string

// The storages.
const (
	Persistent Storage = "persistent"
	Temporary  Storage = "temporary"
)

// ManifestVersion is the version this program writes.
const ManifestVersion = 3

// Manifest is `manifest.json` of a plan, version 3 of the format. Fields that
// this program does not know are kept by the codec in Extra, here and in each
// revision and decision, and written back after the known ones.
type Manifest struct {
	Version          int        `json:"version"`
	PlanID           ID         `json:"planId"`
	Title            string     `json:"title"`
	Status           Status     `json:"status"`
	Storage          Storage    `json:"storage"`
	Sessions         []string   `json:"sessions"`
	Cwd              string     `json:"cwd"`
	CreatedAt        Time       `json:"createdAt"`
	UpdatedAt        Time       `json:"updatedAt"`
	CurrentRevision  int        `json:"currentRevision"`
	ApprovedRevision int        `json:"approvedRevision,omitempty"`
	ApprovedHash     Hash       `json:"approvedHash,omitempty"`
	Revisions        []Revision `json:"revisions"`
	Decisions        []Decision `json:"decisions"`
	Sum              Hash       `json:"sum"`
	Extra            Extra      `json:"-"`
}

// Extra holds the fields of an object that this program does not know, by name.
type Extra map[string]json.RawMessage

// Revision is one immutable text of a plan, as its manifest describes it.
type Revision struct {
	Revision  int      `json:"revision"`
	Path      string   `json:"path"` // always "revisions/rN.md"
	Hash      Hash     `json:"hash"`
	CreatedAt Time     `json:"createdAt"`
	BasedOn   int      `json:"basedOn,omitempty"` // 0 when based on none
	Author    Actor    `json:"author"`
	Language  string   `json:"language,omitempty"` // "en", "zh-CN" or empty
	Title     string   `json:"title"`
	Steps     []string `json:"steps"`
	Options   []Option `json:"options,omitempty"`
	Chain     Hash     `json:"chain"`
	Extra     Extra    `json:"-"`
}

// Option is one of several approaches that a revision offers to choose from.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Recommended bool   `json:"recommended,omitempty"` // by the author; at most one is
}

// DecisionKind names what was decided. The strings are written to disk.
type DecisionKind string

// The kinds of decision.
const (
	DecidedChanges      DecisionKind = "changes_requested"
	DecidedApproved     DecisionKind = "approved"
	DecidedAutoApproved DecisionKind = "auto_approved"
	DecidedKept         DecisionKind = "kept"
	DecidedCancelled    DecisionKind = "cancelled"
	DecidedLeft         DecisionKind = "left"
	DecidedDiscarded    DecisionKind = "discarded"
	DecidedCompleted    DecisionKind = "completed"
	DecidedAbandoned    DecisionKind = "abandoned"
)

// Decision is one recorded act on shown bytes. Absent fields are left out.
type Decision struct {
	Revision int          `json:"revision"`
	Kind     DecisionKind `json:"kind"`
	By       Actor        `json:"by"`
	At       Time         `json:"at"`
	Hash     Hash         `json:"hash"`
	Session  string       `json:"session,omitempty"`
	Entry    EntryID      `json:"entry,omitempty"` // the log entry that records the decision
	Review   ReviewID     `json:"review,omitempty"`
	Round    int          `json:"round,omitempty"`
	Option   *int         `json:"option,omitempty"`
	Notes    string       `json:"notes,omitempty"`
	Reviewer string       `json:"reviewer,omitempty"`
	Head     string       `json:"head,omitempty"`
	// Collected is the hash of the notes of the round as they were collected.
	Collected Hash `json:"collected,omitempty"`
	// Named are the files that the approved text names, as they were then.
	Named []NamedFile `json:"named,omitempty"`
	// Touched is what the work changed, on its completion.
	Touched *Touched `json:"touched,omitempty"`
	Digest  Hash     `json:"digest"`
	Extra   Extra    `json:"-"`
}

// NamedFile is a file that a plan names, relative to its directory with slashes,
// and the hash of what it held; empty when there was no such file, or none that
// could be read.
type NamedFile struct {
	Path string `json:"path"`
	Hash Hash   `json:"hash,omitempty"`
}

// Touched is which files changed between an approval and the completion of its
// work. It tells that they changed, not who changed them.
type Touched struct {
	How   string   `json:"how"`             // "git", "files", or both: "git+files"
	Files []string `json:"files,omitempty"` // sorted, with slashes
	More  int      `json:"more,omitempty"`  // further files that are not listed
}

// Approves says whether the decision unlocks work.
func (k DecisionKind) Approves() bool { return k == DecidedApproved || k == DecidedAutoApproved }

// Annotation is one comment by the person on a line, a range or the whole plan
// (Line 0). Lines count from 1 in the revision named by Side.
type Annotation struct {
	Line        int      `json:"line"`
	End         int      `json:"end,omitempty"`  // last line of a range; 0 for one line
	Side        string   `json:"side,omitempty"` // "new" (default) or "old"
	Quote       string   `json:"quote,omitempty"`
	Prefix      string   `json:"prefix,omitempty"`
	Suffix      string   `json:"suffix,omitempty"`
	Headings    []string `json:"headings,omitempty"`
	Body        string   `json:"body"`
	Label       string   `json:"label,omitempty"`
	Replacement string   `json:"replacement,omitempty"`
	Delete      bool     `json:"delete,omitempty"` // the suggestion is to delete the lines
}

// Suggests says whether the comment suggests a text for its lines.
func (a Annotation) Suggests() bool { return a.Delete || a.Replacement != "" }

// Summary is the comment on one line: its label, what it says, and whether it
// suggests another text.
func (a Annotation) Summary() string {
	var parts []string
	if a.Label != "" {
		parts = append(parts, "["+a.Label+"]")
	}
	if a.Body != "" {
		parts = append(parts, a.Body)
	}
	switch {
	case a.Delete:
		parts = append(parts, "(suggests to delete this)")
	case a.Replacement != "":
		parts = append(parts, "(suggests another text)")
	}
	return strings.Join(parts, " ")
}

// Where says in words what the comment is on: "whole plan", "line 3" or
// "lines 3-5".
func (a Annotation) Where() string {
	switch {
	case a.Line < 1:
		return "whole plan"
	case a.End > a.Line:
		return fmt.Sprintf("lines %d-%d", a.Line, a.End)
	}
	return fmt.Sprintf("line %d", a.Line)
}
