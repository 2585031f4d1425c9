package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// create makes name with exactly data, whole or not at all, and never over
// something that is there: the error then wraps fs.ErrExist. The caller holds
// the lock that covers name.
//
// After an error the file may exist, complete. That is why callers compare with
// what they find rather than trust the error.
func (d *dir) create(name string, data []byte) error {
	temp, err := d.writeTemp(name, data, synced)
	if err != nil {
		return fmt.Errorf("create %s: %w", d.join(name), err)
	}
	err = d.probe.run(Step{Op: OpLink, Path: d.join(name), From: d.join(temp)}, func() error { return d.linkAt(temp, name) })
	if linkUnsupported(err) {
		err = d.createByRename(temp, name)
	}
	if rerr := d.remove(temp); err == nil {
		err = rerr
	}
	if err == nil {
		err = d.sync()
	}
	if err != nil {
		return fmt.Errorf("create %s: %w", d.join(name), err)
	}
	return nil
}

// createByRename is for file systems without hard links. The rename is whole or
// not at all, and the lock that the caller holds keeps everybody who asks for it
// from coming between the look and the rename.
func (d *dir) createByRename(temp, name string) error {
	there, err := d.exists(name)
	if err != nil {
		return err
	}
	if there {
		return &fs.PathError{Op: "create", Path: d.join(name), Err: fs.ErrExist}
	}
	return d.rename(temp, name)
}

// createOrSame is create, but content that is there already is no error.
func (d *dir) createOrSame(name string, data []byte) error {
	err := d.create(name, data)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	have, rerr := d.readFile(name, int64(len(data)))
	if rerr != nil || !bytes.Equal(have, data) {
		return err
	}
	return d.resync(name)
}

// resync makes an existing file and its name durable. What a crash left behind
// may be complete to a reader and still only be in memory.
func (d *dir) resync(name string) error {
	f, err := d.openFile(name, os.O_RDWR)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := d.syncFile(f, name); err != nil {
		return fmt.Errorf("sync %s: %w", d.join(name), err)
	}
	return d.sync()
}
