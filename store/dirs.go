package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/adrg/xdg"
)

// Dirs are the four directories of planmode.
type Dirs struct{ Config, Data, State, Run string }

// folder is our directory inside those that all programs share.
const folder = "planmode"

// below are the directories of a home of our own.
func below(home string) Dirs {
	return Dirs{
		Config: filepath.Join(home, "config"), Data: filepath.Join(home, "data"),
		State: filepath.Join(home, "state"), Run: filepath.Join(home, "run"),
	}
}

// Locate finds the directories: below PLANMODE_HOME if that is set, else where
// the XDG variables or the customs of the system say. Nothing is created.
func Locate(getenv func(string) string) (Dirs, error) {
	if home := getenv("PLANMODE_HOME"); home != "" {
		abs, err := filepath.Abs(home)
		if err != nil {
			return Dirs{}, fmt.Errorf("PLANMODE_HOME: %w", err)
		}
		return below(abs), nil
	}
	d := Dirs{
		Config: filepath.Join(choose(getenv("XDG_CONFIG_HOME"), xdg.ConfigHome), folder),
		Data:   filepath.Join(choose(getenv("XDG_DATA_HOME"), xdg.DataHome), folder),
		State:  filepath.Join(choose(getenv("XDG_STATE_HOME"), xdg.StateHome), folder),
		Run:    runDir(getenv),
	}
	for _, path := range []string{d.Config, d.Data, d.State} {
		if !filepath.IsAbs(path) {
			return Dirs{}, errors.New("find the home directory: set HOME or PLANMODE_HOME")
		}
	}
	return d, nil
}

// choose follows the XDG rule that a relative path is as good as none.
func choose(set, fallback string) string {
	if filepath.IsAbs(set) {
		return set
	}
	return fallback
}

// runDir must exist already to be used: it is wiped at log-out by whoever made
// it. A directory of our own below the temporary one stands in.
func runDir(getenv func(string) string) string {
	base := choose(getenv("XDG_RUNTIME_DIR"), xdg.RuntimeDir)
	if st, err := os.Stat(base); err == nil && st.IsDir() && filepath.IsAbs(base) {
		return filepath.Join(base, folder)
	}
	temp := choose(getenv("TMPDIR"), os.TempDir())
	return filepath.Join(temp, folder+"-"+strconv.Itoa(max(os.Getuid(), 0)))
}

// PrivateDir makes the directory at path, for this user only. A symlink, or a
// directory that belongs to somebody else, is refused: in a temporary directory
// that all users share, anybody could have put it there.
func PrivateDir(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("create %s: %w", path, err)
	}
	st, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("check %s: %w", path, err)
	}
	if !st.IsDir() || !ownedByUs(st) {
		return fmt.Errorf("check %s: %w of this user", path, ErrSymlink)
	}
	if st.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, dirMode); err != nil {
			return fmt.Errorf("make %s private: %w", path, err)
		}
	}
	return nil
}
