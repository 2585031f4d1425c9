package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// maxDraft is the size of the largest review file that is compared.
const maxDraft = 64 << 20

// The ways in which a review file is not written.
var (
	// ErrRefused reports that the file was left as it is.
	ErrRefused = errors.New("the review file was left as it is")
	// ErrUncertain reports that the file may or may not be as wanted.
	ErrUncertain = errors.New("it is not known what the review file holds")
)

// Sum is the SHA-256 of data in lower-case hex.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Render makes the file output of the workspace hold exactly draft and returns its
// hash. Without replace the file must not exist; with it the file must still have
// that hash. An error wraps ErrRefused when nothing was changed and ErrUncertain when
// that cannot be said.
func (f *Folder) Render(output string, draft []byte, replace string) (string, error) {
	if err := f.Write(temporary, draft); err != nil {
		return "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	back, err := readRegular(f.root, temporary, maxDraft)
	if err != nil || !bytes.Equal(back, draft) {
		return "", fmt.Errorf("%w: read back %s: %w", ErrRefused, temporary, errors.Join(err, errDiffers(err)))
	}
	if replace == "" {
		err = f.create(output, draft)
	} else {
		err = f.replace(output, replace)
	}
	if err != nil {
		return "", err
	}
	if err := f.w.syncFolder(f.w.root, path.Dir(output)); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUncertain, err)
	}
	got, err := readRegular(f.w.root, output, maxDraft)
	if err != nil || !bytes.Equal(got, draft) {
		return "", fmt.Errorf("%w: read back %s: %w", ErrUncertain, output, errors.Join(err, errDiffers(err)))
	}
	return Sum(draft), nil
}

func errDiffers(err error) error {
	if err != nil {
		return nil
	}
	return errors.New("other bytes than were written")
}

// create gives the file its name by a hard link, which is there whole or not at all
// and never takes the place of another.
func (f *Folder) create(output string, draft []byte) error {
	if err := f.w.CheckTarget(output); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err := f.root.Chmod(temporary, 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	err := f.w.root.Link(path.Join(f.name, temporary), output)
	switch {
	case err == nil:
		return f.forget(output)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: %s %w", ErrRefused, output, ErrExists)
	}
	if err := writeNew(f.w.root, output, draft, 0o644); err != nil {
		return fmt.Errorf("%w: make %s: %w", ErrRefused, output, err)
	}
	return nil
}

// forget removes the name in the run folder, so that a later render does not write
// into the file that was handed out.
func (f *Folder) forget(output string) error {
	if err := f.root.Remove(temporary); err != nil {
		return fmt.Errorf("%w: unlink %s from %s: %w", ErrUncertain, temporary, output, err)
	}
	return nil
}

// replace takes the place of the file if it still has the recorded hash. A change
// by somebody else between that look and the rename is the one thing it cannot see.
func (f *Folder) replace(output, was string) error {
	if parent := path.Dir(output); parent != "." {
		if err := f.w.realFolders(parent); err != nil {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}
	if err := f.root.Chmod(temporary, 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	old, err := readRegular(f.w.root, output, maxDraft)
	if err != nil {
		return fmt.Errorf("%w: read %s: %w", ErrRefused, output, err)
	}
	if Sum(old) != was {
		return fmt.Errorf("%w: %s was changed since this run wrote it", ErrRefused, output)
	}
	if err := f.w.root.Rename(path.Join(f.name, temporary), output); err != nil {
		var link *os.LinkError
		if errors.As(err, &link) {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
		return fmt.Errorf("%w: %w", ErrUncertain, err)
	}
	return nil
}
