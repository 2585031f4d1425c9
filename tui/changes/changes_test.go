package changes

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planmode/tui/theme"
)

func TestOf(t *testing.T) {
	old := "a\nb\nc\nthe old way of it\nd\ne\nf\ng\nh\ni\nj\nk\n"
	fresh := "a\nb\nc\nthe new way of it\nd\ne\nf\ng\nh\ni\nj\nk\nl\n"
	d := Of(old, fresh)
	if d.Added != 2 || d.Removed != 1 || len(d.Hunks) != 2 {
		t.Fatalf("%+v", d)
	}
	want := `@@ -1,7 +1,7 @@
 a
 b
 c
-the old way of it
+the new way of it
 d
 e
 f
@@ -10,3 +10,4 @@
 i
 j
 k
+l
`
	if got := d.Plain(); got != want {
		t.Errorf("got\n%s", got)
	}
	removed := d.Hunks[0].Lines[3]
	if len(removed.Changed) != 1 || removed.Text[removed.Changed[0][0]:removed.Changed[0][1]] != "old" {
		t.Errorf("changed words: %+v", removed)
	}
}

func TestEqualAndEmptyTexts(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"equal texts":       {"a\n", "a\n", ""},
		"from nothing":      {"", "a\n", "@@ -0,0 +1,1 @@\n+a\n"},
		"to nothing":        {"a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		"no text at all":    {"", "", ""},
		"hostile sequences": {"", "\x1b[2Ja\u202e\n", "@@ -0,0 +1,1 @@\n+a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Of(c.old, c.new).Plain(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDrawingKeepsTheTextAndTheWidth(t *testing.T) {
	th := theme.New(theme.Options{Dark: true})
	d := Of("购物车 the old way\n", "购物车 the new way, and a longer line 迁移迁移迁移\n")
	if got := ansi.Strip(strings.Join(d.Styled(th), "\n")) + "\n"; got != d.Plain() {
		t.Errorf("got %q", got)
	}
	for width := 2; width < 60; width++ {
		for _, l := range d.Draw(th, width) {
			if theme.Width(l) > width {
				t.Fatalf("%d cells at %d: %q", theme.Width(l), width, l)
			}
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n")
	f.Add("购\x1b物", "\r\n\n")
	f.Fuzz(func(t *testing.T, old, fresh string) {
		d := Of(old, fresh)
		for _, h := range d.Hunks {
			for _, l := range h.Lines {
				for _, c := range l.Changed {
					if c[0] < 0 || c[1] > len(l.Text) || c[0] > c[1] {
						t.Fatalf("range %v of %q", c, l.Text)
					}
				}
			}
		}
		d.Plain()
	})
}
