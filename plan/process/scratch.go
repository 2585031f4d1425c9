package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Scratch is a private file in which the person's editor changes a text. It has a
// directory of its own, since editors leave files beside what they edit.
type Scratch struct{ Path string }

// NewScratch makes the file name with the text. Remove must be called.
func NewScratch(name, text string) (Scratch, error) {
	dir, err := os.MkdirTemp("", "planmode-edit-") // 0700
	if err != nil {
		return Scratch{}, err
	}
	s := Scratch{filepath.Join(dir, name)}
	if err := os.WriteFile(s.Path, []byte(text), 0o600); err != nil {
		return Scratch{}, errors.Join(err, s.Remove())
	}
	return s, nil
}

// Read is what the file holds now: a regular file of at most limit bytes.
func (s Scratch) Read(limit int64) ([]byte, error) {
	info, err := os.Lstat(s.Path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("read %s: not a regular file of at most %d KiB", s.Path, limit>>10)
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// Remove removes the file and whatever is beside it.
func (s Scratch) Remove() error { return os.RemoveAll(filepath.Dir(s.Path)) }
