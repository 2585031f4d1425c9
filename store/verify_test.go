package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/store"
)

// decided leaves a plan of two revisions, with notes on the first and an approval
// of the second.
func decided(t testing.TB, home string) (*store.Store, plan.ID) {
	t.Helper()
	s := openIn(t, home, store.Options{})
	m, r1 := submit(t, s, first("# 一\n"))
	if err := s.SaveReview(m.PlanID, 1, 1, []byte("## plan-r1.md:1 ( )\nwhy?\n")); err != nil {
		t.Fatal(err)
	}
	d := approve(r1)
	d.Kind = plan.DecidedChanges
	if _, err := s.Decide(m.PlanID, d); err != nil {
		t.Fatal(err)
	}
	_, r2 := submit(t, s, next(m.PlanID, 1, "# Two\n"))
	d = approve(r2)
	d.Named = []plan.NamedFile{{Path: "a.go", Hash: plan.HashOf(nil)}, {Path: "b.go"}}
	if _, err := s.Decide(m.PlanID, d); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveBaseline(m.PlanID, "0123456789ab", []byte("what was there")); err != nil {
		t.Fatal(err)
	}
	return s, m.PlanID
}

func TestVerifyFindsEveryFlippedBit(t *testing.T) {
	home := t.TempDir()
	s, id := decided(t, home)
	v, err := s.Verify(id)
	if err != nil || len(v.Problems) != 0 || v.Revisions != 2 || v.Decisions != 2 {
		t.Fatalf("a good plan: %+v, %v", v, err)
	}
	top := filepath.Join(home, "data", "plans", string(id))
	for _, name := range []string{"manifest.json", "revisions/r1.md", "revisions/r2.md", "reviews/r1-1.md", "baseline/0123456789ab"} {
		path := filepath.Join(top, filepath.FromSlash(name))
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			// Every bit of a manifest is tried where that needs no disk: in package plan.
			bits := []int{0, 1, 2, 3, 4, 5, 6, 7}
			if name == "manifest.json" {
				bits = bits[i%8 : i%8+1]
			}
			for _, bit := range bits {
				bad := bytes.Clone(good)
				bad[i] ^= 1 << bit
				if err := os.WriteFile(path, bad, 0o600); err != nil {
					t.Fatal(err)
				}
				v, err := s.Verify(id)
				if err != nil || len(v.Problems) == 0 || v.Problems[0].File != name {
					t.Fatalf("bit %d of byte %d of %s (%q): %+v, %v", bit, i, name, bad[max(0, i-20):min(len(bad), i+20)], v.Problems, err)
				}
			}
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestVerifyNamesWhatDiffers(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(t *testing.T, top string)
		want   []string // of the first problem: file, what, expected, found
		rev    int
	}{
		"a changed revision": {func(t *testing.T, top string) {
			write(t, top+"/revisions/r2.md", "# Tow\n")
		}, []string{"revisions/r2.md", "hash", string(plan.HashOf([]byte("# Two\n"))), string(plan.HashOf([]byte("# Tow\n")))}, 2},
		"a revision that is gone": {func(t *testing.T, top string) {
			if err := os.Remove(top + "/revisions/r1.md"); err != nil {
				t.Fatal(err)
			}
		}, []string{"revisions/r1.md", "missing", string(plan.HashOf([]byte("# 一\n")))}, 1},
		"a link instead of a revision": {func(t *testing.T, top string) {
			write(t, top+"/copy.md", "# Two\n")
			if err := errors.Join(os.Remove(top+"/revisions/r2.md"), os.Symlink(top+"/copy.md", top+"/revisions/r2.md")); err != nil {
				t.Fatal(err)
			}
		}, []string{"revisions/r2.md", "no regular file"}, 2},
		"changed notes": {func(t *testing.T, top string) {
			write(t, top+"/reviews/r1-1.md", "never mind\n")
		}, []string{"reviews/r1-1.md", "hash"}, 1},
		"another title": {func(t *testing.T, top string) {
			edit(t, top+"/manifest.json", `"title": "OAuth migration",`, `"title": "OAuth migrations",`)
		}, []string{"manifest.json", "sum"}, 0},
		"a manifest that is no JSON": {func(t *testing.T, top string) {
			write(t, top+"/manifest.json", "nope")
		}, []string{"manifest.json", "manifest"}, 0},
		"a manifest of the future": {func(t *testing.T, top string) {
			edit(t, top+"/manifest.json", `"version": 3`, `"version": 9`)
		}, []string{"manifest.json", "version"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			s, id := decided(t, home)
			c.damage(t, filepath.Join(home, "data", "plans", string(id)))
			v, err := s.Verify(id)
			if err != nil || len(v.Problems) == 0 {
				t.Fatal(v, err)
			}
			p := v.Problems[0]
			got := []string{p.File, p.What, p.Expected, p.Found}
			for i, want := range c.want {
				if got[i] != want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
			if p.Revision != c.rev {
				t.Errorf("revision %d, want %d", p.Revision, c.rev)
			}
		})
	}
}

func TestVerifyNotesWhatHasNoChecksum(t *testing.T) {
	home := t.TempDir()
	s, id := decided(t, home)
	write(t, filepath.Join(home, "data", "plans", string(id), "revisions", "r3.md"), "# Orphan\n")
	v, err := s.Verify(id)
	if err != nil || len(v.Problems) != 0 || len(v.Notes) != 1 || !strings.HasSuffix(v.Notes[0].File, "r3.md") {
		t.Errorf("%+v, %v", v, err)
	}
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func edit(t testing.TB, path, old, new string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%s has no %q: %v", path, old, err)
	}
	write(t, path, strings.Replace(string(b), old, new, 1))
}
