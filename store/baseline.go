package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"

	"planmode/plan"
)

const (
	baselineName  = "baseline"
	baselineLimit = 16<<20 + sha256.Size
)

// SaveBaseline keeps what the work tree looked like at an approval, which the entry
// that records the approval names. It is kept for comparing only: without it less
// can be said of what the work changed, and nothing else depends on it.
func (s *Store) SaveBaseline(id plan.ID, entry plan.EntryID, data []byte) error {
	err := s.saveBaseline(id, entry, data)
	if err != nil {
		return fmt.Errorf("save the baseline of %s: %w", id, err)
	}
	return nil
}

func (s *Store) saveBaseline(id plan.ID, entry plan.EntryID, data []byte) error {
	if len(data) > baselineLimit-sha256.Size {
		return ErrTooLarge
	}
	d, err := s.planDir(id)
	if err != nil {
		return err
	}
	defer d.close()
	lock, err := d.lock(lockName, "plan "+string(id), s.opt.Wait, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	top, err := d.ensure(baselineName)
	if err != nil {
		return err
	}
	defer top.close()
	return top.overwrite(string(entry), sealed(data), unsynced) // a power cut may take it
}

// sealed is data with its sum at the end.
func sealed(data []byte) []byte {
	sum := sha256.Sum256(data)
	return append(data[:len(data):len(data)], sum[:]...)
}

// unsealed is the data without its sum; false when they do not fit.
func unsealed(b []byte) ([]byte, bool) {
	if len(b) < sha256.Size {
		return nil, false
	}
	data := b[:len(b)-sha256.Size]
	sum := sha256.Sum256(data)
	return data, bytes.Equal(sum[:], b[len(data):])
}

// Baseline reads what SaveBaseline kept; nil without an error if that is nothing.
// Damaged it is an error.
func (s *Store) Baseline(id plan.ID, entry plan.EntryID) ([]byte, error) {
	d, err := s.planDir(id)
	if err != nil {
		return nil, err
	}
	defer d.close()
	top, err := d.sub(baselineName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer top.close()
	b, err := top.readFile(string(entry), baselineLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data, ok := unsealed(b)
	if err == nil && !ok {
		err = fmt.Errorf("read the baseline of %s: its sum does not fit", id)
	}
	return data, err
}
