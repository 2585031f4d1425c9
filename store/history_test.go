package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planmode/store"
)

func TestHistory(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	for _, m := range []struct{ cwd, text string }{
		{"/a", "one"}, {"/b", "two\nlines"}, {"/a", "three"}, {"/a", "three"}, {"/a", ""}, {"/a", strings.Repeat("x", 40<<10)},
	} {
		if err := s.AddHistory(m.cwd, m.text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := openIn(t, home, store.Options{}).History("/a")
	if err != nil || !slices.Equal(got, []string{"two\nlines", "one", "three"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestHistoryIsBoundedAndToleratesDamage(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	path := filepath.Join(home, "data", "history.jsonl")
	for i := range 40 {
		if err := s.AddHistory("/a", fmt.Sprintf("%d %s", i, strings.Repeat("y", 10<<10))); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > 256<<10 || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	all, _ := s.History("/a")
	if len(all) < 20 || !strings.HasPrefix(all[len(all)-1], "39 ") {
		t.Errorf("%d messages", len(all))
	}
	if err := os.WriteFile(path, []byte("{\"cwd\":\"/a\",\"text\":\"kept\"}\nnot json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := s.History("/a"); err != nil || !slices.Equal(got, []string{"kept"}) {
		t.Errorf("got %q, %v", got, err)
	}
}
