package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan/tree"
	"planmode/store"
	"planmode/tui"
)

// testApp is an app on a temporary store and directory, without a terminal.
func testApp(t *testing.T) *app {
	t.Helper()
	s, err := store.OpenTemporary(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &app{store: s, config: store.DefaultConfig(), dir: t.TempDir(), self: self}
}

func TestWarningsOfTheStartAreToldOnce(t *testing.T) {
	a := testApp(t)
	a.warnings = []string{"config.json: unknown key \"x\" is ignored"}
	if err := os.Mkdir(filepath.Join(a.dir, "AGENTS.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	notices := func() (told []string) {
		t.Helper()
		log, err := a.store.CreateLog(tree.Header{Cwd: a.dir})
		if err != nil {
			t.Fatal(err)
		}
		s := a.newSession(log, false, tui.NewDesk())
		defer s.Close()
		for _, e := range s.Items(0) {
			if n, err := tree.Decode[tree.Notice](e); err == nil && e.Kind == tree.KindNotice {
				told = append(told, n.Text)
			}
		}
		return told
	}
	for i, want := range []bool{true, false} {
		told := strings.Join(notices(), "\n")
		if strings.Contains(told, "unknown key") != want {
			t.Errorf("session %d tells about the configuration: %t, want %t: %q", i+1, !want, want, told)
		}
		if !strings.Contains(told, "AGENTS.md") {
			t.Errorf("session %d says nothing of an AGENTS.md that cannot be read: %q", i+1, told)
		}
	}
}
