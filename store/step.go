package store

import (
	"errors"
	"io/fs"
	"os"
)

// Op names a kind of change to the disk.
type Op string

// The operations. Every change that this package makes is one of them.
const (
	OpMkdir    Op = "mkdir"
	OpCreate   Op = "create"
	OpWrite    Op = "write"
	OpSync     Op = "sync"
	OpLink     Op = "link"
	OpRename   Op = "rename"
	OpRemove   Op = "remove"
	OpTruncate Op = "truncate"
	OpSyncDir  Op = "syncdir"
	OpLock     Op = "lock"
)

// Step is one change to the disk that is about to happen. It says all of it, so
// that a test can work out what a disk may hold after a power failure.
type Step struct {
	Op   Op
	Path string // the directory itself for OpSyncDir
	From string // what OpLink and OpRename take
	Data []byte // what OpWrite writes; not to be kept, only copied
	At   int64  // where OpWrite writes, and the size that OpTruncate leaves
}

// Probe is asked before every step. An error makes the step fail without taking
// effect. It exists so that tests can stop at every instruction.
type Probe func(Step) error

// AppliedError lets, when a Probe returns it, the step take effect (half of it,
// for a write) and fail all the same, as a full disk or a lost connection does.
type AppliedError struct{ Err error }

// Error implements error.
func (e *AppliedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *AppliedError) Unwrap() error { return e.Err }

// do runs one step under the probe.
func (d *dir) do(op Op, name string, act func() error) error {
	return d.probe.run(Step{Op: op, Path: d.join(name)}, act)
}

// run asks the probe about the step and takes it.
func (p Probe) run(s Step, act func() error) error {
	if p == nil {
		return act()
	}
	err := p(s)
	var applied *AppliedError
	if errors.As(err, &applied) {
		if err := act(); err != nil {
			return err
		}
		return applied.Err
	}
	if err != nil {
		return err
	}
	return act()
}

// writeAt writes all of data at the offset in one call.
func (d *dir) writeAt(f *os.File, name string, data []byte, at int64) error {
	if d.probe != nil {
		err := d.probe(Step{Op: OpWrite, Path: d.join(name), Data: data, At: at})
		var applied *AppliedError
		if errors.As(err, &applied) {
			data, err = data[:len(data)/2], applied.Err
			if _, werr := f.WriteAt(data, at); werr != nil {
				return werr
			}
		}
		if err != nil {
			return err
		}
	}
	_, err := f.WriteAt(data, at)
	var named *fs.PathError
	if errors.As(err, &named) {
		return named.Err // callers name the file, and not a temporary one
	}
	return err
}
