package store

import (
	"errors"
	"fmt"
	"os"
)

// appender adds lines to a file that it has alone. What a failed or torn write
// left behind the last whole line is cut before the next one is written, so a
// line is never glued to half of another.
type appender struct {
	d    *dir
	name string
	f    *os.File

	end     int64  // end of the last whole line
	torn    bool   // there may be bytes behind end
	pending []byte // the lines before end that may not be on the disk yet
	stale   bool   // a sync failed, so pending has to be written again
}

// openAppender opens the log name for writing behind end. torn says that there
// is something behind it.
func (d *dir) openAppender(name string, end int64, torn bool) (*appender, error) {
	f, err := d.openFile(name, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	return &appender{d: d, name: name, f: f, end: end, torn: torn}, nil
}

// append writes line, which ends with a newline, in one write. After an error
// the line is not part of the log and append can be called again.
func (a *appender) append(line []byte, durable durability) error {
	if err := a.repair(); err != nil {
		return err
	}
	if err := a.d.writeAt(a.f, a.name, line, a.end); err != nil {
		a.takeBack()
		return fmt.Errorf("append to %s: %w", a.d.join(a.name), err)
	}
	before := len(a.pending)
	a.pending = append(a.pending, line...)
	a.end += int64(len(line))
	if durable == unsynced {
		return nil
	}
	if err := a.sync(); err != nil {
		a.pending = a.pending[:before]
		a.end -= int64(len(line))
		a.takeBack()
		return err
	}
	return nil
}

// takeBack removes what a failed write may have left. If that fails as well, the
// next append tries it again, and readers see a torn tail until then.
func (a *appender) takeBack() { a.torn = a.truncate() != nil }

func (a *appender) truncate() error {
	return a.d.probe.run(Step{Op: OpTruncate, Path: a.d.join(a.name), At: a.end}, func() error { return a.f.Truncate(a.end) })
}

// repair brings the file to the state that the fields describe.
func (a *appender) repair() error {
	if a.torn {
		if err := a.truncate(); err != nil {
			return fmt.Errorf("cut the torn end of %s: %w", a.d.join(a.name), err)
		}
		a.torn = false
	}
	return a.rewrite()
}

// rewrite writes the pending lines again if a sync of them failed.
func (a *appender) rewrite() error {
	if !a.stale {
		return nil
	}
	// After a failed fsync the kernel may count pages as clean that never reached
	// the disk; a second fsync would then succeed and mean nothing.
	if err := a.d.writeAt(a.f, a.name, a.pending, a.end-int64(len(a.pending))); err != nil {
		return fmt.Errorf("write the end of %s again: %w", a.d.join(a.name), err)
	}
	return a.sync()
}

// sync makes every line durable.
func (a *appender) sync() error {
	if len(a.pending) == 0 {
		return nil
	}
	if err := a.d.syncFile(a.f, a.name); err != nil {
		a.stale = true
		return fmt.Errorf("sync %s: %w", a.d.join(a.name), err)
	}
	a.pending, a.stale = a.pending[:0], false
	return nil
}

// close makes every line durable and closes the file. A torn end that nobody
// has kept yet is left where it is.
func (a *appender) close() error {
	return errors.Join(a.rewrite(), a.sync(), a.f.Close())
}
