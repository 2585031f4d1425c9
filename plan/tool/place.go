package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// place knows the working directory: it resolves the paths that an agent gives
// and names files the way an agent can give them back.
type place struct {
	dir     string   // the working directory, absolute, without symlinks
	given   string   // as it was given, absolute
	private []string // directories of planmode itself, without symlinks
}

func newPlace(dir string, private []string) place {
	p := place{given: absolute(dir)}
	p.dir = settled(p.given)
	for _, d := range private {
		p.private = append(p.private, settled(absolute(d)))
	}
	return p
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// settled resolves symlinks as far as the path exists.
func settled(path string) string {
	rest := ""
	for at := path; ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(at)
		if up == at {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
		at = up
	}
}

// abs makes a path absolute without touching the disk.
func (p place) abs(path string) (string, error) {
	switch {
	case path == "":
		return "", errors.New("the path is empty")
	case strings.ContainsRune(path, 0):
		return "", errors.New("the path holds a NUL character")
	case path == "~" || strings.HasPrefix(path, "~/"):
		return "", errors.New("~ is not expanded; give an absolute path")
	}
	if !filepath.IsAbs(path) {
		return filepath.Join(p.dir, path), nil
	}
	path = filepath.Clean(path)
	if rel, ok := under(p.given, path); ok {
		return filepath.Join(p.dir, rel), nil
	}
	return path, nil
}

// under returns path relative to dir, if it is dir or below it. It compares
// names only.
func under(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// show names an absolute path for an agent: relative inside the working
// directory. A name with control characters is quoted, so that it cannot pass
// for two lines.
func (p place) show(abs string) string {
	if rel, ok := under(p.dir, abs); ok {
		abs = rel
	}
	return printable(filepath.ToSlash(abs))
}

func printable(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return strconv.Quote(name)
	}
	return name
}

// privateTo returns the directory of planmode that path is in, if any. Case is
// ignored, as some file systems do: one warning too many is harmless.
func (p place) privateTo(path string) (string, bool) {
	for _, d := range p.private {
		if _, ok := under(strings.ToLower(d), strings.ToLower(path)); ok {
			return d, true
		}
	}
	return "", false
}

// errSpecial reports a file system of the kernel: its files can be endless, can
// block, and hold the environment of this process.
var errSpecial = errors.New("it belongs to the system, not to a project, and is not read")

// special says whether a resolved path is in such a file system by its name.
func special(path string) bool {
	for _, root := range []string{"/proc", "/sys", "/dev"} {
		if _, ok := under(root, path); ok && filepath.Separator == '/' {
			return true
		}
	}
	return false
}

// openRegular opens a regular file for reading, through symlinks. It never waits
// for a FIFO or a device.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, nil, err
	}
	if special(real) {
		return nil, nil, errSpecial
	}
	// The kind is looked at before opening as well: opening a device can have
	// effects of its own.
	info, err := os.Lstat(real)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(real, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(info)
	}
	if err == nil && kernelFile(f) {
		err = errSpecial
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("it is a directory; use ls")
	case mode&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("it is a named pipe, not a file")
	case mode&fs.ModeSocket != 0:
		return errors.New("it is a socket, not a file")
	case mode&fs.ModeDevice != 0:
		return errors.New("it is a device, not a file")
	}
	return errors.New("it is not a regular file")
}

// reason is the cause of an error without the path, which the caller names.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func about(verb, name string, err error) error {
	return fmt.Errorf("%s %s: %w", verb, name, reason(err))
}
