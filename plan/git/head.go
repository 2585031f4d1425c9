package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"planmode/plan/text"
)

// ErrNoRepository reports a directory that is in no repository.
var ErrNoRepository = errors.New("not in a git repository")

const (
	maxPointer = 4 << 10 // HEAD and a .git file are one short line
	maxName    = 100     // cells of a branch name
)

var commit = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// Head is the full id of the commit that is checked out.
func (r Repo) Head(ctx context.Context) (string, error) {
	out, err := r.Run(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !commit.MatchString(id) {
		return "", fmt.Errorf("git rev-parse HEAD: %q is not a commit", text.Truncate(text.Line(id), maxName))
	}
	return id, nil
}

// Branch is the name of the branch that is checked out, or the first eight
// digits of the commit when none is; cleaned for a screen. It reads two small
// files and runs git only for a repository that keeps its refs elsewhere.
func (r Repo) Branch(ctx context.Context) (string, error) {
	dir, err := gitDir(r.dir)
	if err != nil {
		return "", err
	}
	head, err := readLine(filepath.Join(dir, "HEAD"))
	if err != nil {
		return "", err
	}
	if commit.MatchString(head) {
		return head[:8], nil
	}
	ref, ok := strings.CutPrefix(head, "ref:")
	if !ok {
		return "", fmt.Errorf("read %s: neither a ref nor a commit", filepath.Join(dir, "HEAD"))
	}
	ref = strings.TrimSpace(ref)
	if ref == "refs/heads/.invalid" {
		out, err := r.Run(ctx, "symbolic-ref", "--quiet", "HEAD")
		if err != nil {
			return "", err
		}
		ref = strings.TrimSpace(string(out))
	}
	return text.Truncate(text.Line(strings.TrimPrefix(ref, "refs/heads/")), maxName), nil
}

// gitDir finds the git directory of the work tree that dir is in. In a linked
// work tree or a submodule .git is a file that points there.
func gitDir(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the repository of %s: %w", dir, err)
	}
	for {
		dot := filepath.Join(at, ".git")
		info, err := os.Stat(dot)
		switch {
		case err == nil && info.IsDir():
			if _, err := os.Lstat(filepath.Join(dot, "HEAD")); err == nil {
				return dot, nil
			}
		case err == nil:
			return pointed(dot)
		}
		up := filepath.Dir(at)
		if up == at {
			return "", fmt.Errorf("%s: %w", dir, ErrNoRepository)
		}
		at = up
	}
}

func pointed(file string) (string, error) {
	line, err := readLine(file)
	if err != nil {
		return "", err
	}
	to, ok := strings.CutPrefix(line, "gitdir:")
	if !ok {
		return "", fmt.Errorf("read %s: no gitdir line", file)
	}
	to = strings.TrimSpace(to)
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(file), to)
	}
	return to, nil
}

// readLine reads the first line of a small regular file. Anything else that a
// repository may have put in its place is an error and is not waited for.
func readLine(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("read %s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPointer))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line), nil
}
