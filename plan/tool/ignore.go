package tool

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

const (
	maxIgnoreBytes = 1 << 20
	maxIgnoreRules = 5000
)

// ignores are the rules of one .gitignore and, through above, of those in the
// directories over it. nil ignores nothing.
type ignores struct {
	above *ignores
	depth int // of the directory that the rules are in, below the top
	rules []ignoreRule
}

// ignoreRule is one line. A pattern without a slash is about the last name of a
// path alone: a walk never goes below what is ignored, so the names before need
// not be tried again.
type ignoreRule struct {
	gitignore.Pattern
	simple bool
}

// match decides for a path given as its names below the top.
func (g *ignores) match(names []string, dir bool) bool {
	for ; g != nil; g = g.above {
		for i := len(g.rules) - 1; i >= 0; i-- {
			r := g.rules[i]
			subject := names[min(g.depth, len(names)):]
			if r.simple {
				subject = names[len(names)-1:]
			}
			switch r.Match(subject, dir) {
			case gitignore.Exclude:
				return true
			case gitignore.Include:
				return false
			}
		}
	}
	return false
}

// with adds the rules of a file; a file that is missing, no regular file or far
// too large adds none.
func (g *ignores) with(file string, depth int) *ignores {
	rules := parseIgnore(readSmall(file))
	if len(rules) == 0 {
		return g
	}
	return &ignores{above: g, depth: depth, rules: rules}
}

func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") || len(line) > 1024 {
			continue
		}
		if len(rules) == maxIgnoreRules {
			break
		}
		body := strings.TrimSuffix(strings.TrimRight(line, " "), "/")
		rules = append(rules, ignoreRule{gitignore.ParsePattern(line, nil), !strings.Contains(body, "/")})
	}
	return rules
}

func readSmall(file string) string {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreBytes {
		return ""
	}
	f, err := os.OpenFile(file, os.O_RDONLY|openFlags|noFollow, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxIgnoreBytes))
	if err != nil {
		return ""
	}
	return string(b)
}

// ignoresAt returns the rules that hold in dir, the names of dir below the top
// of its repository, and leaves out the file in dir itself. A directory that is
// ignored, and was still named on purpose, starts without rules.
func ignoresAt(dir string) (*ignores, []string) {
	top := repositoryTop(dir)
	if top == "" {
		return nil, nil
	}
	rel, ok := under(top, dir)
	if !ok || rel == "." {
		return (*ignores)(nil).with(filepath.Join(top, ".git", "info", "exclude"), 0), nil
	}
	g := (*ignores)(nil).with(filepath.Join(top, ".git", "info", "exclude"), 0)
	names := strings.Split(rel, string(filepath.Separator))
	at := top
	for i, name := range names {
		g = g.with(filepath.Join(at, ".gitignore"), i)
		if g.match(names[:i+1], true) {
			return nil, names
		}
		at = filepath.Join(at, name)
	}
	return g, names
}

// repositoryTop is the nearest directory that has a .git, or "".
func repositoryTop(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
