package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newChange makes a repository with a change between main and topic.
func newChange(t *testing.T) string {
	t.Helper()
	dir := newRepo(t, true)
	writeFile(t, dir, "old name.go", "package a\n\nfunc one() {}\n\nfunc two() {}\n\nfunc three() {}\n")
	writeFile(t, dir, "gone.txt", "gone\n")
	commit(t, dir, "base")
	runGit(t, dir, "checkout", "-q", "-b", "topic")
	runGit(t, dir, "mv", "old name.go", "new 名.go")
	writeFile(t, dir, "a.go", "package a\n\n// Added.\nvar A = 1\n")
	writeFile(t, dir, "bin", "\x00\x01")
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	commit(t, dir, "Change things\n\nFor a reason.")
	runGit(t, dir, "checkout", "-q", "main")
	writeFile(t, dir, "later.go", "package a\n")
	commit(t, dir, "main goes on")
	return dir
}

func TestARangeIsWhatTheHeadHasAndTheBaseHasNot(t *testing.T) {
	dir := newChange(t)
	r, err := open(t, dir).Range(t.Context(), "main..topic")
	if err != nil {
		t.Fatal(err)
	}
	want := []Changed{
		{Path: "a.go", Status: "modified", Added: 3},
		{Path: "bin", Status: "added", Binary: true},
		{Path: "gone.txt", Status: "removed", Deleted: 1},
		{Path: "new 名.go", Previous: "old name.go", Status: "renamed"},
	}
	if !slices.Equal(r.Files, want) {
		t.Errorf("files:\n%+v\nwant\n%+v", r.Files, want)
	}
	if r.Base == r.BaseTip || r.Subject != "Change things" || !strings.Contains(r.Message, "For a reason.") {
		t.Errorf("base %s, tip %s, subject %q", r.Base, r.BaseTip, r.Subject)
	}
	patch, err := r.Patch(t.Context(), "a.go")
	if err != nil || patch != "@@ -1 +1,4 @@\n package a\n+\n+// Added.\n+var A = 1" {
		t.Errorf("patch %q, %v", patch, err)
	}
	for _, name := range []string{"new 名.go", "bin", "absent"} {
		if patch, err := r.Patch(t.Context(), name); err != nil || patch != "" {
			t.Errorf("%s: patch %q, %v", name, patch, err)
		}
	}
	if got, err := r.File(t.Context(), "gone.txt", r.Base); err != nil || string(got) != "gone\n" {
		t.Errorf("at the base: %q, %v", got, err)
	}
	if _, err := r.File(t.Context(), "gone.txt", r.Head); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("at the head: %v", err)
	}
	if _, err := r.File(t.Context(), "later.go", r.BaseTip); err == nil {
		t.Error("a commit that is no end of the change was read")
	}
	if found, err := r.Find(t.Context(), "var A", r.Head); err != nil || string(found) != "a.go:4:var A = 1\n" {
		t.Errorf("found %q, %v", found, err)
	}
	if names, err := r.List(t.Context(), "", r.Head); err != nil || !slices.Contains(names, "new 名.go") {
		t.Errorf("list %q, %v", names, err)
	}
}

func TestARangeKeepsItsCommitsAndTellsThatTheNamesMoved(t *testing.T) {
	dir := newChange(t)
	r, err := open(t, dir).Range(t.Context(), "main...topic")
	if err != nil {
		t.Fatal(err)
	}
	if moved, err := r.Drift(t.Context()); err != nil || moved != "" {
		t.Errorf("at once: %q, %v", moved, err)
	}
	writeFile(t, dir, "more.go", "package a\n")
	commit(t, dir, "main goes on again")
	if moved, err := r.Drift(t.Context()); err != nil || !strings.HasPrefix(moved, "main moved from ") {
		t.Errorf("after a commit: %q, %v", moved, err)
	}
}

func TestWhatIsNoRangeIsRefused(t *testing.T) {
	w := open(t, newChange(t))
	for _, spec := range []string{"", "main", "..", "main..", "..topic", "--all..topic", "main..-x", "main..absent", "main:a.go..topic"} {
		if r, err := w.Range(t.Context(), spec); err == nil {
			t.Errorf("%q: %+v", spec, r)
		}
	}
}
