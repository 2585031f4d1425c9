package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestNothingIsMadeWhereGitWouldSeeTheRunFolder(t *testing.T) {
	tests := []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  error
	}{
		{"no ignore line", func(*testing.T, string) {}, ErrNotIgnored},
		{"a later line takes it back", func(t *testing.T, dir string) {
			writeFile(t, dir, ".gitignore", ".handoffs/*\n!.handoffs/review-pull-request\n")
		}, ErrNotIgnored},
		{"the folder is a link", func(t *testing.T, dir string) {
			writeFile(t, dir, ".gitignore", ".handoffs\n")
			if err := os.Symlink(t.TempDir(), filepath.Join(dir, ".handoffs")); err != nil {
				t.Fatal(err)
			}
		}, ErrNoWorkspace},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := newRepo(t, false)
			tt.setup(t, dir)
			before := tree(t, dir)
			if err := open(t, dir).ProveIgnored(t.Context(), testID); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if after := tree(t, dir); !slices.Equal(before, after) {
				t.Errorf("the folder changed:\n%q\n%q", before, after)
			}
		})
	}
	if _, err := Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNoWorkspace) {
		t.Errorf("outside a repository: %v", err)
	}
}

func TestARunFolderIsNewAndPrivateAndLeavesNothing(t *testing.T) {
	dir := newRepo(t, true)
	before := tree(t, dir)
	w := open(t, dir)
	f := makeFolder(t, w)
	if _, err := w.Make(testID); err == nil {
		t.Error("the same id made a second folder")
	}
	if err := f.Write("context.txt", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := f.Write("context.txt", []byte("two")); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(dir, f.Name(), "context.txt")
	for p, want := range map[string]os.FileMode{full: 0o600, filepath.Dir(full): 0o700} {
		info, err := os.Stat(p)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", p, info.Mode(), err, want)
		}
	}
	if got, err := f.Read("context.txt"); err != nil || string(got) != "two" {
		t.Errorf("read %q, %v", got, err)
	}
	if left, err := f.Clean(); err != nil || len(left) != 0 {
		t.Errorf("clean: %q, %v", left, err)
	}
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Errorf("left behind: %q, was %q", after, before)
	}
}

func TestCleaningTouchesOnlyWhatTheRunMade(t *testing.T) {
	dir := newRepo(t, true)
	f := makeFolder(t, open(t, dir))
	for _, name := range []string{"context.txt", Receipts} {
		if err := f.Write(name, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	f.Keep(Receipts)
	writeFile(t, filepath.Join(dir, f.Name()), "foreign", "kept")
	if stray, err := f.Stray(); err != nil || !slices.Contains(stray, "foreign") {
		t.Errorf("stray: %q, %v", stray, err)
	}
	left, err := f.Clean()
	if err != nil || !slices.Equal(left, []string{"foreign", Receipts}) {
		t.Errorf("left %q, %v", left, err)
	}
	if got := readFile(t, filepath.Join(dir, f.Name()), "foreign"); got != "kept" {
		t.Errorf("foreign file: %q", got)
	}
	found, err := open(t, dir).Leftover()
	if err != nil || !slices.Equal(found, []string{f.Name() + "/" + Receipts}) {
		t.Errorf("leftover: %q, %v", found, err)
	}
}

func TestOnlyARegularPayloadOfFairSizeIsRead(t *testing.T) {
	dir := newRepo(t, true)
	f := makeFolder(t, open(t, dir))
	full := filepath.Join(dir, f.Name())
	writeFile(t, full, "large.txt", strings.Repeat("x", MaxPayload+1))
	if err := os.Mkdir(filepath.Join(full, "folder.txt"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("large.txt", filepath.Join(full, "link.txt")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"large.txt", "folder.txt", "link.txt", "absent.txt", "../../../a.go"} {
		if _, err := f.Read(name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	for _, name := range []string{"../a.go", "", ".", ".."} {
		if err := f.Write(name, nil); err == nil {
			t.Errorf("%q was written", name)
		}
	}
}

func TestARunIsNamedByItsTime(t *testing.T) {
	id := NewID(time.Date(2026, 12, 1, 3, 4, 5, 0, time.FixedZone("", 3600)))
	if err := checkID(id); err != nil || !strings.HasPrefix(id, "20261201T020405Z-") {
		t.Errorf("%q: %v", id, err)
	}
}

func TestADiskThatDoesNotKeepTheNamesIsAnError(t *testing.T) {
	dir := newRepo(t, true)
	w := open(t, dir)
	f := makeFolder(t, w)
	broken := errors.New("input/output error")
	w.syncDir = func(*os.File) error { return broken }
	if err := f.Write("context.txt", []byte("x")); !errors.Is(err, broken) {
		t.Errorf("write: %v", err)
	}
	if _, err := f.Render("r.md", []byte("x"), ""); !errors.Is(err, ErrUncertain) || !errors.Is(err, broken) {
		t.Errorf("render: %v", err)
	}
	if _, err := w.Make("20261201T034501Z-0123abcd"); !errors.Is(err, broken) {
		t.Errorf("make: %v", err)
	}
	w.syncDir = func(*os.File) error { return &os.PathError{Op: "sync", Err: syscall.EINVAL} }
	if err := f.Write("context.txt", []byte("x")); err != nil {
		t.Errorf("a file system that syncs no folders: %v", err)
	}
}
