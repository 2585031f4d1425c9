package store

import (
	"fmt"
	"os"
	"path/filepath"
)

// ReplaceFile writes a private file that is no part of the store, such as the
// notes of a reviewer or what is known of one: readers see the old or the new
// content, also after a crash. A link at path is replaced, not followed. There
// is no lock: of two writers the later one wins, whole.
func ReplaceFile(path string, content []byte) error {
	if err := replaceFile(path, content); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func replaceFile(path string, content []byte) (err error) {
	folder := filepath.Dir(path)
	h, err := openHandle(folder)
	if err != nil {
		return err
	}
	d := dir{handle: h, path: folder}
	defer d.close()
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+".tmp-") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return d.syncDir()
}
