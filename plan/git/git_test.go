package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository makes a repository with one commit, by the git command itself.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "one\n")
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"},
	} {
		raw(t, dir, args...)
	}
	return dir
}

func raw(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestHeadAndBranch(t *testing.T) {
	dir := repository(t)
	want := raw(t, dir, "rev-parse", "HEAD")
	sub := filepath.Join(dir, "deep", "down")
	write(t, filepath.Join(sub, "f"), "")

	for _, at := range []string{dir, sub} {
		if got, err := Open(at).Head(t.Context()); err != nil || got != want {
			t.Errorf("head in %s: %q, %v", at, got, err)
		}
		if got, err := Open(at).Branch(t.Context()); err != nil || got != "main" {
			t.Errorf("branch in %s: %q, %v", at, got, err)
		}
	}

	linked := filepath.Join(t.TempDir(), "linked")
	raw(t, dir, "worktree", "add", "-q", "-b", "feature/x", linked)
	if got, err := Open(linked).Branch(t.Context()); err != nil || got != "feature/x" {
		t.Errorf("branch of a linked work tree: %q, %v", got, err)
	}
	raw(t, dir, "checkout", "-q", "--detach")
	if got, err := Open(dir).Branch(t.Context()); err != nil || got != want[:8] {
		t.Errorf("branch of a detached head: %q, %v", got, err)
	}
}

func TestBranchOfOddRepositories(t *testing.T) {
	for _, c := range []struct{ name, head, want, failure string }{
		{"a branch before its first commit", "ref: refs/heads/new\n", "new", ""},
		{"escape sequences are not for the screen", "ref: refs/heads/a\x1b[31mb\n", "ab", ""},
		{"a name without end is cut", "ref: refs/heads/" + strings.Repeat("x", 3000), strings.Repeat("x", 99) + "…", ""},
		{"a head that is neither", "hello", "", "neither"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, ".git", "HEAD"), c.head)
			got, err := Open(dir).Branch(t.Context())
			if got != c.want || (err == nil) != (c.failure == "") {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	if _, err := Open("/").Branch(t.Context()); !errors.Is(err, ErrNoRepository) {
		t.Errorf("outside any repository: %v", err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".git", "HEAD", "x"), "")
	if _, err := Open(dir).Branch(t.Context()); err == nil {
		t.Error("a directory in the place of HEAD gave a branch")
	}
}

func TestARepositoryRunsNothing(t *testing.T) {
	dir := repository(t)
	trap := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "trap")
	write(t, script, "#!/bin/sh\necho \"$0 $*\" >> "+trap+"\ncat\n")
	for _, kv := range [][2]string{
		{"core.fsmonitor", script}, {"core.pager", script}, {"diff.external", script}, {"filter.evil.clean", script},
		{"filter.evil.process", script}, {"filter.evil.required", "true"}, {"diff.evil.textconv", script}, {"diff.evil.command", script},
		{"core.hooksPath", filepath.Dir(script)}, {"core.sshCommand", script}, {"alias.status", "!" + script}, {"gpg.program", script},
		{"log.showSignature", "true"}, {"core.editor", script}, {"core.alternateRefsCommand", script},
	} {
		raw(t, dir, "config", kv[0], kv[1])
	}
	write(t, filepath.Join(dir, ".gitattributes"), "* filter=evil diff=evil\n")
	write(t, filepath.Join(dir, "a.txt"), "two\n")
	t.Setenv("GIT_EXTERNAL_DIFF", script)
	t.Setenv("GIT_PAGER", script)
	repo := Open(dir)
	for _, args := range [][]string{
		{"status", "--porcelain"}, {"diff"}, {"diff", "HEAD"}, {"show", "HEAD"}, {"log", "-p"}, {"blame", "a.txt"},
		{"ls-files", "-m"}, {"describe", "--always"}, {"whatchanged", "-p", "-m"}, {"rev-parse", "HEAD"},
	} {
		if _, err := repo.Run(t.Context(), args...); err != nil {
			t.Errorf("git %v: %v", args, err)
		}
		if b, err := os.ReadFile(trap); err == nil {
			t.Fatalf("git %v ran %s", args, b)
		}
	}
	out, err := repo.Run(t.Context(), "diff", "--", "a.txt")
	if err != nil || !strings.Contains(string(out), "+two") {
		t.Errorf("the disarmed diff lost its content: %q, %v", out, err)
	}

	plain := exec.Command("git", "diff")
	plain.Dir = dir
	_ = plain.Run() // it may fail; the question is what it ran
	if _, err := os.Stat(trap); err != nil {
		t.Error("the trap does not work: plain git did not run it either")
	}
}

func TestRunRefusesWhatDoesMoreThanLook(t *testing.T) {
	dir := repository(t)
	for _, args := range [][]string{
		{}, {"commit"}, {"push"}, {"config", "a.b", "c"}, {"-c", "a=b", "status"}, {"diff", "--output=x"}, {"diff", "--outp=x"},
		{"log", "--ext-diff"}, {"log", "--ext"}, {"symbolic-ref", "HEAD", "refs/heads/x"}, {"symbolic-ref", "-d", "HEAD"},
		{"symbolic-ref", "--delete", "HEAD"}, {"cat-file", "--textconv", "HEAD:a.txt"}, {"stranger"}, {"describe", "--dirty"},
	} {
		if _, err := Open(dir).Run(t.Context(), args...); !errors.Is(err, ErrRefused) {
			t.Errorf("git %v: %v", args, err)
		}
	}
}

func TestRunReportsFailures(t *testing.T) {
	var failed *Error
	_, err := Open(t.TempDir()).Run(t.Context(), "status")
	if !errors.As(err, &failed) || failed.Subcommand == "" || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside a repository: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(repository(t)).Head(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

func TestEnvironmentIsOurs(t *testing.T) {
	got := environment([]string{"PATH=/bin", "GIT_DIR=/x", "git_ssh=y", "SSH_ASKPASS=z", "OPENAI_API_KEY=k", "LC_ALL=zh_CN.UTF-8"})
	joined := strings.Join(got, " ")
	for _, bad := range []string{"GIT_DIR", "git_ssh", "SSH_ASKPASS", "OPENAI", "zh_CN"} {
		if strings.Contains(joined, bad) {
			t.Errorf("%s is in %q", bad, joined)
		}
	}
	if !strings.Contains(joined, "PATH=/bin") || !strings.Contains(joined, "GIT_ALLOW_PROTOCOL=none") {
		t.Errorf("got %q", joined)
	}
}

func BenchmarkBranch(b *testing.B) {
	dir := b.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Open(dir).Branch(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
