package tool

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAKeptFingerprintComparesLikeTheFirst(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.go", "计划.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o700); err != nil {
		t.Fatal(err)
	}
	first, err := Fingerprint(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := first.Encode(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, of, err := DecodePrint(b)
	if err != nil || of != dir {
		t.Fatal(of, err)
	}
	if d := again.Diff(first); len(d) != 0 {
		t.Errorf("it differs in %v", d)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("xy"), 0o600); err != nil {
		t.Fatal(err)
	}
	now, err := Fingerprint(t.Context(), dir)
	if d := again.Diff(now); err != nil || len(d) != 1 || d[0] != "a.go" {
		t.Errorf("changed: %v, %v", d, err)
	}
}

func FuzzDecodePrint(f *testing.F) {
	b, err := Print{files: map[string]stamp{"a": {size: 1}}}.Encode("/x")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte("nope"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, _, err := DecodePrint(b); err == nil {
			p.Diff(Print{})
		}
	})
}
