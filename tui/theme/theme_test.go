package theme

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestForegroundsAreReadableOnTheirBackground(t *testing.T) {
	backs := map[bool][]string{true: {"#000000", "#1e1e1e"}, false: {"#ffffff", "#f6f6f6"}}
	for dark, list := range backs {
		p := paletteFor(dark)
		pairs := map[string][2]color.Color{
			"added word":   {p.success, p.addedBack},
			"removed word": {p.danger, p.removedBack},
			"selection":    {p.onSelection, p.selection},
		}
		for _, back := range list {
			b := lipgloss.Color(back)
			for name, fg := range map[string]color.Color{
				"muted": p.muted, "dim": p.dim, "accent": p.accent, "code": p.code,
				"success": p.success, "warning": p.warning, "danger": p.danger,
			} {
				pairs[name+" on "+back] = [2]color.Color{fg, b}
			}
		}
		for name, pair := range pairs {
			if c := contrast(pair[0], pair[1]); c < 4.5 {
				t.Errorf("dark=%t: %s has contrast %.2f, want 4.5", dark, name, c)
			}
		}
	}
}

func TestStatusColoursKeepTheirHueWithSixteenColours(t *testing.T) {
	hue := map[ansi.BasicColor]string{1: "red", 9: "red", 2: "green", 10: "green", 3: "yellow", 11: "yellow"}
	for _, dark := range []bool{true, false} {
		p := paletteFor(dark)
		for want, c := range map[string]color.Color{"green": p.success, "yellow": p.warning, "red": p.danger} {
			if got := hue[ansi.Convert16(c)]; got != want {
				t.Errorf("dark=%t: %s becomes colour %d (%s)", dark, want, ansi.Convert16(c), got)
			}
		}
	}
}

func TestGlyphs(t *testing.T) {
	for _, ascii := range []bool{true, false} {
		th := New(Options{ASCII: ascii})
		g := th.Glyphs
		all := append([]string{g.Pause, g.Bar, g.Bullet, g.Check, g.Cross, g.Bang, g.Elbow, g.Ellipsis, g.Arrow,
			g.HRule, g.VRule, g.Pointer, g.Dot, g.Up, g.Down}, g.Spinner...)
		for _, s := range all {
			if s == "" || strings.ContainsAny(s, "\ufe0f\u200d") {
				t.Errorf("ascii=%t: glyph %q is empty or joins", ascii, s)
			}
			if ascii && strings.ContainsFunc(s, func(r rune) bool { return r > 126 }) {
				t.Errorf("glyph %q is not ASCII", s)
			}
			if !ascii && ansi.StringWidth(s) != 1 {
				t.Errorf("glyph %q takes %d cells", s, ansi.StringWidth(s))
			}
		}
	}
}

func TestVersionTellsAppearancesApart(t *testing.T) {
	seen := map[string]bool{}
	for i := range 8 {
		v := New(Options{Dark: i&1 != 0, ASCII: i&2 != 0, NoColor: i&4 != 0}).Version()
		if seen[v] {
			t.Errorf("version %q twice", v)
		}
		seen[v] = true
	}
}

func TestNoColorDrawsWithoutColours(t *testing.T) {
	th := New(Options{NoColor: true, Dark: true})
	for _, s := range []lipgloss.Style{th.Success, th.Error, th.Selection, th.AddedWord, th.Border, th.Dim} {
		if out := s.Render("x"); strings.Contains(out, "38;") || strings.Contains(out, "48;") {
			t.Errorf("coloured: %q", out)
		}
	}
	if th.Dim.Render("x") == th.Strong.Render("x") {
		t.Error("dim and strong look the same")
	}
}

func TestLinesAreExact(t *testing.T) {
	texts := []string{"", "a", "hello world, a longer line of text", "计划模式：评审一个修订", "👍🏽 emoji 👩‍👩‍👧 family", "e\u0301\u0301\u0301",
		"\x1b[1mbold\x1b[0m and plain text"}
	for _, ascii := range []bool{false, true} {
		th := New(Options{Dark: true, ASCII: ascii})
		for width := -1; width <= 200; width++ {
			want := max(width, 0)
			for _, a := range texts {
				for _, line := range th.Wrap(a, width) {
					if w := ansi.StringWidth(line); w > want {
						t.Fatalf("wrap %q at %d: line of %d", a, width, w)
					}
				}
				exact := map[string]string{"fit": th.Fit(a, width), "rule": th.Rule(a, width)}
				for _, b := range texts {
					exact["spread "+b] = th.Spread(a, b, width)
				}
				for name, line := range exact {
					if w := ansi.StringWidth(line); w != want {
						t.Fatalf("%s %q at %d: %d cells: %q", name, a, width, w, line)
					}
				}
			}
		}
	}
}

func TestSpread(t *testing.T) {
	th := New(Options{})
	tests := []struct {
		name        string
		left, right string
		width       int
		want        string
	}{
		{"both fit", "left", "right", 20, "left           right"},
		{"the left part is shortened first", "a long left part", "right", 20, "a long left …  right"},
		{"the right part goes when eight cells would not remain", "a long left part", "right", 14, "a long left p…"},
		{"a short left part keeps the right part in little room", "ab", "right", 9, "ab  right"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := th.Spread(tt.left, tt.right, tt.width); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBlock(t *testing.T) {
	got := New(Options{}).Block([]string{"a", "bcdef", "x"}, 3, 2)
	if fmt.Sprintf("%q", got) != `["a  " "bc…"]` {
		t.Errorf("got %q", got)
	}
}

// contrast is the ratio WCAG 2 defines.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	f := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.03928 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*f(r) + 0.7152*f(g) + 0.0722*f(b)
}

func TestAPathIsCutInTheMiddle(t *testing.T) {
	for name, c := range map[string]struct {
		ascii bool
		width int
		in    string
		want  string
	}{
		"what fits stays":                        {false, 20, "plan/tool/read.go", "plan/tool/read.go"},
		"the file name stays":                    {false, 20, "plan/session/archive/read.go", "plan/sessio…/read.go"},
		"in ASCII, too":                          {true, 20, "plan/session/archive/read.go", "plan/sess.../read.go"},
		"wide characters are never cut in half":  {false, 20, "计划计划计划计划计划计划/甲.go", "计划计划计划…/甲.go"},
		"what comes after the path stays":        {false, 28, "Create a/b/c/d/e/f/g/h/read.go · 1 of 3", "Create a/b…/read.go · 1 of 3"},
		"a name that is too long is cut its end": {false, 12, "plan/a_very_long_name.go", "plan/a_very…"},
		"what is no path is cut at its end":      {false, 8, "go test everything", "go test…"},
		"no room at all":                         {false, 0, "a/b", ""},
	} {
		got := New(Options{ASCII: c.ascii}).Middle(c.in, c.width)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
