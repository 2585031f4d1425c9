package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"planmode/plan/image"
	"planmode/plan/tree"
)

// ErrImageChanged reports an image whose bytes are not those that were kept.
var ErrImageChanged = errors.New("its bytes are not those that were attached")

// imageName is the file of an image beside the log name. Its end is part of a
// hash, so that no text names another file.
func imageName(name, hash string) (string, error) {
	digits, ok := strings.CutPrefix(hash, "sha256:")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is not the hash of an image", hash)
	}
	return name + imageSuffix + digits, nil
}

// KeepImage keeps the bytes of an image beside the log, under their hash. They are
// on the disk when it returns, so that an entry may name them. Bytes that are
// there already are kept once.
func (l *Log) KeepImage(data []byte) (hash string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(); err != nil {
		return "", fmt.Errorf("keep an image: %w", err)
	}
	if len(data) > image.MaxBytes {
		return "", fmt.Errorf("keep an image: %w: %d bytes, %d are allowed", ErrTooLarge, len(data), image.MaxBytes)
	}
	hash = image.Hash(data)
	name, err := imageName(l.name, hash)
	if err == nil {
		err = l.dir.keepImage(name, data)
	}
	if err != nil {
		return "", fmt.Errorf("keep an image: %w", err)
	}
	return hash, nil
}

// keepImage also puts right a file of that name with other bytes: it was damaged,
// since its name says what it should hold.
func (d *dir) keepImage(name string, data []byte) error {
	err := d.createOrSame(name, data)
	if errors.Is(err, fs.ErrExist) {
		return d.overwrite(name, data, synced)
	}
	return err
}

// Image reads the bytes of an image that is kept beside the log. The error wraps
// fs.ErrNotExist when it is gone, and ErrImageChanged when the file holds
// something else now.
func (l *Log) Image(hash string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fmt.Errorf("read image %s: session %s is closed", hash, l.header.Session)
	}
	return l.dir.readImage(l.name, hash)
}

func (d *dir) readImage(log, hash string) ([]byte, error) {
	name, err := imageName(log, hash)
	if err != nil {
		return nil, err
	}
	b, err := d.readFile(name, image.MaxBytes)
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, fmt.Errorf("read image %s: %w", d.join(name), ErrImageChanged)
	case err != nil:
		return nil, err
	case image.Hash(b) != hash:
		return nil, fmt.Errorf("read image %s: %w", d.join(name), ErrImageChanged)
	}
	return b, nil
}

// forkImages copies what the entries of a fork show from the session it comes
// from. What is gone or changed there is left out; it is said where it is missed.
func (s *Store) forkImages(d *dir, h tree.Header, entries []tree.Entry) error {
	var from *dir
	var id string
	for _, e := range entries {
		if e.Kind != tree.KindUser {
			continue
		}
		u, err := tree.Decode[tree.User](e)
		if err != nil {
			continue
		}
		for _, ref := range u.Images {
			if from == nil {
				if from, id, err = s.find(h.Parent); err != nil {
					return err
				}
				defer from.close()
			}
			if err := copyImage(d, h.Session+logSuffix, from, id+logSuffix, ref.Hash); err != nil {
				return err
			}
		}
	}
	return nil
}

func copyImage(to *dir, toLog string, from *dir, fromLog, hash string) error {
	b, err := from.readImage(fromLog, hash)
	if err != nil {
		return nil
	}
	name, err := imageName(toLog, hash)
	if err != nil {
		return err
	}
	return to.keepImage(name, b)
}

// CopyImages keeps what the marks of a text name in another session of this store
// as well, so that an unsent message keeps its images there.
func (l *Log) CopyImages(session string, marked []image.Marked) error {
	if len(marked) == 0 {
		return nil
	}
	d, id, err := l.store.find(session)
	if err != nil {
		return err
	}
	defer d.close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range marked {
		if err := copyImage(d, id+logSuffix, l.dir, l.name, m.Hash); err != nil {
			return fmt.Errorf("take image %s along to session %s: %w", m.Name, session, err)
		}
	}
	return nil
}
