package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Content is what a file held in a commit, by its path relative to the directory
// with slashes. The error wraps fs.ErrNotExist when the commit has no such file.
func (r Repo) Content(ctx context.Context, at, path string) ([]byte, error) {
	if !commit.MatchString(at) {
		return nil, fmt.Errorf("git show: %q is no commit", at)
	}
	name := at + ":./" + path
	if _, err := r.Run(ctx, "cat-file", "-e", name); err != nil {
		var failed *Error
		if errors.As(err, &failed) {
			return nil, fmt.Errorf("%s in %.8s: %w", path, at, fs.ErrNotExist)
		}
		return nil, err
	}
	return r.Run(ctx, "cat-file", "blob", name)
}
