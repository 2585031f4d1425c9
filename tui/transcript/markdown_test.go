package transcript

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planmode/tui/theme"
)

func TestBlocks(t *testing.T) {
	cases := []struct {
		name, give string
		want       []string
	}{
		{"paragraphs", "a\nb\n\n\nc", []string{"a\nb", "c"}},
		{"a fence keeps its blank lines", "```\na\n\nb\n```\n\nc", []string{"```\na\n\nb\n```", "c"}},
		{"a shorter fence does not close", "````\n```\n\nx\n````\n\nc", []string{"````\n```\n\nx\n````", "c"}},
		{"inline code of three backticks opens nothing", "```a``` b\n\nc", []string{"```a``` b", "c"}},
		{"a loose list stays whole", "1. a\n\n2. b\n\n   more\n\nc", []string{"1. a\n\n2. b\n\n   more", "c"}},
		{"a list after text is its own block", "text\n\n- a\n\n- b", []string{"text", "- a\n\n- b"}},
		{"link definitions keep all together", "see [x]\n\n[x]: http://e\n", []string{"see [x]\n\n[x]: http://e\n"}},
		{"nothing", "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := blocks(c.give); strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestMarkdownRenders(t *testing.T) {
	got := ansi.Strip(strings.Join(Markdown(theme.New(theme.Options{Dark: true}), "# Title\n\nSome **bold** and `code`.\n\n1. one\n2. two\n\n```go\nx := 1\n```\n", 40), "\n"))
	for _, want := range []string{"Title", "Some bold and code.", "1. one", "2. two", "x := 1"} {
		if !strings.Contains(strings.ReplaceAll(got, "\u00a0", " "), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// hostile are texts whose control characters appear only once Markdown or HTML
// has been decoded.
var hostile = []string{
	"**a** &#27;[2J &#x1b;]0;title&#7; b",
	"`code` &#27[31mred",
	"&amp;#27;[2J *x*",
	"&#155;2J *x* &#x202e;",
	"[text](http://e/&#27;]52;c;AAAA&#7;)",
	"<b>&#27;[8m</b> *x*",
	"```\n&#27;[2J\n```",
	"![i&#27;[2J](x)\n\n| &#27;c | b |\n|---|---|\n| &#8203; | &NewLine;&Tab; |",
	"*x* \x1b]8;;http://e\x1b\\link\x1b]8;;\x1b\\",
}

var colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

func checkClean(t *testing.T, s string) {
	t.Helper()
	for _, th := range []*theme.Theme{theme.New(theme.Options{Dark: true}), theme.New(theme.Options{ASCII: true})} {
		for _, l := range Markdown(th, s, 60) {
			bare := colour.ReplaceAllString(l, "")
			for _, r := range bare {
				if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
					t.Fatalf("control character %U from %q in %q", r, s, l)
				}
			}
			if w := ansi.StringWidth(l); w > 60 {
				t.Fatalf("line of %d cells from %q: %q", w, s, l)
			}
		}
	}
}

func TestDecodedControlCharactersNeverReachTheScreen(t *testing.T) {
	for _, s := range hostile {
		checkClean(t, s)
		if joined := strings.Join(Markdown(theme.New(theme.Options{NoColor: true}), s, 60), ""); strings.Contains(joined, "\x1b[8m") || strings.Contains(joined, "\x1b[31m") {
			t.Errorf("%q coloured the screen: %q", s, joined)
		}
	}
}

func TestTame(t *testing.T) {
	for s, want := range map[string]bool{
		"# title\n\n- a\n  - b\n    - c":                       true,
		"> quoted\n> > twice":                                  true,
		"```\n" + strings.Repeat(" ", 60) + "deep code\n```":   true,
		strings.Repeat("> ", 20) + "x":                         false,
		"<b>\n```\n" + strings.Repeat("> ", 20):                false,
		strings.Repeat("- ", 20):                               false,
		strings.Repeat("1. ", 20):                              false,
		strings.Repeat("> - ", 10):                             false,
		strings.Repeat("[a](", 3000):                           false,
		strings.Repeat(" ", 60) + "- deep":                     false,
		"- a\n" + strings.Repeat(" ", 50) + "text in the deep": false,
	} {
		if got := tame(s); got != want {
			t.Errorf("tame(%.30q) = %t, want %t", s, got, want)
		}
	}
}

// Each text here once took the renderer minutes.
func TestHostileNestingIsFast(t *testing.T) {
	for _, unit := range []string{"> ", "1. ", "[a](", "> - ", "- - > "} {
		begun := time.Now()
		Markdown(theme.New(theme.Options{}), "*x*\n\n"+strings.Repeat(unit, 16384/len(unit)), 80)
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%q took %s", unit, took)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Add("# a\n\n- b\n\n  c\n\n1) d")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2048 {
			return
		}
		checkClean(t, s)
	})
}

func FuzzBlocks(f *testing.F) {
	f.Add("a\n\n```\nb\n\n```\n\n- c\n\n- d")
	f.Fuzz(func(t *testing.T, s string) {
		squash := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if got := strings.Join(blocks(s), "\n\n"); squash(got) != squash(s) {
			t.Fatalf("blocks of %q lose text: %q", s, got)
		}
	})
}
