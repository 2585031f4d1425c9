package tree

import "planmode/plan"

// KindNoteMarks is the kind of NoteMarks.
const KindNoteMarks plan.Kind = "note_marks"

// NoteMarks are earlier notes that the person settled in a review, or opened
// again. The last mark of a note counts.
type NoteMarks struct {
	Ref    plan.Ref      `json:"ref"` // the revision under review
	Review plan.ReviewID `json:"review"`
	Marks  []NoteMark    `json:"marks"`
}

// NoteMark is the mark of one note: of the n-th, from 0, that a review brought.
type NoteMark struct {
	ID      string `json:"id"` // "<review id>-<n>"
	Settled bool   `json:"settled"`
}
