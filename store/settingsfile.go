package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// settingsBefore marks the copy of another program's settings as they were.
const settingsBefore = ".before-planmode"

// ReplaceSettings writes the settings file of another program, whose content the
// caller has read as before and changed to after. Readers see the old or the new. It
// refuses with ErrChanged when the file is no longer before. What was there is kept
// beside it under the name that is returned; a link is followed, since people link
// their settings from elsewhere, and the mode stays.
func ReplaceSettings(path string, before, after []byte) (kept string, err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o600)
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no regular file", path)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	if len(before) > 0 {
		if kept, err = keepBefore(path, before); err != nil {
			return "", err
		}
	}
	temp := path + ".planmode-" + strconv.Itoa(os.Getpid()) + ".tmp"
	if err := writeWhole(temp, after, nil); err != nil {
		_ = os.Remove(temp)
		return kept, err
	}
	if err := os.Chmod(temp, mode); err != nil {
		_ = os.Remove(temp)
		return kept, err
	}
	if now, err := os.ReadFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(now, before) {
		_ = os.Remove(temp)
		return kept, errors.Join(ErrChanged, err)
	}
	if err := os.Rename(temp, path); err != nil {
		_ = os.Remove(temp)
		return kept, err
	}
	return kept, nil
}

// keepBefore writes the copy under the first name that is free or holds it already.
func keepBefore(path string, before []byte) (string, error) {
	for i := 1; ; i++ {
		name := path + settingsBefore
		if i > 1 {
			name += "-" + strconv.Itoa(i)
		}
		err := writeWhole(name, before, nil)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			_ = os.Remove(name) // half a copy is none
			return "", err
		}
		if have, rerr := os.ReadFile(name); rerr == nil && bytes.Equal(have, before) {
			now := time.Now()
			_ = os.Chtimes(name, now, now) // SettingsCopies goes by it, and only there
			return name, nil
		}
	}
}

// SettingsCopies is what ReplaceSettings kept beside a settings file, the newest first.
// What cannot be read is left out.
func SettingsCopies(path string) [][]byte {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	type copied struct {
		at   time.Time
		data []byte
	}
	var all []copied
	for i := 1; ; i++ {
		name := path + settingsBefore
		if i > 1 {
			name += "-" + strconv.Itoa(i)
		}
		info, err := os.Lstat(name)
		if err != nil {
			break
		}
		if !info.Mode().IsRegular() {
			continue
		}
		if b, err := os.ReadFile(name); err == nil {
			all = append(all, copied{info.ModTime(), b})
		}
	}
	slices.SortStableFunc(all, func(a, b copied) int { return b.at.Compare(a.at) })
	var out [][]byte
	for _, c := range all {
		out = append(out, c.data)
	}
	return out
}

// RemoveSettings removes a settings file that holds nothing but what this program put
// there. It refuses with ErrChanged when it is no longer as before, or is a link.
func RemoveSettings(path string, before []byte) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	now, err := os.ReadFile(path)
	if err != nil || !info.Mode().IsRegular() || !bytes.Equal(now, before) {
		return errors.Join(ErrChanged, err)
	}
	return os.Remove(path)
}
