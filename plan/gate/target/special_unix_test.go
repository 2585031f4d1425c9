//go:build unix

package target

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestNothingSpecialIsOpened(t *testing.T) {
	root := tree(t, map[string]string{"real/plan.md": "# Real\n"})
	if err := syscall.Mkfifo(filepath.Join(root, "fifo.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"fifo-link.md": "fifo.md", "zero.md": "/dev/zero", "gone.md": "nowhere.md", "link.md": "real/plan.md", "loop.md": "loop.md"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Cwd: root}
	for name, want := range map[string]string{
		"fifo.md": "Not a regular file: ", "fifo-link.md": "Not a regular file: ", "zero.md": "Not a regular file: ", "gone.md": "File not found: ", "loop.md": "Cannot read ",
	} {
		if _, err := Resolve(t.Context(), o, []string{name}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	got, err := Resolve(t.Context(), o, []string{"link.md"})
	if err != nil || got.Path != filepath.Join(root, "real", "plan.md") {
		t.Errorf("through a link: %+v, %v", got, err)
	}
	if got, err := Resolve(t.Context(), o, []string{"."}); err != nil || len(got.Parts) != 1 {
		t.Errorf("a folder follows links: %+v, %v", got.Parts, err)
	}
}

func TestAnUnreadableFileIsAnError(t *testing.T) {
	if _, err := contents("/proc/self/mem"); err == nil {
		t.Error("an error of the system was lost")
	}
}
