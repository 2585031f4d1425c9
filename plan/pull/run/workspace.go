package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"planmode/plan/git"
)

// handoffs is where run folders are made, below the workspace.
const handoffs = ".handoffs/review-pull-request"

// Ignore is the line that makes git ignore the run folders.
const Ignore = ".handoffs/"

// The reasons why a run cannot start here.
var (
	// ErrNotIgnored reports that git would see the run folder.
	ErrNotIgnored = errors.New("git does not ignore " + Ignore)
	// ErrNoWorkspace reports a folder without a work tree of git, or a run folder
	// that leads through a link.
	ErrNoWorkspace = errors.New("not a work tree of git")
	// ErrExists reports a review file that is there already.
	ErrExists = errors.New("exists already")
)

// Workspace is the folder in which a review runs.
type Workspace struct {
	dir  string // absolute
	top  string // of the work tree
	pre  string // from top to dir, with a slash at the end, or empty
	root *os.Root
	repo git.Repo

	syncDir func(*os.File) error
}

// Open opens the folder for a run. It only looks.
func Open(ctx context.Context, dir string) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder %s: %w", dir, err)
	}
	repo := git.Open(abs)
	top, err := repo.Run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("%s is %w: %w", abs, ErrNoWorkspace, err)
	}
	pre, err := repo.Run(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, fmt.Errorf("find %s in its work tree: %w", abs, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open the folder %s: %w", abs, err)
	}
	return &Workspace{dir: abs, top: chomp(top), pre: chomp(pre), root: root, repo: repo, syncDir: (*os.File).Sync}, nil
}

// chomp takes off the one line end that git adds; a path may end in spaces.
func chomp(out []byte) string { return strings.TrimSuffix(string(out), "\n") }

// Dir is the absolute path of the folder.
func (w *Workspace) Dir() string { return w.dir }

// Close lets the folder go.
func (w *Workspace) Close() error { return w.root.Close() }

// ProveIgnored reports why a run folder of that id must not be made: git would see
// it, or its name leads through a link. Nothing is made to find out.
func (w *Workspace) ProveIgnored(ctx context.Context, id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	if err := w.realFolders(path.Join(handoffs, id)); err != nil {
		return err
	}
	_, err := w.repo.Run(ctx, "check-ignore", "--quiet", "--", handoffs+"/"+id+"/probe")
	var failed *git.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failed) && failed.Code == 1:
		return ErrNotIgnored
	case errors.As(err, &failed) && failed.Code == 128:
		return fmt.Errorf("%s: %w: %w", handoffs, ErrNoWorkspace, err)
	}
	return fmt.Errorf("ask git whether it ignores %s: %w", handoffs, err)
}

// realFolders says that every part of name that exists is a folder and no link.
func (w *Workspace) realFolders(name string) error {
	parts := strings.Split(name, "/")
	for n := range parts {
		p := path.Join(parts[:n+1]...)
		info, err := w.root.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("look at %s: %w", p, err)
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is no plain folder: %w", p, ErrNoWorkspace)
		}
	}
	return nil
}

// CheckTarget reports why the review file cannot be made: something has its name,
// its folder is missing, or a part of its path is a link. The name itself must have
// passed the lexical rules before.
func (w *Workspace) CheckTarget(name string) error {
	parent := path.Dir(name)
	if parent != "." {
		if err := w.realFolders(parent); err != nil {
			return err
		}
		if _, err := w.root.Lstat(parent); err != nil {
			return fmt.Errorf("the folder of %s: %w", name, err)
		}
	}
	switch _, err := w.root.Lstat(name); {
	case err == nil:
		return fmt.Errorf("%s %w", name, ErrExists)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look at %s: %w", name, err)
	}
	return nil
}
