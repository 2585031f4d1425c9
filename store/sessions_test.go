package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

func TestFindingSessions(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	paths := map[string]string{}
	for _, id := range []string{"20260102T030405-aaaa00000001", "20260102T030405-aaab00000002", "20260203T030405-bbbb00000003", "20260203T030405-bbbb00000003x"} {
		l, err := s.CreateLog(tree.Header{Session: id, Cwd: "/w/" + id[:8]})
		if err != nil {
			t.Fatal(err)
		}
		paths[id] = l.Path()
		if err := l.Append(entry(t, 0, "")); err != nil {
			t.Fatal(err)
		}
		_ = l.Close()
	}
	for name, c := range map[string]struct {
		text, id string
		want     error
	}{
		"a whole id":                       {text: "20260102T030405-aaaa00000001", id: "20260102T030405-aaaa00000001"},
		"the beginning of an id":           {text: "20260102T030405-aaaa", id: "20260102T030405-aaaa00000001"},
		"the beginning of the random part": {text: "aaab", id: "20260102T030405-aaab00000002"},
		"a path":                           {text: paths["20260102T030405-aaab00000002"], id: "20260102T030405-aaab00000002"},
		"a file name":                      {text: "20260102T030405-aaab00000002.jsonl", id: "20260102T030405-aaab00000002"},
		"an id that begins another":        {text: "20260203T030405-bbbb00000003", id: "20260203T030405-bbbb00000003"},
		"a beginning of two":               {text: "20260102", want: store.ErrAmbiguous},
		"something else":                   {text: "zzzz", want: store.ErrNoSession},
		"nothing":                          {text: "", want: store.ErrNoSession},
		"a path outside the store":         {text: "/etc/passwd.jsonl", want: store.ErrNoSession},
		"a path that climbs out":           {text: home + "/data/sessions/../x.jsonl", want: store.ErrNoSession},
		"a path of no file":                {text: filepath.Join(filepath.Dir(paths["20260102T030405-aaab00000002"]), "no.jsonl"), want: store.ErrNoSession},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := s.OpenLog(c.text)
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v", err)
			}
			if err == nil {
				defer l.Close()
				if l.Header().Session != c.id {
					t.Errorf("got %s", l.Header().Session)
				}
			}
		})
	}
	for _, bad := range []string{"..", "a/b", ".hidden", "a b", strings.Repeat("a", 101)} {
		if _, err := s.CreateLog(tree.Header{Session: bad, Cwd: "/"}); err == nil {
			t.Errorf("session id %q was accepted", bad)
		}
	}
}

func TestListingSessions(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	make := func(cwd string, messages int, title string) string {
		t.Helper()
		l, err := s.CreateLog(tree.Header{Cwd: cwd, Parent: "p"})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		add := func(kind plan.Kind, body any, n int) {
			e, err := tree.New(plan.EntryID(strings.Repeat("0", 8)+string(rune('a'+n/26/26%26))+string(rune('a'+n/26%26))+string(rune('a'+n%26))), leafOf(l), plan.Stamp(start), kind, body)
			if err == nil {
				err = l.Append(e)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for n := range messages {
			add(tree.KindUser, tree.User{Text: "Plan\n the \x1b[31mwork\x1b[0m " + strings.Repeat("x", 100)}, n)
		}
		add(tree.KindTitle, tree.Title{Text: title}, messages)
		return l.Header().Session
	}
	a, b := t.TempDir(), t.TempDir()
	short := make(a, 1, "短")
	long := make(a, 2000, "long")
	elsewhere := make(b, 1, "else")
	for i, id := range []string{short, long, elsewhere} {
		path, _ := filepath.Glob(filepath.Join(home, "data/sessions/*", id+".jsonl"))
		if err := os.Chtimes(path[0], start, start.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Sessions(a)
	if err != nil || len(list) != 2 || list[0].ID != long || list[1].ID != short {
		t.Fatalf("got %+v, %v", list, err)
	}
	if i := list[1]; i.Entries != 2 || i.Title != "短" || !strings.HasPrefix(i.First, "Plan the work xxx") || i.Cwd != a || i.Parent != "p" || i.Created.IsZero() {
		t.Errorf("got %+v", i)
	}
	if i := list[0]; i.Entries < 1900 || i.Entries > 2100 || i.Title != "long" || i.Problem != "" {
		t.Errorf("got %+v", i)
	}
	all, err := s.Sessions("")
	if err != nil || len(all) != 3 || all[0].ID != elsewhere {
		t.Errorf("all are %+v, %v", all, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(a, link); err != nil {
		t.Fatal(err)
	}
	if viaLink, err := s.Sessions(link); err != nil || !slices.EqualFunc(viaLink, list, func(x, y store.SessionInfo) bool { return x.ID == y.ID }) {
		t.Errorf("through a link to the directory: %v, %v", viaLink, err)
	}
}
