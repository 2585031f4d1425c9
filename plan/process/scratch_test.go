package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := NewScratch("note.md", "before")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := s.Read(10); err != nil || string(b) != "before" {
		t.Errorf("got %q, %v", b, err)
	}
	if err := os.WriteFile(s.Path, []byte("as an editor left it"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Read(1 << 10); err != nil || string(b) != "as an editor left it" {
		t.Errorf("got %q, %v", b, err)
	}
	if _, err := s.Read(10); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a file beyond the limit was read: %v", err)
	}
	if err := s.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(s.Path)); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
}
