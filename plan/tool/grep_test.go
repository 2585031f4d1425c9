package tool

import (
	"strings"
	"testing"
)

func TestGrep(t *testing.T) {
	long := strings.Repeat("é", 1000) + "needle" + strings.Repeat("z", 1000)
	dir := files(t, map[string]string{
		"a.go": "one\nTwo\nthree (four)\n\nfive\nsix\nTwo\n", "b/c.txt": "two\r\nend\r\n", "b/d.md": "第二 two\n", "bin": "two\x00two\n", "long": long + "\n",
		".gitignore": "skip\n", "skip/x": "two\n", ".git/HEAD": "two\n", "noeol": "last",
	})
	set := New(Options{Dir: dir})
	for _, c := range []struct {
		name string
		args args
		want string
		bad  bool
	}{
		{"a plain word, in every file that counts", args{"pattern": "two"}, "b/c.txt:1:two\nb/d.md:1:第二 two\n[1 binary files not searched]\n", false},
		{"without case", args{"pattern": "TWO", "ignoreCase": true, "path": "a.go"}, "a.go:2:Two\na.go:7:Two\n", false},
		{"literally", args{"pattern": "(four)", "literal": true}, "a.go:3:three (four)\n[1 binary files not searched]\n", false},
		{"an expression", args{"pattern": `^t\w+ \(`, "path": "a.go"}, "a.go:3:three (four)\n", false},
		{"the end of a line with a carriage return", args{"pattern": "end$", "path": "b"}, "b/c.txt:2:end\n", false},
		{"the beginning of the text is that of a line", args{"pattern": `\AT`, "path": "a.go"}, "a.go:2:Two\na.go:7:Two\n", false},
		{"an empty line", args{"pattern": "^$", "path": "a.go"}, "a.go:4:\n", false},
		{"a file without a final newline", args{"pattern": "t$", "path": "noeol"}, "noeol:1:last\n", false},
		{"only some files", args{"pattern": "two", "glob": "*.md"}, "b/d.md:1:第二 two\n", false},
		{"only some directories", args{"pattern": "two", "glob": "b/*"}, "b/c.txt:1:two\nb/d.md:1:第二 two\n", false},
		{"context, in pieces", args{"pattern": "Two", "context": 1, "path": "a.go"}, "a.go-1-one\na.go:2:Two\na.go-3-three (four)\n--\na.go-6-six\na.go:7:Two\n", false},
		{"context that touches", args{"pattern": "t|f", "context": 1, "path": "a.go"},
			"a.go-2-Two\na.go:3:three (four)\na.go-4-\na.go:5:five\na.go-6-six\n", false},
		{"a matching line that is long is cut around the match", args{"pattern": "needle", "path": "long"},
			"long:1:…" + strings.Repeat("é", 50) + "needle" + strings.Repeat("z", 294) + "… [line cut, 3006 bytes long]\n", false},
		{"nothing", args{"pattern": "nowhere", "path": "a.go"}, "[no match]\n", false},
		{"an ignored directory on purpose", args{"pattern": "two", "path": "skip"}, "skip/x:1:two\n", false},
		{"no expression", args{"pattern": "("}, "argument \"pattern\" is not a regular expression: error parsing regexp: missing closing ): `(`", true},
		{"a bad glob", args{"pattern": "a", "glob": "["}, "the pattern is not a glob: a bracket or brace is not closed", true},
		{"a pattern that would take for ever", args{"pattern": "x{1,900}y{1,900}z{1,900}"}, "argument \"pattern\" is too complex: use fewer or smaller repetitions", true},
		{"too much context", args{"pattern": "a", "context": 21}, `grep was not run: argument "context" must be at most 20; it is 21.`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := do(t, set, "grep", c.args); r.Text != c.want || r.Error != c.bad {
				t.Errorf("got error %v, %q\nwant %q", r.Error, r.Text, c.want)
			}
		})
	}
}

func TestGrepIsBounded(t *testing.T) {
	set := New(Options{Dir: files(t, map[string]string{
		"many": strings.Repeat("hit\n", 1000), "wide": strings.Repeat(strings.Repeat("w", 390)+"\n", 1000),
	})})
	r := do(t, set, "grep", args{"pattern": "hit"})
	if n := strings.Count(r.Text, "many:"); n != maxMatches || !strings.Contains(r.Text, "more matches were left out") {
		t.Errorf("%d matches", n)
	}
	r = do(t, set, "grep", args{"pattern": "w", "context": 20, "path": "wide"})
	if len(r.Text) > maxGrepBytes+50*maxShownLine || !strings.Contains(r.Text, "more matches were left out") {
		t.Errorf("%d bytes", len(r.Text))
	}
}

func TestGrepInALargeFileOfPieces(t *testing.T) {
	set := New(Options{Dir: files(t, map[string]string{
		"big": strings.Repeat("some text\n", 30_000) + "needle here\n" + strings.Repeat("more\n", 9), "line": strings.Repeat("l", 100<<10) + "needle",
	})})
	r := do(t, set, "grep", args{"pattern": "needle h", "path": "big"})
	if r.Text != "big:30001:needle here\n" {
		t.Errorf("got %q", r.Text)
	}
	if r := do(t, set, "grep", args{"pattern": "needle$", "path": "line"}); !strings.HasPrefix(r.Text, "line:1:…lll") {
		t.Errorf("got %q", r.Text)
	}
}

// The whole-file question may only ever say no when every line would.
func FuzzTheWholeFileIsAskedRightly(f *testing.F) {
	for _, p := range []string{"a$", "^b", `\Aa`, `x\z`, `\bfoo\b`, "(?-m:^a)", "a.b", "[^a]", "", "a|^$", "(?i)A"} {
		f.Add(p, "a\nb\nfoo bar\n\nxab", false)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, ignoreCase bool) {
		if len(pattern) > 200 || len(text) > 2000 || strings.Contains(text, "\r") {
			return
		}
		s, err := newSearch(grepArgs{Pattern: pattern, IgnoreCase: ignoreCase})
		if err != nil || s.whole == nil || text == "" {
			return
		}
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if s.line.MatchString(line) && !s.whole.MatchString(text) {
				t.Fatalf("%q matches line %d of %q but not the whole", pattern, i+1, text)
			}
		}
	})
}
