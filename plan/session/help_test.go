package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFilesAreOfferedBestFirstWhateverTheCase(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"deep/er/readme_test.go", "store/logread.go", "README.md", "[odd]*.txt"} {
		full := filepath.Join(r.dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for part, want := range map[string][]string{
		"read":  {"README.md", "deep/er/readme_test.go", "store/logread.go"},
		"READM": {"README.md", "deep/er/readme_test.go"},
		"[odd]": {"[odd]*.txt"},
		"none":  nil,
	} {
		if got := r.Files(t.Context(), part); !slices.Equal(got, want) {
			t.Errorf("%q offers %q, want %q", part, got, want)
		}
	}
}
