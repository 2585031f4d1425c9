package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// ResultError says why a result cannot be published, in words that callers of a gate
// rely on.
type ResultError struct{ text string }

// Error implements error.
func (e *ResultError) Error() string { return e.text }

// CheckResult reports why a result cannot be published at path: something has the
// name already, even a link that leads nowhere, or the folder is not there. It is
// asked before anything is shown, so that a review is not wasted.
func CheckResult(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return &ResultError{"Result file already exists: " + path}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look at the result file: %w", err)
	}
	parent := filepath.Dir(path)
	info, err := os.Stat(parent)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return &ResultError{"Result file parent does not exist: " + parent}
	}
	if err != nil {
		return fmt.Errorf("look at the folder of the result file: %w", err)
	}
	return nil
}

// PublishResult makes the file at path hold exactly record. A reader sees nothing or
// all of it, and a file that appeared meanwhile is left as it is: the error then
// wraps fs.ErrExist. There is no way round on a file system without hard links, and
// nothing of ours stays behind after an error. probe may be nil.
func PublishResult(path string, record []byte, probe Probe) (err error) {
	var id [16]byte
	rand.Read(id[:])
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.Itoa(os.Getpid())+"."+hex.EncodeToString(id[:])+".tmp")
	if err := writeWhole(temp, record, probe); err != nil {
		os.Remove(temp)
		return fmt.Errorf("publish the result as %s: %w", path, err)
	}
	err = probe.run(Step{Op: OpLink, Path: path, From: temp}, func() error { return os.Link(temp, path) })
	remove := func() error {
		return probe.run(Step{Op: OpRemove, Path: temp}, func() error { return os.Remove(temp) })
	}
	rerr := remove()
	if rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
		rerr = remove() // once more: the record is there, and a leftover beside it is not
	}
	if errors.Is(rerr, fs.ErrNotExist) {
		rerr = nil
	}
	if err == nil {
		err = rerr
	}
	if err != nil {
		return fmt.Errorf("publish the result as %s: %w", path, err)
	}
	return nil
}

// writeWhole makes a new private file and waits until the disk has it.
func writeWhole(path string, data []byte, probe Probe) error {
	var f *os.File
	err := probe.run(Step{Op: OpCreate, Path: path}, func() (err error) {
		f, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		return err
	})
	if err != nil {
		if f != nil {
			f.Close()
		}
		return err
	}
	err = probe.run(Step{Op: OpWrite, Path: path, Data: data}, func() error { _, err := f.Write(data); return err })
	if err == nil {
		err = probe.run(Step{Op: OpSync, Path: path}, f.Sync)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
