package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"planmode/plan/git"
	"planmode/plan/process"
)

// Bounds of one search.
const (
	findPatience = 20 * time.Second
	findAtMost   = 64 << 10
)

var hex40 = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// Changed is one file that a range changes.
type Changed struct {
	Path, Previous string // Previous only for renamed and copied files
	Status         string // added, removed, modified, renamed, copied or changed
	Added, Deleted int    // 0 for a binary file
	Binary         bool
}

// Range is what lies between two commits of the workspace, pinned when it was named.
// It is read from the objects of git alone.
type Range struct {
	BaseName, HeadName string // as the person wrote them
	BaseTip            string // what BaseName stood for
	Base               string // where the two parted
	Head               string
	Subject            string // of the newest commit
	Message            string // of all commits, newest first
	Files              []Changed

	dir  string
	repo git.Repo
	mu   sync.Mutex
	kept map[string]string // patches
}

var _ Reading = (*Range)(nil)

// Range pins "BASE..HEAD" or "BASE...HEAD"; both mean what HEAD has that BASE has not.
func (w *Workspace) Range(ctx context.Context, spec string) (*Range, error) {
	base, head, ok := strings.Cut(spec, "..")
	head = strings.TrimPrefix(head, ".")
	if !ok || base == "" || head == "" || strings.HasPrefix(base, "-") || strings.HasPrefix(head, "-") {
		return nil, fmt.Errorf("%q is no range: write it as BASE..HEAD", spec)
	}
	r := &Range{BaseName: base, HeadName: head, dir: w.top, repo: git.Open(w.top), kept: map[string]string{}}
	var err error
	if r.BaseTip, err = r.pin(ctx, base); err != nil {
		return nil, err
	}
	if r.Head, err = r.pin(ctx, head); err != nil {
		return nil, err
	}
	out, err := r.repo.Run(ctx, "merge-base", r.BaseTip, r.Head)
	if err != nil {
		return nil, fmt.Errorf("find where %s and %s parted: %w", base, head, err)
	}
	r.Base = chomp(out)
	if err := r.describe(ctx); err != nil {
		return nil, err
	}
	return r, r.changed(ctx)
}

func (r *Range) pin(ctx context.Context, name string) (string, error) {
	out, err := r.repo.Run(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("find the commit %q: %w", name, err)
	}
	id := chomp(out)
	if !hex40.MatchString(id) {
		return "", fmt.Errorf("%q names no single commit", name)
	}
	return id, nil
}

func (r *Range) describe(ctx context.Context) error {
	out, err := r.repo.Run(ctx, "log", "--max-count=250", "--format=%B%x00", r.Base+".."+r.Head, "--")
	if err != nil {
		return fmt.Errorf("read the messages of the commits: %w", err)
	}
	r.Message = strings.ToValidUTF8(strings.ReplaceAll(string(out), "\x00", ""), "\ufffd")
	r.Subject, _, _ = strings.Cut(strings.TrimSpace(r.Message), "\n")
	return nil
}

var statuses = map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied", 'T': "changed"}

func (r *Range) changed(ctx context.Context) error {
	out, err := r.repo.Run(ctx, "diff-tree", "-r", "-M", "--name-status", "-z", r.Base, r.Head)
	if err != nil {
		return fmt.Errorf("list the changed files: %w", err)
	}
	fields := strings.Split(string(out), "\x00")
	for n := 0; n+1 < len(fields) && fields[n] != ""; n += 2 {
		c := Changed{Status: statuses[fields[n][0]], Path: fields[n+1]}
		if fields[n][0] == 'R' || fields[n][0] == 'C' {
			n++
			if n+1 >= len(fields) {
				return errors.New("list the changed files: git named half a renaming")
			}
			c.Previous, c.Path = c.Path, fields[n+1]
		}
		r.Files = append(r.Files, c)
	}
	return r.count(ctx)
}

// count adds the numbers of lines. A renaming is three fields there, the first of
// which ends in a tab.
func (r *Range) count(ctx context.Context) error {
	out, err := r.repo.Run(ctx, "diff-tree", "-r", "-M", "--numstat", "-z", r.Base, r.Head)
	if err != nil {
		return fmt.Errorf("count the changed lines: %w", err)
	}
	at := map[string]int{}
	for n, f := range r.Files {
		at[f.Path] = n
	}
	fields := strings.Split(string(out), "\x00")
	for n := 0; n < len(fields); n++ {
		parts := strings.SplitN(fields[n], "\t", 3)
		if len(parts) != 3 {
			continue
		}
		name := parts[2]
		if name == "" && n+2 < len(fields) {
			n += 2
			name = fields[n]
		}
		i, known := at[name]
		if !known {
			continue
		}
		r.Files[i].Binary = parts[0] == "-"
		r.Files[i].Added, _ = strconv.Atoi(parts[0])
		r.Files[i].Deleted, _ = strconv.Atoi(parts[1])
	}
	return nil
}

// Drift says how the names moved on since they were pinned; empty if they did not.
func (r *Range) Drift(ctx context.Context) (string, error) {
	for name, was := range map[string]string{r.BaseName: r.BaseTip, r.HeadName: r.Head} {
		is, err := r.pin(ctx, name)
		if err != nil {
			return "", err
		}
		if is != was {
			return fmt.Sprintf("%s moved from %.12s to %.12s", name, was, is), nil
		}
	}
	return "", nil
}

// File implements Reading.
func (r *Range) File(ctx context.Context, path, revision string) ([]byte, error) {
	if revision != r.Base && revision != r.Head {
		return nil, fmt.Errorf("%s: %.12s is neither end of the change", path, revision)
	}
	return r.repo.Content(ctx, revision, path)
}

// Patch implements Reading.
func (r *Range) Patch(ctx context.Context, path string) (string, error) {
	r.mu.Lock()
	patch, known := r.kept[path]
	r.mu.Unlock()
	if known {
		return patch, nil
	}
	args := []string{"diff-tree", "-r", "-M", "-p", r.Base, r.Head, "--", ":(top,literal)" + path}
	for _, f := range r.Files {
		if f.Path == path && f.Previous != "" {
			args = append(args, ":(top,literal)"+f.Previous)
		}
	}
	out, err := r.repo.Run(ctx, args...)
	if err != nil {
		return "", fmt.Errorf("read the change of %s: %w", path, err)
	}
	patch = hunks(out)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept[path] = patch
	return patch, nil
}

// hunks is a patch of git from its first hunk on, without the last line end.
func hunks(out []byte) string {
	if !bytes.HasPrefix(out, []byte("@@ ")) {
		n := bytes.Index(out, []byte("\n@@ "))
		if n < 0 {
			return ""
		}
		out = out[n+1:]
	}
	return strings.TrimSuffix(string(out), "\n")
}

// List implements Reading.
func (r *Range) List(ctx context.Context, folder, revision string) ([]string, error) {
	if revision != r.Base && revision != r.Head {
		return nil, fmt.Errorf("%.12s is neither end of the change", revision)
	}
	out, err := r.repo.Run(ctx, "ls-tree", "--name-only", "-z", revision+":"+strings.Trim(folder, "/"))
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", folder, err)
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 }), nil
}

// Find implements Reading.
func (r *Range) Find(ctx context.Context, words, revision string) ([]byte, error) {
	if revision != r.Base && revision != r.Head {
		return nil, fmt.Errorf("%.12s is neither end of the change", revision)
	}
	args, err := r.repo.Hardened(ctx, "grep", "-n", "-I", "-F", "--no-textconv", "--max-count=50", "-e", words, revision, "--")
	if err != nil {
		return nil, err
	}
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("find git: %w", err)
	}
	res, err := process.Run(ctx, process.Command{
		Path: program, Args: args, Dir: r.dir, Env: git.Quiet(os.Environ()), Timeout: findPatience, Limit: findAtMost, Split: true,
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("search for text: %w", err)
	case res.Code > 1 || res.TimedOut:
		return nil, errors.New("search for text: git did not finish")
	}
	return bytes.ReplaceAll(res.Output, []byte(revision+":"), nil), nil
}
