package store

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// noFollow has no counterpart among the flags of an open here.
const noFollow = 0

// handle is empty: names are joined to the path, and each is checked not to be
// a link before it is used.
type handle struct{}

func (*handle) close() {}

func openHandle(path string) (handle, error) {
	st, err := os.Stat(path)
	if err == nil && !st.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrSymlink}
	}
	return handle{}, err
}

func (d *dir) openDir(name string) (handle, error) {
	st, err := os.Lstat(d.join(name))
	if err == nil && !st.IsDir() {
		err = ErrSymlink
	}
	return handle{}, err
}

func (d *dir) openFile(name string, flag int) (*os.File, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if st, err := os.Lstat(d.join(name)); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("open %s: %w", d.join(name), ErrSymlink)
	}
	return os.OpenFile(d.join(name), flag, fileMode)
}

func (d *dir) readFile(name string, limit int64) ([]byte, error) {
	f, err := d.openFile(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("read %s: %w", d.join(name), ErrTooLarge)
	}
	return b, err
}

func (d *dir) stat(name string) (info, error) {
	st, err := os.Lstat(d.join(name))
	if err != nil {
		return info{}, err
	}
	return info{st.Mode().Type(), st.Size(), st.ModTime()}, nil
}

func (d *dir) names() ([]fs.DirEntry, error) { return os.ReadDir(d.path) }

func (d *dir) mkdirAt(name string) error      { return os.Mkdir(d.join(name), dirMode) }
func (d *dir) removeAt(name string) error     { return os.Remove(d.join(name)) }
func (d *dir) renameAt(from, to string) error { return os.Rename(d.join(from), d.join(to)) }
func (d *dir) linkAt(from, to string) error   { return os.Link(d.join(from), d.join(to)) }
func (d *dir) syncDir() error                 { return nil }

// linkUnsupported says whether a link can be replaced by an exclusive create:
// always, unless the target exists.
func linkUnsupported(err error) bool { return err != nil && !os.IsExist(err) }

// ownedByUs trusts the access lists of the user's own profile.
func ownedByUs(fs.FileInfo) bool { return true }

// privateModes says that the permission bits of a file mean nothing here.
const privateModes = false

// freeBytes is not known here.
func freeBytes(string) uint64 { return 0 }

// writableDir leaves it to the first write to find out.
func writableDir(string) error { return nil }
