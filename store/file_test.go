package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "notes.md"), filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("keep"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, path); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two"} {
		if err := ReplaceFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("got %q, %v", b, err)
		}
	}
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() || st.Mode().Perm() != 0o600 {
		t.Errorf("not a private file: %v, %v", st.Mode(), err)
	}
	if b, _ := os.ReadFile(other); string(b) != "keep" {
		t.Errorf("the target of the link was written: %q", b)
	}
}

func TestReplaceFileLeavesNothingBehindWhenItFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "notes.md")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceFile(path, []byte("x")); err == nil {
		t.Error("a directory was replaced")
	}
	if err := ReplaceFile(filepath.Join(dir, "missing", "notes.md"), []byte("x")); err == nil {
		t.Error("a directory was made")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
