package revdiff

import (
	"testing"
	"unicode/utf8"
)

func FuzzFilterConfigLeavesNothingToFilter(f *testing.F) {
	f.Add("[Application Options]\ninclude = a\n; staged\nHISTORY_DIR:x\ntheme = nord\r\n")
	f.Fuzz(func(t *testing.T, config string) {
		filtered, found := filterConfig(config)
		if !found && filtered != config {
			t.Fatalf("changed to %q without a reason", filtered)
		}
		if again, more := filterConfig(filtered); more || again != filtered {
			t.Fatalf("filtered again: %q", again)
		}
	})
}

func FuzzNotesAreAlwaysAboutTheTextShown(f *testing.F) {
	f.Add([]byte("## plan-r2.md:5 (+)\nx\n\n## plan-r2.md:5-6 (-)\ny\n\n## other:1 ( )\nz\n"))
	f.Add([]byte("## plan-r2.md (file-level)\n\xff\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		j := &Job{Copy: "/private/plan-r2.md", shown: shown{old: textOne, new: textTwo, oldCopy: "/private/plan-r1.md"}}
		a := j.newAnchors()
		for _, n := range j.parse(fromOutput, raw).items {
			if n.Line < 0 || max(n.Line, n.End) > a.lines(n.Side == "old") || !utf8.ValidString(n.Body) {
				t.Fatalf("note %+v", n)
			}
		}
	})
}
