package run

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAReviewFileIsMadeOnceAndReplacedOnlyByItsOwnHash(t *testing.T) {
	dir := newRepo(t, true)
	f := makeFolder(t, open(t, dir))
	first, err := f.Render("r.md", []byte("one\n"), "")
	if err != nil || first != Sum([]byte("one\n")) {
		t.Fatalf("first: %q, %v", first, err)
	}
	if _, err := f.Render("r.md", []byte("two\n"), ""); !errors.Is(err, ErrRefused) || !errors.Is(err, ErrExists) {
		t.Errorf("a second time: %v", err)
	}
	second, err := f.Render("r.md", []byte("two\n"), first)
	if err != nil || readFile(t, dir, "r.md") != "two\n" {
		t.Fatalf("replace: %v", err)
	}
	writeFile(t, dir, "r.md", "mine\n")
	if _, err := f.Render("r.md", []byte("three\n"), second); !errors.Is(err, ErrRefused) {
		t.Errorf("over a file the person changed: %v", err)
	}
	if got := readFile(t, dir, "r.md"); got != "mine\n" {
		t.Errorf("the person's text became %q", got)
	}
	if left, err := f.Clean(); err != nil || len(left) != 0 {
		t.Errorf("clean: %q, %v", left, err)
	}
}

func TestAReviewFileNeverGoesThroughALink(t *testing.T) {
	dir := newRepo(t, true)
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"inside": "real", "dangling.md": "nowhere", "outside": t.TempDir()} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	f := makeFolder(t, open(t, dir))
	for _, name := range []string{"inside/r.md", "dangling.md", "outside/r.md", "absent/r.md", "../r.md"} {
		if _, err := f.Render(name, []byte("x"), ""); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := f.Render(name, []byte("x"), Sum(nil)); !errors.Is(err, ErrRefused) {
			t.Errorf("replace %s: %v", name, err)
		}
	}
	if _, err := f.Render("real/r.md", []byte("x"), ""); err != nil {
		t.Errorf("in a plain folder: %v", err)
	}
}
