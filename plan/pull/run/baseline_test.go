package run

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTheAuditNamesWhatTheRunWasNotAllowedToChange(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, dir string)
		want   []string
	}{
		{"nothing", func(*testing.T, string) {}, nil},
		{"the review file", func(t *testing.T, dir string) { writeFile(t, dir, "r.md", "x") }, nil},
		{"a source file", func(t *testing.T, dir string) { writeFile(t, dir, "a.go", "package b\n") }, []string{"changed: a.go"}},
		{"a new file", func(t *testing.T, dir string) { writeFile(t, dir, "new 中.go", "") }, []string{"changed: new 中.go"}},
		{"a file that was changed before", func(t *testing.T, dir string) { writeFile(t, dir, "dirty.txt", "more") }, []string{"changed further: dirty.txt"}},
		{"a changed file taken away", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "dirty.txt")) }, []string{"no longer changed: dirty.txt"}},
		{"the configuration", func(t *testing.T, dir string) { runGit(t, dir, "config", "user.name", "x") }, []string{"the configuration of git changed"}},
		{"a commit", func(t *testing.T, dir string) { commit(t, dir, "second") }, []string{"HEAD moved", "no longer changed: dirty.txt", "references changed"}},
		{"a branch", func(t *testing.T, dir string) { runGit(t, dir, "checkout", "-q", "-b", "other") }, []string{"references changed", "the branch changed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := newRepo(t, true)
			writeFile(t, dir, "dirty.txt", "before")
			w := open(t, dir)
			before, err := w.Capture(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			f := makeFolder(t, w)
			if err := f.Write("context.txt", []byte("x")); err != nil {
				t.Fatal(err)
			}
			tt.change(t, dir)
			got, err := w.Audit(t.Context(), before, "r.md")
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestLookingAtAWorkspaceLeavesTheIndexAlone(t *testing.T) {
	dir := newRepo(t, true)
	writeFile(t, dir, "a.go", "package a\n") // touched, so that a plain status would refresh
	index := filepath.Join(dir, ".git", "index")
	before, err := os.Stat(index)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Capture(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(index)
	if err != nil || !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after) {
		t.Errorf("the index was written: %v, %v, %v", before.ModTime(), after.ModTime(), err)
	}
}

func TestAWorkspaceBelowTheTopKnowsItsReviewFile(t *testing.T) {
	dir := newRepo(t, true)
	writeFile(t, dir, "sub/b.go", "package b\n")
	commit(t, dir, "sub")
	w := open(t, filepath.Join(dir, "sub"))
	before, err := w.Capture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "sub/r.md", "x")
	writeFile(t, dir, "r.md", "x")
	got, err := w.Audit(t.Context(), before, "r.md")
	if err != nil || !slices.Equal(got, []string{"changed: r.md"}) {
		t.Errorf("got %q, %v", got, err)
	}
}
