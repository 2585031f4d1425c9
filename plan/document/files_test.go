package document

import (
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a code span":                          {"Change `cart/cart.go`.", "cart/cart.go"},
		"a place in a file":                    {"See `cart/cart.go:12` and `a.go:3:4`.", "cart/cart.go a.go"},
		"a leading ./":                         {"`./x/y.py`", "x/y.py"},
		"each once, in order":                  {"`b.go` `a.go` `b.go`", "b.go a.go"},
		"several in one span":                  {"`git diff a.go b.go`", "a.go b.go"},
		"names without extension":              {"`Makefile` and `docs/LICENSE`", "Makefile docs/LICENSE"},
		"Chinese names":                        {"`文档/计划.md`", "文档/计划.md"},
		"a file to be created":                 {"Create `new/file.zig`", "new/file.zig"},
		"a call is no file":                    {"`store.Plans()` `fmt.Println` `x.y`", ""},
		"a directory is no file":               {"`cmd/planmode`", ""},
		"a flag is no file":                    {"`-o.go` `--file.go`", ""},
		"an address is no file":                {"`https://example.com/a.go`", ""},
		"an absolute path is no file":          {"`/etc/passwd.conf`", ""},
		"a path that leads up is no file":      {"`../x.go` `a/../b.go` `..`", ""},
		"git's own are no files":               {"`.git/config.cfg`", ""},
		"running text names none":              {"Edit cart.go now.", ""},
		"steps name them in words":             {"## Execution steps\n\n1. Edit cart.go, then (docs/x.md).\n2. and/or nothing\n", "cart.go docs/x.md"},
		"a sentence that ends with a file":     {"## Execution steps\n\n1. Update README.md.\n", "README.md"},
		"control characters are never a path":  {"`a\x1b[2J.go`", ""},
		"a very long token is no path":         {"`" + strings.Repeat("a", 400) + ".go`", ""},
		"an extension that is not in the list": {"`pkg/thing.weird` `thing.weird`", "pkg/thing.weird"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(Parse([]byte(c.text)).Files(), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestFilesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString("`" + strings.Repeat("x", i%50+1) + strings.Repeat("y", i/50+1) + ".go` ")
	}
	if n := len(Parse([]byte(b.String())).Files()); n != maxFiles {
		t.Errorf("%d files", n)
	}
}

func FuzzFiles(f *testing.F) {
	f.Add("`a/b.go:1` `../x`")
	f.Add("## Execution steps\n\n1. x.go\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range Parse([]byte(s)).Files() {
			if strings.HasPrefix(p, "/") || strings.Contains("/"+p+"/", "/../") || strings.ContainsAny(p, "\x00\x1b\n\\`") || len(p) > maxFilePath {
				t.Fatalf("%q", p)
			}
		}
	})
}
