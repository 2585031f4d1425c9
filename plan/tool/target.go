package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// target is a file that a tool would write: where it really is, and what the
// person must be told about the place.
type target struct {
	base    string // a directory without symlinks that the write cannot leave
	name    string // the file, relative to base
	path    string // both joined
	shown   string
	scope   string // "" where no standing permission is possible
	meaning string
	danger  []string
}

// target resolves a path to write. A path that is in the working directory by
// its name and elsewhere by a link is refused, and so is a file that is itself
// a link: the person would allow one file and another would change.
func (p place) target(given string) (target, error) {
	abs, err := p.abs(given)
	if err != nil {
		return target{}, err
	}
	fail := func(format string, a ...any) (target, error) {
		return target{}, fmt.Errorf("write %s: "+format, append([]any{p.show(abs)}, a...)...)
	}
	if filepath.Dir(abs) == abs || strings.HasSuffix(given, "/") {
		return fail("it is a directory")
	}
	real := filepath.Join(settled(filepath.Dir(abs)), filepath.Base(abs))
	_, named := under(p.dir, abs)
	rel, inside := under(p.dir, real)
	switch {
	case named && !inside:
		return fail("a symbolic link on the way leads out of the working directory, to %s", printable(real))
	case special(real):
		return fail("%w", errSpecial)
	case rel == "." && inside:
		return fail("it is a directory")
	}
	if err := writable(real); err != nil {
		return fail("%w", err)
	}
	t := target{base: p.dir, name: rel, path: real, shown: p.show(real)}
	t.scope, t.meaning = "files:"+p.dir, "writing in this directory"
	if !inside {
		t.base, t.name = existing(filepath.Dir(real)), ""
		if t.name, err = filepath.Rel(t.base, real); err != nil {
			return fail("%w", err)
		}
		t.scope, t.meaning = "files:"+filepath.Dir(real), "writing in "+printable(filepath.Dir(real))
		t.danger = append(t.danger, "outside the working directory")
	}
	if inGit(real) {
		t.danger = append(t.danger, "inside .git: it can change what git runs")
	}
	if dir, ok := p.privateTo(real); ok {
		t.danger = append(t.danger, "inside planmode's own files, "+printable(dir))
	}
	if len(t.danger) > 1 || inside && len(t.danger) > 0 {
		t.scope = ""
	}
	return t, nil
}

// guards says why a write to a path is none that anything but an answer of the
// person may allow: it could change what git runs, or what planmode remembers and
// allows. Empty for every other path, and for one that cannot be written.
func (p place) guards(given string) string {
	to, err := p.target(given)
	if err != nil {
		return ""
	}
	if inGit(to.path) {
		return "inside .git"
	}
	if _, ok := p.privateTo(to.path); ok {
		return "inside planmode's own files"
	}
	return ""
}

// existing is the nearest directory above or at path that is there.
func existing(path string) string {
	for {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path
		}
		up := filepath.Dir(path)
		if up == path {
			return path
		}
		path = up
	}
}

// writable says why what is at path may not be replaced; nothing there is fine.
func writable(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return reason(err)
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return fmt.Errorf("it is a symbolic link to %s; name the file itself", printable(to))
	case info.IsDir():
		return errors.New("it is a directory")
	case info.Mode().IsRegular() && info.Mode().Perm()&0o222 == 0:
		return errors.New("it is write-protected")
	}
	return regular(info)
}

// inGit compares without case, as some file systems do, and knows the short
// name that others give.
func inGit(path string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if n := strings.ToLower(name); n == ".git" || n == "git~1" {
			return true
		}
	}
	return false
}
