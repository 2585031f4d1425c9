//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/tui/tuitest"
)

// TestReadingByItself uses the reviewer without a plan: a document is read, found
// in, looked at as its source, and commented on.
func TestReadingByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("notes-on.md", "# Title\n\n| field | meaning |\n|-------|--------:|\n| id | 编号 |\n\n- [x] done\n\n```go\nfunc main() {}\n```\n")
	out := filepath.Join(w.base, "notes.md")
	file := filepath.Join(w.dir, "notes-on.md")
	s := tuitest.Start(t, w.command("reviewer", "--only="+file, "-o", out), 80, 24)
	s.WaitFor("field │ meaning")
	s.WaitFor("☑ done")
	s.Type("r")
	s.WaitFor("| field | meaning |")
	s.Type("r")
	s.WaitFor("field │ meaning")
	s.Type("/编号")
	s.WaitFor("/编号")
	s.Press("enter")
	s.WaitFor("match 1/1")
	s.Type("a")
	s.WaitFor("Note on line 5")
	s.Type("which one?")
	s.Press("enter")
	s.WaitFor("1 note")
	s.Type("q")
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if want := "## " + file + ":5 ( )\nwhich one?\n"; err != nil || string(raw) != want {
		t.Errorf("the notes are %q, %v; want %q", raw, err, want)
	}
}

// TestReadingChanges looks at two texts: what moved is said to be moved, and both
// stand beside each other where there is room.
func TestReadingChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	section := "## Risks\n\nThe old clients do not send the header, which breaks them.\n"
	rest := "## Steps\n\n1. Write the interface of the store.\n2. Switch all of the handlers over.\n3. Remove what is left of the map.\n"
	w.write("plan-r1.md", section+"\n"+rest)
	w.write("plan-r2.md", strings.Replace(rest, "all of", "most of", 1)+"\n"+section)
	args := []string{"reviewer", "--compare-old=" + filepath.Join(w.dir, "plan-r1.md"), "--compare-new=" + filepath.Join(w.dir, "plan-r2.md")}
	s := tuitest.Start(t, w.command(args...), 140, 30)
	s.WaitFor("section Risks moved")
	s.WaitFor("+1 -1")
	s.Type("|")
	s.WaitFor("side by side on")
	s.Type("r")
	s.WaitFor("bare lines")
	s.Type("q")
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
}
