package tool

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// write makes the change: a temporary file beside the target takes its place in
// one step, so that the file is whole at every instant. The base directory is
// never left, whatever becomes a symbolic link meanwhile.
func (c change) write() error {
	root, err := os.OpenRoot(c.base)
	if err != nil {
		return about("write", c.shown, err)
	}
	defer root.Close()
	dir := filepath.Dir(c.name)
	if err := root.MkdirAll(dir, 0o777); err != nil {
		return about("make the directory of", c.shown, err)
	}
	temp := filepath.Join(dir, ".planmode-"+random()+".tmp")
	if err := c.fill(root, temp); err != nil {
		_ = root.Remove(temp)
		return about("write", c.shown, err)
	}
	if err := c.place(root, temp); err != nil {
		_ = root.Remove(temp)
		return about("write", c.shown, err)
	}
	syncDir(root, dir)
	return nil
}

func (c change) fill(root *os.Root, temp string) error {
	mode := fs.FileMode(0o666)
	if c.info != nil {
		mode = 0o600
	}
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if c.info != nil {
		// Another owner than ours can only be kept by root; the mode comes second,
		// since changing the owner clears bits of it.
		keepOwner(f, c.info)
		err = f.Chmod(c.info.Mode().Perm())
	}
	if err == nil {
		_, err = f.Write(c.new)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

var errMoved = errors.New("another program changed it just now; nothing was written. Read it again")

// place puts the temporary file where the target is, if that still is what was
// read.
func (c change) place(root *os.Root, temp string) error {
	now, err := root.Lstat(c.name)
	switch {
	case c.info == nil && errors.Is(err, fs.ErrNotExist):
		err := root.Link(temp, c.name)
		if err == nil {
			return root.Remove(temp)
		}
		if errors.Is(err, fs.ErrExist) {
			return errMoved
		}
		return root.Rename(temp, c.name) // there are file systems without links
	case c.info == nil && err == nil:
		return errMoved
	case err != nil:
		return err
	case !os.SameFile(now, c.info) || now.Size() != c.info.Size() || !now.ModTime().Equal(c.info.ModTime()):
		return errMoved
	}
	return root.Rename(temp, c.name)
}

// syncDir makes the new name durable. Not every platform can sync a directory,
// and the content is safe without.
func syncDir(root *os.Root, dir string) {
	if d, err := root.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

func random() string {
	var b [6]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(fmt.Sprintf("read random bytes: %v", err))
	}
	return hex.EncodeToString(b[:])
}
