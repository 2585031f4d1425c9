package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// replace swaps the content of name for data: readers see the old or the new,
// never a mixture, also after a crash. It refuses with ErrChanged when the
// content is no longer was; nil stands for a file that must not exist. The
// caller holds the lock that covers name, so only something that ignores locks
// can come between the comparison and the rename.
func (d *dir) replace(name string, was, data []byte) error {
	temp, err := d.writeTemp(name, data, synced)
	if err != nil {
		return fmt.Errorf("replace %s: %w", d.join(name), err)
	}
	err = d.compare(name, was)
	if err == nil {
		err = d.rename(temp, name)
	}
	if err != nil {
		_ = d.remove(temp)
		return fmt.Errorf("replace %s: %w", d.join(name), err)
	}
	if err := d.sync(); err != nil {
		return fmt.Errorf("replace %s: %w", d.join(name), err)
	}
	return nil
}

func (d *dir) compare(name string, was []byte) error {
	now, err := d.readFile(name, int64(max(len(was), 1)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		now = nil
	case errors.Is(err, ErrTooLarge):
		return ErrChanged
	case err != nil:
		return err
	}
	if (now == nil) != (was == nil) || !bytes.Equal(now, was) {
		return ErrChanged
	}
	return nil
}

// overwrite replaces the content of name, whatever it is, as long as it is a
// regular file. With unsynced it covers a crash of the program but not of the
// machine: for text that is worth saving many times a minute.
func (d *dir) overwrite(name string, data []byte, durable durability) error {
	if have, err := d.stat(name); err == nil && !have.mode.IsRegular() {
		return fmt.Errorf("replace %s: %w", d.join(name), ErrSymlink)
	}
	temp, err := d.writeTemp(name, data, durable)
	if err != nil {
		return fmt.Errorf("replace %s: %w", d.join(name), err)
	}
	if err := d.rename(temp, name); err != nil {
		_ = d.remove(temp)
		return fmt.Errorf("replace %s: %w", d.join(name), err)
	}
	if durable == unsynced {
		return nil
	}
	return d.sync()
}
