package tool

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"planmode/plan"
)

func TestADiffNamesAFileElsewhereByItsPath(t *testing.T) {
	for name, want := range map[string]string{"dir/f": "+++ b/dir/f\n", "/tmp/f": "+++ /tmp/f\n"} {
		if d := diffOf(name, "", "x\n", 100); !strings.Contains(d.text, want) {
			t.Errorf("the diff of %s is\n%s", name, d.text)
		}
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func preview(t *testing.T, set *Set, name, id string, a args) (Preview, Call, error) {
	t.Helper()
	tool, _ := set.Find(name)
	call := Call{ID: id, Name: name, Args: Marshal(a)}
	p, err := tool.(Previewer).Preview(t.Context(), call)
	return p, call, err
}

func TestEdit(t *testing.T) {
	for _, c := range []struct {
		name, before string
		args         args
		after, fault string
	}{
		{"one place", "a\nb\nc\n", args{"oldText": "b\n", "newText": "B\nBB\n"}, "a\nB\nBB\nc\n", ""},
		{"a deletion", "a\nb\n", args{"oldText": "b\n", "newText": ""}, "a\n", ""},
		{"carriage returns are kept", "a\r\nb\r\nc\r\n", args{"oldText": "a\nb", "newText": "x\ny\nz"}, "x\r\ny\r\nz\r\nc\r\n", ""},
		{"mixed line ends are matched exactly", "a\r\nb\nc\n", args{"oldText": "b\n", "newText": "x\n"}, "a\r\nx\nc\n", ""},
		{"a byte order mark is kept", "\uFEFFa\n", args{"oldText": "a", "newText": "b"}, "\uFEFFb\n", ""},
		{"no final newline is added", "a", args{"oldText": "a", "newText": "b"}, "b", ""},
		{"every place, when asked", "a a a", args{"oldText": "a", "newText": "b", "replaceAll": true}, "b b b", ""},
		{"several places", "a a", args{"oldText": "a", "newText": "b"}, "", "2 times"},
		{"a text that overlaps itself", "aaa", args{"oldText": "aa", "newText": "b"}, "", "overlapping"},
		{"a text that is not there", "a", args{"oldText": "x", "newText": "b"}, "", "not in the file"},
		{"an edit without effect", "a", args{"oldText": "a", "newText": "a"}, "", "nothing would change"},
		{"an empty old text", "a", args{"oldText": "", "newText": "a"}, "", "must not be empty"},
		{"a binary file", "a\x00", args{"oldText": "a", "newText": "b"}, "", "not UTF-8 text"},
		{"dollar signs mean nothing", "a", args{"oldText": "a", "newText": "$0 ${1}"}, "$0 ${1}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := files(t, map[string]string{"f": c.before})
			c.args["path"] = "f"
			r := do(t, New(Options{Dir: dir}), "edit", c.args)
			want := c.after
			if c.fault != "" {
				want = c.before
			}
			if r.Error != (c.fault != "") || !strings.Contains(r.Text, c.fault) || content(t, filepath.Join(dir, "f")) != want {
				t.Errorf("got error %v, %q, file %q", r.Error, r.Text, content(t, filepath.Join(dir, "f")))
			}
		})
	}
	r := do(t, New(Options{Dir: t.TempDir()}), "edit", args{"path": "f", "oldText": "a", "newText": "b"})
	if !r.Error || !strings.Contains(r.Text, "no such file; use write") {
		t.Errorf("a missing file: %q", r.Text)
	}
}

func TestWrite(t *testing.T) {
	dir := files(t, map[string]string{"old": "a\nb\n", "crlf": "a\r\nb\r\n", "d/": "", "ro": "x", "bin": "\x00"})
	for name, mode := range map[string]os.FileMode{"old": 0o750, "ro": 0o444} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	set := New(Options{Dir: dir})
	for _, c := range []struct {
		name  string
		args  args
		after string
		text  string
	}{
		{"a new file in new directories", args{"path": "x/y/new.txt", "content": "hello\n"}, "hello\n", "Created x/y/new.txt: 1 lines added, 0 removed."},
		{"an old file", args{"path": "old", "content": "a\nc\n"}, "a\nc\n", "Wrote old: 1 lines added, 1 removed."},
		{"an empty file", args{"path": "empty", "content": ""}, "", "Created empty: 0 lines added, 0 removed."},
		{"carriage returns are kept", args{"path": "crlf", "content": "x\ny\n"}, "x\r\ny\r\n", "Wrote crlf: 2 lines added, 2 removed."},
		{"a directory", args{"path": "d", "content": ""}, "", "it is a directory"},
		{"a path that ends like one", args{"path": "new/", "content": ""}, "", "it is a directory"},
		{"the working directory", args{"path": ".", "content": ""}, "", "it is a directory"},
		{"a file as a directory", args{"path": "old/x", "content": ""}, "", "not a directory"},
		{"a write-protected file", args{"path": "ro", "content": "y"}, "", "write-protected"},
		{"a binary file", args{"path": "bin", "content": "y"}, "", "not UTF-8 text"},
		{"too much", args{"path": "big", "content": strings.Repeat("x", maxFileBytes+1)}, "", "at most 4.0 MiB"},
		{"a home directory that only a shell knows", args{"path": "~/x", "content": ""}, "", "not expanded"},
		{"a NUL in the path", args{"path": "a\x00b", "content": ""}, "", "NUL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := do(t, set, "write", c.args)
			if !strings.Contains(r.Text, c.text) {
				t.Fatalf("got error %v, %q", r.Error, r.Text)
			}
			if !r.Error && content(t, filepath.Join(dir, c.args["path"].(string))) != c.after {
				t.Errorf("wrote %q", content(t, filepath.Join(dir, c.args["path"].(string))))
			}
		})
	}
	if info, err := os.Stat(filepath.Join(dir, "old")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o750 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", ".planmode-*"))
	here, err2 := filepath.Glob(filepath.Join(dir, ".planmode-*"))
	if err != nil || err2 != nil || len(left)+len(here) > 0 {
		t.Errorf("left behind: %q %q", left, here)
	}
}

func TestWritesStayWhereThePersonWasTold(t *testing.T) {
	outside := files(t, map[string]string{"target": "safe\n", "sub/": ""})
	dir := files(t, map[string]string{
		"link": "-> " + filepath.Join(outside, "target"), "inner": "-> f", "f": "x\n", "out": "-> " + outside, "in": "-> sub", "sub/g": "g\n",
		"dangling": "-> " + filepath.Join(outside, "fresh"), ".git/config": "c\n", ".GIT/hooks/": "",
	})
	private := files(t, map[string]string{"plan.md": "p\n"})
	set := New(Options{Dir: dir, Private: []string{private}})
	for _, c := range []struct{ name, path, fault, danger, scope string }{
		{"a plain file", "f", "", "", "files:" + dir},
		{"through a link that stays inside", "in/g", "", "", "files:" + dir},
		{"a file that is a link out", "link", "symbolic link to", "", ""},
		{"a file that is a link inside", "inner", "symbolic link to f", "", ""},
		{"a dangling link out", "dangling", "symbolic link to", "", ""},
		{"through a link that leads out", "out/target", "leads out of the working directory", "", ""},
		{"a new file through a link that leads out", "out/a/b/new", "leads out of the working directory", "", ""},
		{"outside by name", filepath.Join(outside, "target"), "", "outside the working directory", "files:" + outside},
		{"outside by climbing", filepath.Join("..", filepath.Base(outside), "x"), "", "outside the working directory", ""},
		{"the git directory", ".git/config", "", "inside .git", "none"},
		{"a new hook", ".git/hooks/pre-commit", "", "inside .git", "none"},
		{"planmode's own files", filepath.Join(private, "plan.md"), "", "planmode's own files", "none"},
		{"the kernel's files", "/proc/self/oom_score_adj", "belongs to the system", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _, err := preview(t, set, "write", "1", args{"path": c.path, "content": "new\n"})
			if (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(p.Danger, c.danger) || c.danger == "" && p.Danger != "" {
				t.Errorf("danger %q", p.Danger)
			}
			if c.scope == "none" && p.Scope != "" || strings.HasPrefix(c.scope, "files:") && p.Scope != c.scope {
				t.Errorf("scope %q", p.Scope)
			}
		})
	}
	if content(t, filepath.Join(outside, "target")) != "safe\n" {
		t.Error("a preview wrote")
	}
}

func TestALinkPlantedAfterTheLookIsNotFollowed(t *testing.T) {
	outside := files(t, map[string]string{"f": "safe\n"})
	dir := files(t, map[string]string{"sub/f": "old\n"})
	at := newPlace(dir, nil)
	to, err := at.target("sub/f")
	if err != nil {
		t.Fatal(err)
	}
	c, err := draft(to, func([]byte, bool) ([]byte, error) { return []byte("new\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "sub"), "-> "+outside, false)
	if err := c.write(); err == nil {
		t.Error("the write left the working directory")
	}
	if content(t, filepath.Join(outside, "f")) != "safe\n" {
		t.Error("a file outside changed")
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) != 1 {
		t.Errorf("left outside: %v, %v", names, err)
	}
}

func TestOnlyWhatWasShownIsWritten(t *testing.T) {
	for _, c := range []struct{ name, tool, meanwhile, fault string }{
		{"an edit of the shown text", "edit", "one\n", ""},
		{"an edit of a text that changed", "edit", "one\ntwo\n", "changed after the change was shown"},
		{"an overwrite of the shown text", "write", "one\n", ""},
		{"an overwrite of a text that changed", "write", "other\n", "changed after the change was shown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := files(t, map[string]string{"f": "one\n"})
			set := New(Options{Dir: dir})
			a := args{"path": "f", "content": "1\n"}
			if c.tool == "edit" {
				a = args{"path": "f", "oldText": "one", "newText": "1"}
			}
			p, call, err := preview(t, set, c.tool, "7", a)
			if err != nil || !p.Diff || !strings.Contains(p.Body, "-one\n+1\n") {
				t.Fatalf("preview %+v, %v", p, err)
			}
			put(t, filepath.Join(dir, "f"), c.meanwhile, false)
			tool, _ := set.Find(c.tool)
			r := tool.Run(t.Context(), call, nil)
			if r.Error != (c.fault != "") || !strings.Contains(r.Text, c.fault) {
				t.Errorf("got %+v", r)
			}
			if c.fault != "" && content(t, filepath.Join(dir, "f")) != c.meanwhile {
				t.Error("it was written all the same")
			}
		})
	}
	dir := t.TempDir()
	set := New(Options{Dir: dir})
	_, call, err := preview(t, set, "write", "8", args{"path": "n", "content": "x"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "n"), "theirs", false)
	tool, _ := set.Find("write")
	if r := tool.Run(t.Context(), call, nil); !r.Error || content(t, filepath.Join(dir, "n")) != "theirs" {
		t.Errorf("a file that appeared was overwritten: %+v", r)
	}
}

func TestAChangeByAnotherProgramInTheLastMomentIsSeen(t *testing.T) {
	dir := files(t, map[string]string{"f": "old\n"})
	at := newPlace(dir, nil)
	become := func([]byte, bool) ([]byte, error) { return []byte("new\n"), nil }
	for _, name := range []string{"f", "fresh"} {
		to, err := at.target(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := draft(to, become)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name), "another length\n", false)
		if err := c.write(); err == nil || !strings.Contains(err.Error(), "another program") {
			t.Errorf("%s: %v", name, err)
		}
		if got := content(t, filepath.Join(dir, name)); got != "another length\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAnotherFileOfTheSameSizeAndTimeIsAnotherFile(t *testing.T) {
	dir := files(t, map[string]string{"f": "old\n", "g": "abc\n"})
	to, err := newPlace(dir, nil).target("f")
	if err != nil {
		t.Fatal(err)
	}
	c, err := draft(to, func([]byte, bool) ([]byte, error) { return []byte("new\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	g := filepath.Join(dir, "g")
	if err := errors.Join(os.Chtimes(g, c.info.ModTime(), c.info.ModTime()), os.Rename(g, filepath.Join(dir, "f"))); err != nil {
		t.Fatal(err)
	}
	if err := c.write(); err == nil || content(t, filepath.Join(dir, "f")) != "abc\n" {
		t.Errorf("it was replaced: %v", err)
	}
}

func TestPermissionForTheSessionCoversTheDirectoryOnly(t *testing.T) {
	dir := files(t, map[string]string{"f": "x\n", ".git/config": ""})
	set := New(Options{Dir: dir})
	p := Policy{Mode: plan.ModeNormal, Granted: func(scope string) bool { return scope == "files:"+dir || scope == "bash:make" }}
	for _, c := range []struct {
		name string
		call string
		args args
		want Verdict
	}{
		{"a file in the directory", "write", args{"path": "a/b", "content": ""}, Allow},
		{"an edit in the directory", "edit", args{"path": "f", "oldText": "x", "newText": "y"}, Allow},
		{"the git directory", "write", args{"path": ".git/config", "content": ""}, Ask},
		{"a file outside", "write", args{"path": filepath.Join(filepath.Dir(dir), "o"), "content": ""}, Ask},
		{"the allowed command", "bash", args{"command": "make"}, Allow},
		{"another command", "bash", args{"command": "make; rm -rf x"}, Ask},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := Call{ID: "1", Name: c.call, Args: Marshal(c.args)}
			if got := p.Check(set, []Call{call})[0]; got.Verdict != c.want {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestPreviewWarnsOfWhatCannotBeSeen(t *testing.T) {
	dir := files(t, map[string]string{"f": "x\n"})
	set := New(Options{Dir: dir})
	for _, c := range []struct {
		name, tool string
		args       args
		danger     string
	}{
		{"a bidi control in a file", "write", args{"path": "f", "content": "a\u202Eb"}, "not visible"},
		{"a long change", "write", args{"path": "n", "content": strings.Repeat("x\n", 6000)}, "too long"},
		{"an escape sequence in a command", "bash", args{"command": "ls \x1b[8m; rm x"}, "not visible"},
		{"a plain command", "bash", args{"command": "ls\n\tpwd"}, ""},
		{"plain emoji", "write", args{"path": "f", "content": "⏸️ 👩‍💻\r\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _, err := preview(t, set, c.tool, "1", c.args)
			if err != nil || !strings.Contains(p.Danger, c.danger) || c.danger == "" && p.Danger != "" {
				t.Errorf("danger %q, %v", p.Danger, err)
			}
			if p.Meaning == "" || p.Title == "" {
				t.Errorf("preview %+v", p)
			}
		})
	}
}

func FuzzReplaceTextKeepsTheRest(f *testing.F) {
	f.Add("a\r\nb\r\n", "a\n", "x\n", false)
	f.Add("aaa", "aa", "b", true)
	f.Fuzz(func(t *testing.T, text, old, now string, all bool) {
		if old == "" || strings.Contains(old, "\r") {
			return // who names a carriage return means it
		}
		got, err := replaceText(text, editArgs{OldText: old, NewText: now, ReplaceAll: all})
		if err != nil {
			return
		}
		if crlf(text) && strings.Contains(got, "\n") && !crlf(got) {
			t.Errorf("%q lost its line ends: %q", text, got)
		}
		if crlf(text) {
			old, now = toCRLF(old), toCRLF(now)
		}
		if n := strings.Count(text, old); len(got) != len(text)+n*(len(now)-len(old)) || n > 1 && !all {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestDiffOfAWholeNewTextIsQuickEnough(t *testing.T) {
	var a, b strings.Builder
	for i := range 40_000 {
		a.WriteString(strings.Repeat("x", i%60) + "\n")
		b.WriteString(strings.Repeat("y", i%59) + "\n")
	}
	if d := diffOf("f", a.String(), b.String(), 100); !d.cut || d.added < 39_000 {
		t.Errorf("got %d added, cut %v", d.added, d.cut)
	}
}
