package pull

import (
	"strings"
	"testing"
)

const twoHunks = "@@ -1,3 +1,4 @@ func a\n one\n-two\n+TWO\n+2b\n three\n@@ -10 +11,2 @@\n ten\n+eleven\n\\ No newline at end of file"

func parsed(t *testing.T, text string) Patch {
	t.Helper()
	p, err := ParsePatch(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCheckAnchor(t *testing.T) {
	p := parsed(t, twoHunks)
	for name, c := range map[string]struct {
		anchor Anchor
		why    string
	}{
		"an added line":                       {Anchor{Side: Right, Line: 2}, ""},
		"an unchanged line on the right":      {Anchor{Side: Right, Line: 4}, ""},
		"a deleted line":                      {Anchor{Side: Left, Line: 2}, ""},
		"an unchanged line on the left":       {Anchor{Side: Left, Line: 1}, "not part"},
		"a line between the hunks":            {Anchor{Side: Right, Line: 7}, "not part"},
		"a range":                             {Anchor{Right, 3, Right, 2}, ""},
		"from deleted to added":               {Anchor{Right, 3, Left, 2}, ""},
		"a range over two hunks":              {Anchor{Right, 12, Right, 3}, "one hunk"},
		"a range that ends before it began":   {Anchor{Right, 2, Right, 3}, "before"},
		"a range of one line":                 {Anchor{Right, 2, Right, 2}, "before"},
		"a start outside the diff":            {Anchor{Right, 12, Right, 8}, "start line"},
		"a file without a patch is no anchor": {Anchor{Side: Right, Line: 0}, "not part"},
	} {
		got := p.CheckAnchor(c.anchor)
		if (got == "") != (c.why == "") || !strings.Contains(got, c.why) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if side, line, ok := p.Normal(Left, 3); side != Right || line != 4 || !ok {
		t.Error(side, line, ok)
	}
}

func TestParsePatchRefusesWhatDoesNotAddUp(t *testing.T) {
	for _, bad := range []string{"x", "@@ -1 +1 @@\n", "@@ -1,2 +1,2 @@\n a", "@@ -1 +1 @@\n a\n b", "@@ -1,2 +1 @@\n-a\n+b\n+c", "@@ -1 +1 @@\n*a"} {
		if p, err := ParsePatch(bad); err == nil {
			t.Errorf("%q was read as %v", bad, p)
		}
	}
	if p := parsed(t, ""); len(p.Hunks) != 0 {
		t.Error(p)
	}
}

func FuzzParsePatch(f *testing.F) {
	f.Add(twoHunks)
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePatch(s)
		if err != nil {
			return
		}
		for _, h := range p.Hunks {
			var old, fresh int64
			for _, l := range h.Lines {
				if l.Kind != '+' {
					old++
				}
				if l.Kind != '-' {
					fresh++
				}
			}
			if old != h.OldCount || fresh != h.NewCount {
				t.Fatalf("%d of %d old, %d of %d new lines", old, h.OldCount, fresh, h.NewCount)
			}
		}
	})
}
