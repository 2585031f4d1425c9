package tool

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxWalked bounds how many entries one walk looks at.
const maxWalked = 500_000

var (
	errEnough  = errors.New("enough was found")
	errTooMany = errors.New("the walk stopped: there are too many files")
)

// walker goes through a directory in the order of names, without what .git and
// the rules of .gitignore leave out, and never through a symbolic link.
type walker struct {
	ctx   context.Context
	root  string
	visit func(rel string, d fs.DirEntry) error
	seen  int
}

// walk visits everything below root, a directory without symlinks; rel is
// relative to it and has slashes. A directory that cannot be read is passed
// over. It ends with the first error of visit, or the context's.
func walk(ctx context.Context, root string, visit func(rel string, d fs.DirEntry) error) error {
	w := walker{ctx: ctx, root: root, visit: visit}
	rules, names := ignoresAt(root)
	return w.dir(root, "", names, rules)
}

func (w *walker) dir(at, rel string, names []string, rules *ignores) error {
	entries, err := os.ReadDir(at)
	if err != nil && len(entries) == 0 {
		return nil
	}
	if slices.ContainsFunc(entries, func(d fs.DirEntry) bool { return d.Name() == ".gitignore" }) {
		rules = rules.with(filepath.Join(at, ".gitignore"), len(names))
	}
	for _, d := range entries {
		if w.seen++; w.seen > maxWalked {
			return errTooMany
		}
		if w.seen%64 == 1 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		name := d.Name()
		// Siblings share the room behind names: nobody keeps it.
		path := append(names, name)
		if strings.EqualFold(name, ".git") || rules.match(path, d.IsDir()) {
			continue
		}
		full := filepath.Join(at, name)
		if special(full) {
			continue
		}
		below := name
		if rel != "" {
			below = rel + "/" + name
		}
		if err := w.visit(below, d); err != nil {
			return err
		}
		if d.IsDir() {
			if err := w.dir(full, below, path, rules); err != nil {
				return err
			}
		}
	}
	return nil
}

// glob is a pattern for paths below a directory. One without a slash is about
// the last name, wherever it is.
type glob struct {
	pattern string
	name    bool
}

func newGlob(pattern string) (glob, error) {
	pattern = strings.TrimPrefix(filepath.ToSlash(pattern), "./")
	switch {
	case strings.Count(pattern, "{") > 8:
		return glob{}, errors.New("the pattern has too many alternatives")
	case !doublestar.ValidatePattern(pattern):
		return glob{}, errors.New("the pattern is not a glob: a bracket or brace is not closed")
	case strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "../"):
		return glob{}, errors.New("the pattern is matched below path: give the directory as path")
	}
	return glob{pattern, !strings.Contains(pattern, "/")}, nil
}

func (g glob) match(rel string) bool {
	if g.name {
		rel = path.Base(rel)
	}
	return doublestar.MatchUnvalidated(g.pattern, rel)
}

// searchRoot resolves the path of a search, the working directory by default.
func (p place) searchRoot(given string) (string, fs.FileInfo, error) {
	if given == "" {
		given = "."
	}
	abs, err := p.abs(given)
	if err != nil {
		return "", nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", nil, about("look at", p.show(abs), err)
	}
	if special(real) {
		return "", nil, about("look at", p.show(abs), errSpecial)
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", nil, about("look at", p.show(abs), err)
	}
	return real, info, nil
}
