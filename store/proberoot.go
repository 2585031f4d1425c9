package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Root is the state of one of the four directories.
type Root struct {
	Path    string
	Missing bool // it is made when it is needed
	Mode    fs.FileMode
	Free    uint64 // bytes; 0 if that is not to be known
	Took    time.Duration
	Err     error // why it could not be used
}

// ProbeRoot looks at the directory at path. If it exists, a file is written, made
// durable and removed again; else nothing is made.
func ProbeRoot(path string, now func() time.Time) Root {
	r := Root{Path: path}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Missing = true
		r.Err = creatable(path)
		return r
	case err != nil:
		r.Err = err
		return r
	case !st.IsDir():
		r.Err = fmt.Errorf("%s: %w", path, ErrSymlink)
		return r
	}
	r.Mode = st.Mode().Perm()
	r.Free = freeBytes(path)
	began := now()
	r.Err = writeProbe(path)
	r.Took = now().Sub(began)
	return r
}

// writeProbe does what every durable write does: a new file, fsync, fsync of the
// directory. Nothing of it stays.
func writeProbe(path string) error {
	f, err := os.CreateTemp(path, tempPrefix+"doctor-")
	if err != nil {
		return err
	}
	_, err = f.WriteString("planmode doctor\n")
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if h, herr := openHandle(path); herr == nil {
		d := &dir{h, path, nil}
		err = errors.Join(err, d.syncDir())
		d.close()
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// creatable says why the directory at path could not be made.
func creatable(path string) error {
	for at := filepath.Dir(path); ; at = filepath.Dir(at) {
		st, err := os.Stat(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			continue
		}
		if err == nil && !st.IsDir() {
			err = fmt.Errorf("%s is no directory", at)
		}
		if err != nil {
			return err
		}
		return writableDir(at)
	}
}
