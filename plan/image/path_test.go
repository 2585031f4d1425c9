package image

import (
	"strings"
	"testing"
)

func named(list []Named) string {
	var out []string
	for _, n := range list {
		out = append(out, n.Raw+" = "+n.Path)
	}
	return strings.Join(out, "; ")
}

func TestPastedPaths(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"a path":                            {"/pics/shot.png", "/pics/shot.png = /pics/shot.png"},
		"one with a line end":               {"/pics/shot.PNG\n", "/pics/shot.PNG = /pics/shot.PNG"},
		"in single quotes":                  {"'/a b/c d.jpg'", "'/a b/c d.jpg' = /a b/c d.jpg"},
		"in double quotes":                  {`"/a b/c.jpeg"`, `"/a b/c.jpeg" = /a b/c.jpeg`},
		"with blanks escaped":               {`/a\ b/c\(1\).gif`, `/a\ b/c\(1\).gif = /a b/c(1).gif`},
		"with blanks that nobody escaped":   {"/a b/Screen Shot 1.png", "/a b/Screen Shot 1.png = /a b/Screen Shot 1.png"},
		"a file URL":                        {"file:///a%20b/%E5%9B%BE.webp", "file:///a%20b/%E5%9B%BE.webp = /a b/图.webp"},
		"a file URL of this machine":        {"file://localhost/a.png", "file://localhost/a.png = /a.png"},
		"from home":                         {"~/a.png", "~/a.png = ~/a.png"},
		"from here":                         {"docs/a.png", "docs/a.png = docs/a.png"},
		"several":                           {"'/a b.png' /c.png", "'/a b.png' = /a b.png; /c.png = /c.png"},
		"a drive":                           {`C:\shots\a.png`, `C:\shots\a.png = C:\shots\a.png`},
		"a file URL of another machine":     {"file://host/a.png", ""},
		"a sentence that ends with a name":  {"look at a.png", ""},
		"a bare name, which may be a word":  {"a.png", ""},
		"a path of something else":          {"/pics/main.go", ""},
		"an address":                        {"https://e.org/a.png", ""},
		"an address on the web":             {"look https://e.org/a.png", ""},
		"an image and a text":               {"/a.png is wrong", ""},
		"nothing":                           {" ", ""},
		"a quote that does not end":         {"'/a", ""},
		"a percent sign that means nothing": {"file:///100%.png", "file:///100%.png = /100%.png"},
	} {
		if got := named(Pasted(tt.in)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestMentions(t *testing.T) {
	for name, tt := range map[string]struct{ in, want, whole string }{
		"one in a sentence":         {"see @a.png now", "@a.png = a.png", "@a.png = a.png"},
		"one still being typed":     {"see @a.png", "@a.png = a.png", ""},
		"quoted":                    {`see @"a b.png" now`, `@"a b.png" = a b.png`, `@"a b.png" = a b.png`},
		"before punctuation":        {"(@docs/a.png), @b.gif.", "@docs/a.png = docs/a.png; @b.gif = b.gif", "@docs/a.png = docs/a.png; @b.gif = b.gif"},
		"after Chinese":             {"看@图.png 吧", "@图.png = 图.png", "@图.png = 图.png"},
		"an address of a person":    {"me@a.png ", "", ""},
		"another file":              {"@main.go ", "", ""},
		"a quote that does not end": {`@"a.png`, "", ""},
		"an at sign alone":          {"@ @", "", ""},
	} {
		if got := named(Mentions(tt.in, false)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if got := named(Mentions(tt.in, true)); got != tt.whole {
			t.Errorf("%s, whole: %q, want %q", name, got, tt.whole)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"'/a b.png' /c.png", "@\"a b.png\" @c.gif,", "file:///a%20.png", `/a\`, "[image a.png 1 KB sha256:" + strings.Repeat("a", 64) + "]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, n := range Pasted(s) {
			i := strings.Index(s[at:], n.Raw)
			if n.Raw == "" || i < 0 || !IsPath(n.Path) {
				t.Fatalf("pasted %+v is not in %q", n, s)
			}
			at += i + len(n.Raw)
		}
		for _, n := range append(Mentions(s, false), Mentions(s, true)...) {
			if !strings.Contains(s, n.Raw) || !IsPath(n.Path) || strings.Contains(n.Path, "\n") {
				t.Fatalf("mention %+v in %q", n, s)
			}
		}
		if plain := Plain(s); len(Marks(plain)) > 0 && len(Marks(s)) == 0 {
			t.Fatalf("%q has no marks, %q has", s, plain)
		}
		Restore(s, []Ref{{Name: "a.png", Size: 9, Hash: Hash(nil)}})
	})
}
