package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func commitAll(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.email=a@b", "-c", "user.name=x", "commit", "-qm", "x", "--allow-empty"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

func TestChangedNamesWhatDiffersFromACommit(t *testing.T) {
	dir := t.TempDir()
	put := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(".gitignore", "out/\n")
	put("kept.go", "1")
	put("changed.go", "1")
	put("gone.go", "1")
	commitAll(t, dir)
	repo := Open(dir)
	head, err := repo.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put("changed.go", "2")
	put("committed.go", "1")
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	commitAll(t, dir)
	put("计 划.md", "new")
	put("out/built", "x")
	got, err := repo.Changed(t.Context(), head)
	want := []string{"changed.go", "committed.go", "gone.go", "计 划.md"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if got := repo.Unignored(t.Context(), []string{"changed.go", "out/built", "x.go"}); !slices.Equal(got, []string{"changed.go", "x.go"}) {
		t.Errorf("not ignored: %q", got)
	}
	if yes, err := repo.Follows(t.Context(), head); err != nil || !yes {
		t.Errorf("follows: %v, %v", yes, err)
	}
	for _, bad := range []string{"", "--output=x", "HEAD"} {
		if _, err := repo.Changed(t.Context(), bad); err == nil {
			t.Errorf("%q was taken for a commit", bad)
		}
		if _, err := repo.Follows(t.Context(), bad); err == nil {
			t.Errorf("%q was taken for a commit", bad)
		}
	}
	if _, err := Open(t.TempDir()).Changed(t.Context(), head); err == nil {
		t.Error("no repository is no error")
	}
}
