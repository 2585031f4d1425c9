package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
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

func TestCopiesOfSettingsAreListedTheNewestFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	if got := SettingsCopies(path); got != nil {
		t.Errorf("of no file: %q", got)
	}
	content := "a"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, next := range []string{"b", "c", "a", "d"} {
		kept, err := ReplaceSettings(path, []byte(content), []byte(next))
		if err != nil {
			t.Fatal(err)
		}
		if i < 3 { // the copy of "a" is made first and needed again last
			old := time.Unix(int64(1000+i), 0)
			if err := os.Chtimes(kept, old, old); err != nil {
				t.Fatal(err)
			}
		}
		content = next
	}
	if got := bytes.Join(SettingsCopies(path), nil); string(got) != "acb" {
		t.Errorf("%q", got)
	}
	if err := RemoveSettings(path, []byte("other")); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that changed: %v", err)
	}
	if err := RemoveSettings(path, []byte("d")); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("it is still there")
	}
}
