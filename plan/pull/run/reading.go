package run

import (
	"context"
	"errors"
)

// ErrNotOffered reports a way of reading that a source does not have.
var ErrNotOffered = errors.New("not offered for this review")

// Reading is how the two pinned commits of a review are read, whatever they come
// from. No work tree is ever part of it: what is checked out is no evidence.
type Reading interface {
	// File is what a path holds in one of the two commits. The error wraps
	// fs.ErrNotExist when it is not there.
	File(ctx context.Context, path, revision string) ([]byte, error)
	// Patch is the change of one path from its first hunk on; empty when there is
	// none to be shown.
	Patch(ctx context.Context, path string) (string, error)
	// List names what a folder holds in one of the commits.
	List(ctx context.Context, folder, revision string) ([]string, error)
	// Find gives the lines that hold a text, as path:line:text.
	Find(ctx context.Context, words, revision string) ([]byte, error)
}
