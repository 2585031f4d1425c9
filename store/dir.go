package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
)

// info is what lstat says about a name.
type info struct {
	mode fs.FileMode
	size int64
	mod  time.Time
}

// dir is an open directory at or below the root. Names given to its methods are
// single path components; none is ever followed if it is a symlink.
type dir struct {
	handle // of the platform
	path   string
	probe  Probe
}

func (d *dir) join(name string) string { return filepath.Join(d.path, name) }

// checkName keeps a name one component. Every name that reaches the disk was
// built from checked ids; this is the second lock on that door.
func checkName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return fmt.Errorf("%q is not a file name", name)
	}
	return nil
}

// openRoot makes the directory at path if it is missing, private to the user,
// and opens it. Symlinks on the way to the root are the user's own business.
func openRoot(path string, probe Probe) (*dir, error) {
	if err := makeRoot(path, probe); err != nil {
		return nil, err
	}
	return openExisting(path, probe)
}

// makeRoot makes the directories that lead to path and are missing, durably:
// what is kept below a directory whose own name can vanish is not kept.
func makeRoot(path string, probe Probe) error {
	if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(path)
	if parent == path {
		return fs.ErrNotExist
	}
	if err := makeRoot(parent, probe); err != nil {
		return err
	}
	err := probe.run(Step{Op: OpMkdir, Path: path}, func() error { return os.Mkdir(path, dirMode) })
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	h, err := openHandle(parent)
	if err != nil {
		return err
	}
	d := &dir{h, parent, probe}
	defer d.close()
	return d.sync()
}

func openExisting(path string, probe Probe) (*dir, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, dirMode); err != nil {
			return nil, fmt.Errorf("make %s private: %w", path, err)
		}
	}
	h, err := openHandle(path)
	if err != nil {
		return nil, err
	}
	return &dir{h, path, probe}, nil
}

// sub opens the directory at the components below d.
func (d *dir) sub(names ...string) (*dir, error) { return d.walk(false, names) }

// ensure is sub, but makes what is missing.
func (d *dir) ensure(names ...string) (*dir, error) { return d.walk(true, names) }

func (d *dir) walk(create bool, names []string) (*dir, error) {
	at := d
	for _, name := range names {
		next, err := at.child(create, name)
		if at != d {
			at.close()
		}
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

func (d *dir) child(create bool, name string) (*dir, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	h, err := d.openDir(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err = d.mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("create %s: %w", d.join(name), err)
		}
		if err == nil {
			// Before anything is put in it: else what refers to that could outlive it.
			if err := d.sync(); err != nil {
				return nil, fmt.Errorf("sync %s: %w", d.path, err)
			}
		}
		h, err = d.openDir(name)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", d.join(name), err)
	}
	return &dir{h, d.join(name), d.probe}, nil
}

// mkdir makes a directory that must not exist.
func (d *dir) mkdir(name string) error {
	return d.do(OpMkdir, name, func() error { return d.mkdirAt(name) })
}

// exists says whether there is anything, of any type, at name.
func (d *dir) exists(name string) (bool, error) {
	_, err := d.stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// remove removes a name that is no directory. A missing one is no error.
func (d *dir) remove(name string) error {
	err := d.do(OpRemove, name, func() error { return d.removeAt(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// rename moves a name, replacing what is at the target.
func (d *dir) rename(from, to string) error {
	return d.probe.run(Step{Op: OpRename, Path: d.join(to), From: d.join(from)}, func() error { return d.renameAt(from, to) })
}

// sync makes the names of the directory durable.
func (d *dir) sync() error {
	return d.probe.run(Step{Op: OpSyncDir, Path: d.path}, d.syncDir)
}

// syncFile makes the bytes of f durable.
func (d *dir) syncFile(f *os.File, name string) error {
	return d.do(OpSync, name, f.Sync)
}

// tempPrefix begins the names of files that are not whole yet. They are made
// only under a lock, so one that is found is a leftover and can be replaced.
const tempPrefix = ".tmp-"

// writeTemp writes data to a new file and makes it durable. The name it returns
// is to be linked or renamed, or removed.
func (d *dir) writeTemp(name string, data []byte, durable durability) (string, error) {
	temp := tempPrefix + name
	err := d.writeNew(temp, data, durable)
	if errors.Is(err, fs.ErrExist) {
		if err = d.remove(temp); err == nil {
			err = d.writeNew(temp, data, durable)
		}
	}
	if err != nil {
		_ = d.remove(temp) // a leftover is replaced by the next writer anyway
		return "", err
	}
	return temp, nil
}

// durability says whether a write must outlive a power failure or only the
// program.
type durability bool

const (
	synced   durability = true
	unsynced durability = false
)

// writeNew creates name exclusively and writes it whole.
func (d *dir) writeNew(name string, data []byte, durable durability) error {
	var f *os.File
	err := d.do(OpCreate, name, func() (err error) {
		f, err = d.openFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
		return err
	})
	if f != nil {
		defer f.Close()
	}
	if err != nil {
		return err
	}
	if err := d.writeAt(f, name, data, 0); err != nil {
		return err
	}
	if durable == synced {
		if err := d.syncFile(f, name); err != nil {
			return err
		}
	}
	return f.Close()
}
