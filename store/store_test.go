package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

func TestLocate(t *testing.T) {
	run := t.TempDir()
	for name, c := range map[string]struct {
		env  map[string]string
		want store.Dirs
	}{
		"PLANMODE_HOME holds all four": {
			map[string]string{"PLANMODE_HOME": "/p", "XDG_DATA_HOME": "/d"},
			store.Dirs{Config: "/p/config", Data: "/p/data", State: "/p/state", Run: "/p/run"},
		},
		"the XDG variables are followed": {
			map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": run},
			store.Dirs{Config: "/c/planmode", Data: "/d/planmode", State: "/s/planmode", Run: filepath.Join(run, "planmode")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := store.Locate(func(k string) string { return c.env[k] })
			if err != nil || got != c.want {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	t.Run("without variables every directory is absolute", func(t *testing.T) {
		d, err := store.Locate(func(k string) string { return map[string]string{"XDG_DATA_HOME": "relative"}[k] })
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{d.Config, d.Data, d.State, d.Run} {
			if !filepath.IsAbs(path) || !strings.Contains(path, "planmode") {
				t.Errorf("%q", path)
			}
		}
	})
}

func TestPrivateDir(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "a", "b")
	if err := errors.Join(store.PrivateDir(path), store.PrivateDir(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := store.PrivateDir(path); err != nil {
		t.Fatal(err)
	}
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o700 {
		t.Errorf("mode is %v", st.Mode())
	}
	link := filepath.Join(home, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := store.PrivateDir(link); !errors.Is(err, store.ErrSymlink) {
		t.Errorf("a link: %v", err)
	}
}

func TestATemporaryStoreLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := store.OpenTemporary(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, ref, err := s.Submit(first("# One\n"))
	if err != nil || m.Storage != plan.Temporary || !s.Temporary() {
		t.Fatalf("%+v, %v", m, err)
	}
	l, err := s.CreateLog(tree.Header{Cwd: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decide(m.PlanID, approve(ref)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDrafts(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	if text, err := s.Draft("s1"); err != nil || text != "" {
		t.Errorf("none yet: %q, %v", text, err)
	}
	if err := errors.Join(s.SaveDraft("s1", "one"), s.SaveDraft("s1", "two\nlines 行"), s.SaveDraft("s2", "x")); err != nil {
		t.Fatal(err)
	}
	if text, err := openIn(t, home, store.Options{}).Draft("s1"); err != nil || text != "two\nlines 行" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := errors.Join(s.SaveDraft("s1", ""), s.SaveDraft("s1", "")); err != nil {
		t.Fatal(err)
	}
	if text, err := s.Draft("s1"); err != nil || text != "" {
		t.Errorf("after removing: %q, %v", text, err)
	}
	if err := s.SaveDraft("../x", "y"); err == nil {
		t.Error("a path was accepted as a session")
	}
}
