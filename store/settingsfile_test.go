package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestSettingsOfAnotherProgramAreReplaced(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles", "settings.json")
	link := filepath.Join(dir, "home", "settings.json")
	for _, d := range []string{filepath.Dir(real), filepath.Dir(link)} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(real, []byte("a"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	kept, err := ReplaceSettings(link, []byte("a"), []byte("b"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{real: "b", link: "b", kept: "a"} {
		if b, err := os.ReadFile(path); err != nil || string(b) != want {
			t.Errorf("%s holds %q, %v", path, b, err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v %v", info, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if _, err := ReplaceSettings(link, []byte("a"), []byte("c")); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that changed: %v", err)
	}
	fresh := filepath.Join(dir, "new", "settings.json")
	if kept, err := ReplaceSettings(fresh, nil, []byte("x")); err != nil || kept != "" {
		t.Errorf("%q %v", kept, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", "*.tmp")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
