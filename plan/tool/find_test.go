package tool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir := files(t, map[string]string{
		"main.go": "", "cmd/app/main.go": "", "cmd/app/main_test.go": "", "docs/读我.md": "", ".hidden/x.go": "", ".git/config.go": "",
		".gitignore": "*.log\n/build/\n!keep.log\n", "a.log": "", "keep.log": "", "build/out.go": "", "sub/build/in.go": "",
		"sub/.gitignore": "secret.go\n", "sub/secret.go": "", "secret.go": "", "link": "-> cmd", "evil\nname.go": "",
	})
	set := New(Options{Dir: dir})
	for _, c := range []struct {
		name string
		args args
		want string
		bad  bool
	}{
		{"a name pattern is matched anywhere", args{"pattern": "main*.go"}, "cmd/app/main.go\ncmd/app/main_test.go\nmain.go\n", false},
		{"a path pattern is matched from path", args{"pattern": "cmd/**/*.go"}, "cmd/app/main.go\ncmd/app/main_test.go\n", false},
		{"below a path", args{"pattern": "**/main.go", "path": "cmd"}, "cmd/app/main.go\n", false},
		{"directories end in a slash", args{"pattern": "app"}, "cmd/app/\n", false},
		{"ignored files are left out, and those put back are not", args{"pattern": "*.log"}, "keep.log\n", false},
		{"a rule with a slash counts from its own directory", args{"pattern": "{out,in}.go"}, "sub/build/in.go\n", false},
		{"rules of a directory hold below it only", args{"pattern": "secret.go"}, "secret.go\n", false},
		{"rules of the directories above hold", args{"pattern": "*", "path": "sub"}, "sub/.gitignore\nsub/build/\nsub/build/in.go\n", false},
		{"an ignored directory can be named on purpose", args{"pattern": "*.go", "path": "build"}, "build/out.go\n", false},
		{"hidden files are found, those of git never", args{"pattern": "{x,config}.go"}, ".hidden/x.go\n", false},
		{"links are listed and not followed", args{"pattern": "link"}, "link\n", false},
		{"a link can be named on purpose", args{"pattern": "main.go", "path": "link"}, "cmd/app/main.go\n", false},
		{"a name with a line break is one line", args{"pattern": "evil*"}, "\"evil\\nname.go\"\n", false},
		{"a Chinese name", args{"pattern": "*读*"}, "docs/读我.md\n", false},
		{"nothing", args{"pattern": "nope"}, "[nothing matches]\n", false},
		{"a pattern that is none", args{"pattern": "[a"}, "the pattern is not a glob: a bracket or brace is not closed", true},
		{"a pattern that explodes", args{"pattern": strings.Repeat("{a,b}", 30)}, "the pattern has too many alternatives", true},
		{"a file as path", args{"pattern": "*", "path": "main.go"}, "find below main.go: it is not a directory", true},
		{"a missing path", args{"pattern": "*", "path": "nope"}, "look at nope: no such file or directory", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := do(t, set, "find", c.args); r.Text != c.want || r.Error != c.bad {
				t.Errorf("got error %v, %q", r.Error, r.Text)
			}
		})
	}
}

func TestFindAndLsAreBounded(t *testing.T) {
	tree := map[string]string{}
	for i := range 1200 {
		tree[fmt.Sprintf("f%04d", i)] = ""
	}
	set := New(Options{Dir: files(t, tree)})
	r := do(t, set, "find", args{"pattern": "f*"})
	if n := strings.Count(r.Text, "\n"); n != maxFound+1 || !strings.HasSuffix(r.Text, "[only the first 1000; use a narrower pattern or path]\n") {
		t.Errorf("find: %d lines", n)
	}
	r = do(t, set, "ls", args{})
	if n := strings.Count(r.Text, "\n"); n != maxListed+1 || !strings.HasSuffix(r.Text, "[700 more entries; use find with a pattern]\n") {
		t.Errorf("ls: %d lines", n)
	}
}

func TestWalkIgnoresWhatGitIgnores(t *testing.T) {
	rules := "*.o\n!keep.o\n/top\ndir/\na/**/z\n**/deep/*.txt\nfoo*\n!foobar\n\\#hash\n# comment\n[ab].c\ntrailing   \nsub/only\n*.d/\n"
	tree := map[string]string{".gitignore": rules, "x/.gitignore": "!a.o\nlocal\n/anchored\n", "x/y/.gitignore": "*\n!*.go\n"}
	for _, d := range []string{"", "x/", "x/y/", "a/", "a/b/", "a/b/c/", "deep/", "x/deep/", "sub/", "x/sub/", "dir/", "q.d/"} {
		for _, n := range []string{"a.o", "keep.o", "top", "z", "n.txt", "foo", "foobar", "#hash", "a.c", "trailing", "only", "local", "anchored", "m.go", "dir2/dir", "file"} {
			tree[d+n] = ""
		}
	}
	dir := files(t, tree)
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v %s", err, out)
	}
	cmd := exec.Command("git", "-c", "core.excludesFile=", "-c", "core.quotePath=false", "ls-files", "-o", "--exclude-standard")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(out))
	var got []string
	err = walk(t.Context(), dir, func(rel string, d os.DirEntry) error {
		if !d.IsDir() {
			got = append(got, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		for _, n := range got {
			if !slices.Contains(want, n) {
				t.Errorf("git ignores %s", n)
			}
		}
		for _, n := range want {
			if !slices.Contains(got, n) {
				t.Errorf("git does not ignore %s", n)
			}
		}
	}
}

func TestWalkStopsWithItsContext(t *testing.T) {
	dir := files(t, map[string]string{"a": "", "b": ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := walk(ctx, dir, func(string, os.DirEntry) error { return nil }); err == nil {
		t.Error("the walk went on")
	}
}

func FuzzIgnoreRulesNeverFail(f *testing.F) {
	f.Add("*.o\n!a/**/b\n[", "x/y.o", true)
	f.Fuzz(func(t *testing.T, text, path string, dir bool) {
		names := strings.Split(path, "/")
		g := &ignores{rules: parseIgnore(text)}
		ignored := g.match(names, dir)
		if strings.TrimSpace(text) == "" && ignored {
			t.Error("no rule ignored something")
		}
		again := &ignores{rules: parseIgnore(text + "\n!*\n")}
		if again.match(names, dir) {
			t.Error("a last rule that puts everything back did not")
		}
	})
}

// generated makes a tree like that of a real project, about 20,000 files.
func generated(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	write := func(name, content string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write(".gitignore", strings.Repeat("*.tmp\n/out/\n*.log\nnode_modules/\ncoverage*\n.cache\n", 5))
	body := strings.Repeat("\tfmt.Println(\"some ordinary line of code\", value)\n", 60)
	for i := range 200 {
		for j := range 100 {
			write(fmt.Sprintf("pkg%03d/file%03d.go", i, j), body)
		}
	}
	return dir
}

func BenchmarkFindInTwentyThousandFiles(b *testing.B) {
	set := New(Options{Dir: generated(b)})
	tool, _ := set.Find("find")
	for b.Loop() {
		tool.Run(b.Context(), Call{ID: "1", Args: []byte(`{"pattern":"nothing*.go"}`)}, nil)
	}
}

func BenchmarkGrepInTwentyThousandFiles(b *testing.B) {
	set := New(Options{Dir: generated(b)})
	tool, _ := set.Find("grep")
	for b.Loop() {
		tool.Run(b.Context(), Call{ID: "1", Args: []byte(`{"pattern":"func\\s+missing"}`)}, nil)
	}
}
