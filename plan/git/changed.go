package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxIgnoreCheck bounds how many paths one run is asked about.
const maxIgnoreCheck = 500

// Changed names the files below the directory that differ from a commit, and those
// that git neither knows nor ignores: sorted, relative to the directory, not cleaned.
func (r Repo) Changed(ctx context.Context, since string) ([]string, error) {
	if !commit.MatchString(since) {
		return nil, fmt.Errorf("git diff: %q is no commit", since)
	}
	tracked, err := r.Run(ctx, "diff", "--name-only", "--no-renames", "--relative", "-z", since, "--")
	if err != nil {
		return nil, err
	}
	fresh, err := r.Run(ctx, "ls-files", "--others", "--exclude-standard", "-z", "--")
	if err != nil {
		return nil, err
	}
	var out []string
	for name := range bytes.SplitSeq(append(tracked, fresh...), []byte{0}) {
		if len(name) > 0 {
			out = append(out, string(name))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Unignored leaves out the paths that git ignores. Outside a repository none is.
func (r Repo) Unignored(ctx context.Context, paths []string) []string {
	if len(paths) == 0 || len(paths) > maxIgnoreCheck {
		return paths
	}
	out, err := r.Run(ctx, append([]string{"check-ignore", "--"}, paths...)...)
	if err != nil {
		return paths // none is ignored, or there is no repository
	}
	ignored := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		ignored[strings.TrimSuffix(line, "\n")] = true
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return ignored[p] })
}

// Follows says whether the commit that is checked out is the given one or came
// after it.
func (r Repo) Follows(ctx context.Context, earlier string) (bool, error) {
	if !commit.MatchString(earlier) {
		return false, fmt.Errorf("git merge-base: %q is no commit", earlier)
	}
	_, err := r.Run(ctx, "merge-base", "--is-ancestor", earlier, "HEAD")
	var failed *Error
	if errors.As(err, &failed) && failed.Code == 1 {
		return false, nil
	}
	return err == nil, err
}
