package theme

import "testing"

func TestDiffLines(t *testing.T) {
	th := New(Options{Dark: true})
	style := th.DiffLines(th.Dim)
	for _, c := range []struct{ name, line, want string }{
		{"the header of a file is not a removed line", "--- a/x", th.Muted.Render("--- a/x")},
		{"nor an added one", "+++ b/x", th.Muted.Render("+++ b/x")},
		{"a hunk begins", "@@ -1 +1 @@", th.Hunk.Render("@@ -1 +1 @@")},
		{"a removed line may begin with dashes", "--- x", th.Removed.Render("--- x")},
		{"an added line may begin with plus signs", "+++ x", th.Added.Render("+++ x")},
		{"the rest is plain", " x", th.Dim.Render(" x")},
	} {
		if got := style(c.line).Render(c.line); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSigns(t *testing.T) {
	const s = "r1 → r2 · 3 steps"
	if got := New(Options{}).Signs(s); got != s {
		t.Errorf("Unicode: got %q", got)
	}
	if got := New(Options{ASCII: true}).Signs(s); got != "r1 -> r2 - 3 steps" {
		t.Errorf("ASCII: got %q", got)
	}
}
