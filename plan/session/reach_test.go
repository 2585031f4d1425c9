package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/git"
)

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.email=a@b", "-c", "user.name=x", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestNamedFilesAreThoseOfTheTree(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "cart/cart.go", "package cart\n")
	put(t, dir, "dir.d/x", "")
	outside := filepath.Join(t.TempDir(), "secret.go")
	put(t, filepath.Dir(outside), "secret.go", "secret")
	if err := os.Symlink(outside, filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	got := namedFiles(dir, []byte("Change `cart/cart.go`, `new.go`, `link.go`, `dir.d/x`, `some/dir.d` and `nope/thing`; see `../x.go`.\n"))
	want := map[string]plan.Hash{
		"cart/cart.go": plan.HashOf([]byte("package cart\n")), "new.go": "", "link.go": "", "some/dir.d": "",
	}
	for _, f := range got {
		h, ok := want[f.Path]
		if !ok || h != f.Hash {
			t.Errorf("%+v", f)
		}
		delete(want, f.Path)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

func TestStaleSaysWhatChangedSinceTheApproval(t *testing.T) {
	dir := t.TempDir()
	runGit(t, dir, "init", "-q", "-b", "main")
	put(t, dir, "a.go", "1")
	put(t, dir, "b.go", "1")
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-qm", "one")
	repo := git.Open(dir)
	head, err := repo.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a := plan.Decision{Head: head, Named: namedFiles(dir, []byte("`a.go` `b.go` `new.go`"))}
	check := func(want ...string) {
		t.Helper()
		got := stale(t.Context(), repo, dir, a).lines()
		if len(got) != len(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
	check()
	put(t, dir, "a.go", "2")
	check("1 file of 3 that the plan names changed since the approval: a.go")
	put(t, dir, "new.go", "x")
	check("2 files of 3")
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-qm", "two")
	check("HEAD moved on since the approval", "2 files of 3")
	runGit(t, dir, "checkout", "-q", "--orphan", "other")
	runGit(t, dir, "commit", "-qm", "three")
	check("where the plan was approved", "2 files of 3")
	a.Head = strings.Repeat("1", 40)
	check("which is not here", "2 files of 3")
	if got := stale(t.Context(), git.Open(t.TempDir()), t.TempDir(), a).lines(); len(got) != 1 {
		t.Errorf("without a repository: %q", got)
	}
}
