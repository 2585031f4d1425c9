package store

import (
	"errors"
	"fmt"
	"time"
)

// The errors that callers branch on.
var (
	// ErrSymlink reports a path below the root that leads through a symlink or
	// to something that is no regular file or directory.
	ErrSymlink = errors.New("not a regular file or directory")
	// ErrForeign reports a submission by a session that the plan does not list.
	ErrForeign = errors.New("the plan belongs to another session")
	// ErrUnchanged reports a submission of the bytes it is based on.
	ErrUnchanged = errors.New("the text is that of the revision it is based on")
	// ErrTampered reports a revision file that is gone or no longer holds the
	// bytes that were stored.
	ErrTampered = errors.New("the revision no longer holds the bytes that were stored")
	// ErrChanged reports a file that changed between reading and replacing it.
	ErrChanged = errors.New("the file was changed meanwhile")
	// ErrDecided reports a second, different use of one review.
	ErrDecided = errors.New("the review was already used for another decision")
	// ErrNoPlan reports a plan that is not in the store.
	ErrNoPlan = errors.New("no such plan")
	// ErrNoRevision reports a revision that the manifest does not list.
	ErrNoRevision = errors.New("no such revision")
	// ErrNoSession reports a session that is not in the store.
	ErrNoSession = errors.New("no such session")
	// ErrAmbiguous reports a prefix that fits more than one session.
	ErrAmbiguous = errors.New("more than one session begins like that")
	// ErrReadOnly reports a write to a log that was opened for reading.
	ErrReadOnly = errors.New("the session is read-only")
	// ErrTooLarge reports a file beyond the limit of its kind.
	ErrTooLarge = errors.New("file is too large")
)

// Holder is who holds a lock. PID 0 means that it could not be read.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// HeldError reports a lock that another process, or another part of this one,
// holds.
type HeldError struct {
	Holder
	What string // the plan or session
}

// Error implements error.
func (e *HeldError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("%s is held by another process", e.What)
	}
	return fmt.Sprintf("%s is held by process %d on %s since %s", e.What, e.PID, e.Host, e.Since.UTC().Format(time.RFC3339))
}
