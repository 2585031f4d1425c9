package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/store"
)

func TestOrphansAreNeverInTheWay(t *testing.T) {
	put := func(t *testing.T, s *store.Store, id plan.ID, make func(path string) error) string {
		t.Helper()
		path := s.RevisionPath(plan.Ref{Plan: id, Revision: 2})
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	for name, c := range map[string]struct {
		make  func(string) error
		aside string // pattern of the name it is kept under
	}{
		"one with the same bytes is adopted":       {file("# Two\n"), ""},
		"one with other bytes is set aside":        {file("# Other\n"), ".orphan-????????-r2.md"},
		"a cut one is set aside":                   {file("# T"), ".orphan-????????-r2.md"},
		"an empty one is set aside":                {file(""), ".orphan-????????-r2.md"},
		"one that is too large is set aside":       {file(strings.Repeat("x", 300<<10)), ".orphan-unreadable-r2.md"},
		"a symlink to the same bytes is set aside": {func(path string) error { return os.Symlink("r1.md", path) }, ".orphan-unreadable-r2.md"},
		"a directory is set aside":                 {func(path string) error { return os.Mkdir(path, 0o700) }, ".orphan-unreadable-r2.md"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openIn(t, t.TempDir(), store.Options{})
			m, _ := submit(t, s, first("# One\n"))
			path := put(t, s, m.PlanID, c.make)
			_, ref := submit(t, s, next(m.PlanID, 1, "# Two\n"))
			if b, err := s.Revision(ref); err != nil || string(b) != "# Two\n" || ref.Revision != 2 {
				t.Errorf("%s is %q, %v", ref, b, err)
			}
			kept, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".orphan-*"))
			if c.aside == "" && len(kept) != 0 || c.aside != "" && len(kept) != 1 {
				t.Fatalf("set aside: %v", kept)
			}
			if c.aside != "" {
				if ok, _ := filepath.Match(c.aside, filepath.Base(kept[0])); !ok {
					t.Errorf("set aside as %s", kept[0])
				}
			}
		})
	}
	t.Run("two with the same bytes are both kept", func(t *testing.T) {
		s := openIn(t, t.TempDir(), store.Options{})
		m, _ := submit(t, s, first("# One\n"))
		for range 2 {
			path := put(t, s, m.PlanID, file("# Other\n"))
			if err := os.Rename(path, strings.Replace(path, "r2.md", fmt.Sprintf("r%d.md", currentOf(t, s, m.PlanID)+1), 1)); err != nil {
				t.Fatal(err)
			}
			n := currentOf(t, s, m.PlanID)
			submit(t, s, next(m.PlanID, n, fmt.Sprintf("# %d\n", n)))
		}
		kept, _ := filepath.Glob(filepath.Join(filepath.Dir(s.RevisionPath(plan.Ref{Plan: m.PlanID, Revision: 1})), ".orphan-*"))
		if len(kept) != 2 {
			t.Errorf("kept %v", kept)
		}
	})
}

func TestSymlinksAreRefused(t *testing.T) {
	setup := func(t *testing.T) (*store.Store, plan.Manifest, plan.Ref, string) {
		s := openIn(t, t.TempDir(), store.Options{})
		m, ref := submit(t, s, first("# One\n"))
		return s, m, ref, filepath.Dir(filepath.Dir(s.RevisionPath(ref)))
	}
	swap := func(t *testing.T, path string) { // path becomes a link to an equal copy elsewhere
		t.Helper()
		away := filepath.Join(t.TempDir(), "away")
		if err := os.Rename(path, away); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(away, path); err != nil {
			t.Fatal(err)
		}
	}
	for name, part := range map[string]string{
		"the plan":      "",
		"the revisions": "revisions",
		"the revision":  "revisions/r1.md",
		"the plans":     "..",
	} {
		t.Run(name+" as a link gives no approval and no submission", func(t *testing.T) {
			s, m, ref, dir := setup(t)
			swap(t, filepath.Join(dir, part))
			if _, err := s.Revision(ref); !errors.Is(err, store.ErrSymlink) {
				t.Errorf("read: %v", err)
			}
			if _, err := s.Decide(m.PlanID, approve(ref)); !errors.Is(err, store.ErrSymlink) {
				t.Errorf("approve: %v", err)
			}
			if part != "revisions/r1.md" {
				if _, _, err := s.Submit(next(m.PlanID, 1, "# Two\n")); !errors.Is(err, store.ErrSymlink) {
					t.Errorf("submit: %v", err)
				}
			}
		})
	}
	for _, name := range []string{"manifest.json", ".lock"} {
		t.Run(name+" as a link is refused", func(t *testing.T) {
			s, m, _, dir := setup(t)
			swap(t, filepath.Join(dir, name))
			if _, _, err := s.Submit(next(m.PlanID, 1, "# Two\n")); !errors.Is(err, store.ErrSymlink) {
				t.Errorf("submit: %v", err)
			}
		})
	}
	for _, name := range []string{"reviews", ".review"} {
		t.Run(name+" as a link is refused and its target untouched", func(t *testing.T) {
			s, m, _, dir := setup(t)
			target := t.TempDir()
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			_, err := s.ReviewDir(m.PlanID, "rv")
			if name == "reviews" {
				err = s.SaveReview(m.PlanID, 1, 1, []byte("x"))
			}
			if !errors.Is(err, store.ErrSymlink) {
				t.Errorf("got %v", err)
			}
			if left, _ := os.ReadDir(target); len(left) != 0 {
				t.Errorf("written through the link: %v", left)
			}
		})
	}
	t.Run("a draft as a link is refused and its target untouched", func(t *testing.T) {
		home := t.TempDir()
		s := openIn(t, home, store.Options{})
		target := filepath.Join(t.TempDir(), "target")
		if err := errors.Join(os.WriteFile(target, []byte("keep"), 0o644), s.SaveDraft("s1", "x"),
			os.Remove(filepath.Join(home, "data/drafts/s1.txt")), os.Symlink(target, filepath.Join(home, "data/drafts/s1.txt"))); err != nil {
			t.Fatal(err)
		}
		if err := s.SaveDraft("s1", "y"); !errors.Is(err, store.ErrSymlink) {
			t.Errorf("got %v", err)
		}
		if _, err := s.Draft("s1"); !errors.Is(err, store.ErrSymlink) {
			t.Errorf("got %v", err)
		}
		if b, _ := os.ReadFile(target); string(b) != "keep" {
			t.Errorf("the target holds %q", b)
		}
	})
}

func TestDamagedManifests(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	m, ref := submit(t, s, first("# One\n"))
	path := filepath.Join(filepath.Dir(filepath.Dir(s.RevisionPath(ref))), "manifest.json")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		old, new string
		want     error
	}{
		"a changed title is noticed":        {"OAuth migration", "OAuth migratiom", plan.ErrSum},
		"a newer version is left alone":     {`"version": 3`, `"version": 4`, plan.ErrNewerVersion},
		"a manifest that is cut is damaged": {string(good), string(good[:99]), plan.ErrManifest},
	} {
		t.Run(name, func(t *testing.T) {
			bad := []byte(strings.Replace(string(good), c.old, c.new, -1))
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, submitErr := s.Submit(next(m.PlanID, 1, "# Two\n"))
			_, decideErr := s.Decide(m.PlanID, approve(ref))
			_, readErr := s.Manifest(m.PlanID)
			for _, err := range []error{submitErr, decideErr, readErr} {
				if !errors.Is(err, c.want) {
					t.Errorf("got %v", err)
				}
			}
			if now, _ := os.ReadFile(path); !bytes.Equal(now, bad) {
				t.Error("a manifest that could not be read was overwritten")
			}
			if list, err := s.Plans(); err != nil || len(list) != 1 {
				t.Errorf("the list is %v, %v", list, err)
			}
		})
	}
}
