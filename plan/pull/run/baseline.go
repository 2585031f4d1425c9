package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"planmode/plan/git"
)

// hashAtMost bounds what is read of files that were changed before the run, one by
// one and together; what is larger is compared by size and time.
const (
	hashAtMost    = 16 << 20
	hashAllAtMost = 256 << 20
)

// Baseline is what a workspace looked like before the run wrote anything.
type Baseline struct {
	head, branch, refs, config string
	status                     map[string]string // path from the top: the two letters of git
	sums                       map[string]string // of those paths
}

// Capture looks at the workspace. It writes nothing, not even the index.
func (w *Workspace) Capture(ctx context.Context) (Baseline, error) {
	b := Baseline{status: map[string]string{}, sums: map[string]string{}}
	var err error
	if b.head, err = w.optional(ctx, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return b, err
	}
	if b.branch, err = w.optional(ctx, "symbolic-ref", "--quiet", "HEAD"); err != nil {
		return b, err
	}
	refs, err := w.repo.Run(ctx, "for-each-ref", "--format=%(refname) %(objectname)")
	if err != nil {
		return b, fmt.Errorf("list the references: %w", err)
	}
	b.refs = Sum(refs)
	common, err := w.repo.Run(ctx, "rev-parse", "--git-common-dir")
	if err != nil {
		return b, fmt.Errorf("find the folder of git: %w", err)
	}
	dir := chomp(common)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(w.dir, dir)
	}
	if b.config, err = identity(filepath.Join(dir, "config"), hashAtMost); err != nil {
		return b, err
	}
	return b, w.dirty(ctx, &b)
}

// optional is what a command says, or nothing when git answers no.
func (w *Workspace) optional(ctx context.Context, args ...string) (string, error) {
	out, err := w.repo.Run(ctx, args...)
	var failed *git.Error
	if errors.As(err, &failed) && failed.Code == 1 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look at the work tree: %w", err)
	}
	return chomp(out), nil
}

func (w *Workspace) dirty(ctx context.Context, b *Baseline) error {
	out, err := w.repo.Run(ctx, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
	if err != nil {
		return fmt.Errorf("look at the work tree: %w", err)
	}
	budget := int64(hashAllAtMost)
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if len(entry) < 4 {
			continue
		}
		name := string(entry[3:])
		b.status[name] = string(entry[:2])
		full := filepath.Join(w.top, filepath.FromSlash(name))
		sum, err := identity(full, min(hashAtMost, budget))
		if err != nil {
			return err
		}
		if info, err := os.Lstat(full); err == nil {
			budget = max(0, budget-info.Size())
		}
		b.sums[name] = sum
	}
	return nil
}

// identity stands for what a name holds now: the bytes, the target of a link, or
// that there is nothing.
func identity(name string, limit int64) (string, error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "gone", nil
	case err != nil:
		return "", fmt.Errorf("look at %s: %w", name, err)
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(name)
		return "link " + target, err
	case !info.Mode().IsRegular():
		return "special " + info.Mode().String(), nil
	case info.Size() > limit:
		return fmt.Sprintf("large %d %d", info.Size(), info.ModTime().UnixNano()), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return "unreadable " + info.ModTime().String(), nil
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return info.Mode().String() + " " + hex.EncodeToString(h.Sum(nil)), nil
}

// Audit compares the workspace with the baseline and names, sorted, every change
// that the run was not allowed to make. output is the review file, which it was.
func (w *Workspace) Audit(ctx context.Context, before Baseline, output string) ([]string, error) {
	now, err := w.Capture(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range []struct{ what, was, is string }{
		{"HEAD moved", before.head, now.head}, {"the branch changed", before.branch, now.branch},
		{"references changed", before.refs, now.refs}, {"the configuration of git changed", before.config, now.config},
	} {
		if c.was != c.is {
			out = append(out, c.what)
		}
	}
	allowed := w.pre + output
	for name, is := range now.status {
		was, known := before.status[name]
		switch {
		case name == allowed && output != "":
		case !known:
			out = append(out, "changed: "+name)
		case was != is || before.sums[name] != now.sums[name]:
			out = append(out, "changed further: "+name)
		}
	}
	for name := range before.status {
		if _, still := now.status[name]; !still && name != allowed {
			out = append(out, "no longer changed: "+name)
		}
	}
	slices.SortFunc(out, strings.Compare)
	return out, nil
}
