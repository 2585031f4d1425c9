package brief

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
)

// DraftVersion is the version of a Draft.
const DraftVersion = 1

// MaxFile is the most that is read of any of the files.
const MaxFile = 32 << 20

var (
	errVersion = errors.New("of another version")
	errOther   = errors.New("about another review")
)

// Draft is what the person has written so far, half-typed text included. It
// survives a crash and is bound to the texts under review.
type Draft struct {
	Version int    `json:"version"`
	Key     string `json:"key"`           // the file, as the notes name it
	Old     string `json:"old,omitempty"` // hex SHA-256 of what it was compared with
	New     string `json:"new"`           // hex SHA-256 of the text under review
	Notes   []Note `json:"notes"`
	Typed   []Note `json:"typed,omitempty"` // half-typed, not part of the review
	Marks   []Mark `json:"marks,omitempty"`
	Card    Typed  `json:"card,omitzero"`
	Line    int    `json:"line,omitempty"` // where the cursor was
}

// Note is a note as the reviewer keeps it. Type is the kind of its line in the
// comparison shown: "+", "-" or a blank.
type Note struct {
	plan.Annotation
	Type string `json:"type"`
}

// Mark says that the person settled an earlier note, or took that back.
type Mark struct {
	ID      string `json:"id"`
	Settled bool   `json:"settled"`
}

// Typed is text in the boxes of the decision card.
type Typed struct {
	Notes   string `json:"notes,omitempty"`
	Changes string `json:"changes,omitempty"`
}

// ParseDraft reads a draft.
func ParseDraft(b []byte) (Draft, error) {
	var d Draft
	if err := json.Unmarshal(b, &d); err != nil {
		return Draft{}, fmt.Errorf("read the draft of a review: %w", err)
	}
	if d.Version != DraftVersion {
		return Draft{}, fmt.Errorf("read the draft of a review: %w: %d", errVersion, d.Version)
	}
	d.Notes, d.Typed = usable(d.Notes), usable(d.Typed)
	return d, nil
}

// usable leaves out what cannot be a note.
func usable(notes []Note) []Note {
	var out []Note
	for _, n := range notes {
		if len(n.Type) == 1 && n.Line >= 0 && (n.Body != "" || n.Label != "" || n.Suggests()) {
			out = append(out, n)
		}
	}
	return out
}

// Empty says whether nothing was written.
func (d Draft) Empty() bool {
	return len(d.Notes)+len(d.Typed)+len(d.Marks) == 0 && d.Card == Typed{}
}

// DraftName is the file of the draft of a review of a text, by the hex SHA-256 of
// the text. Readers of an interrupted review look for names of this shape.
func DraftName(text string) string { return draftPrefix + text[:min(len(text), 12)] + draftSuffix }

const (
	draftPrefix = "autosave-"
	draftSuffix = ".json"
)

// IsDraftName says whether a file is the draft of some review.
func IsDraftName(name string) bool {
	return strings.HasPrefix(name, draftPrefix) && strings.HasSuffix(name, draftSuffix)
}
