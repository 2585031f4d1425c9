package compare

import (
	"strings"
	"testing"
)

// prosed writes a change with its changed words in brackets, and ≈ before lines
// none of whose words changed.
func prosed(lines []Line, spans [][]Span, kept []bool) string {
	var out []string
	for i, l := range lines {
		var b strings.Builder
		if kept[i] {
			b.WriteString("≈")
		}
		at := 0
		for _, s := range spans[i] {
			b.WriteString(l.Text[at:s.Start] + "[" + l.Text[s.Start:s.End] + "]")
			at = s.End
		}
		out = append(out, b.String()+l.Text[at:])
	}
	return strings.Join(out, "\n")
}

// marks asks for every line of a change.
func marks(c *Change, old, new []Line) (gone, fresh [][]Span, keptOld, keptNew []bool) {
	for k := range new {
		spans, kept := c.New(k)
		fresh, keptNew = append(fresh, spans), append(keptNew, kept)
	}
	for i := range old {
		spans, kept := c.Old(i)
		gone, keptOld = append(gone, spans), append(keptOld, kept)
	}
	return gone, fresh, keptOld, keptNew
}

func proseLines(s string) []Line {
	text := split(s)
	return linesOf(text, joins(text))
}

func TestProse(t *testing.T) {
	cases := []struct{ name, old, new, wantOld, wantNew string }{
		{"a word in a paragraph that was wrapped anew",
			"Move the tokens to Redis so that a restart\nkeeps every user signed in.",
			"Move the tokens to Redis so that a planned\nrestart keeps every user signed in.",
			"≈Move the tokens to Redis so that a restart\n≈keeps every user signed in.",
			"Move the tokens to Redis so that a [planned]\n≈restart keeps every user signed in."},
		{"a word in a line that stays a line",
			"Store tokens in memory now", "Store tokens in Redis now",
			"Store tokens in [memory] now", "Store tokens in [Redis] now"},
		{"items are compared one by one",
			"- write the interface\n- implement the store", "- write the interface first\n- implement the store",
			"- write the interface\n≈- implement the store", "- write the interface[ first]\n≈- implement the store"},
		{"a Chinese paragraph",
			"运行全部测试，观察一周，确认没有用户\n被登出。", "运行全部测试，观察两周，确认\n没有用户被登出。",
			"运行全部测试，观察[一]周，确认没有用户\n≈被登出。", "运行全部测试，观察[两]周，确认\n≈没有用户被登出。"},
		{"an indented paragraph keeps its places",
			"  one two three\n  four five six", "  one two\n  three four 5 six",
			"≈  one two three\n  four [five] six", "≈  one two\n  three four [5] six"},
		{"nothing in common", "alpha beta gamma", "one two three", "alpha beta gamma", "one two three"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			old, new := proseLines(c.old), proseLines(c.new)
			m := Prose(old, new)
			gone, fresh, keptOld, keptNew := marks(m, old, new)
			if got := prosed(old, gone, keptOld); got != c.wantOld {
				t.Errorf("old\n%s\nwant\n%s", got, c.wantOld)
			}
			if got := prosed(new, fresh, keptNew); got != c.wantNew {
				t.Errorf("new\n%s\nwant\n%s", got, c.wantNew)
			}
		})
	}
}

// FuzzProse holds that marks are inside their lines and in order, and that
// partners name each other without crossings.
func FuzzProse(f *testing.F) {
	f.Add("one two\nthree", "one\ntwo three four")
	f.Add("- a\n- b\n\n中文\n字", "- b\n\n中\n文字")
	f.Fuzz(func(t *testing.T, a, b string) {
		old, new := proseLines(a), proseLines(b)
		m := Prose(old, new)
		gone, fresh, _, _ := marks(m, old, new)
		for _, side := range []struct {
			lines []Line
			spans [][]Span
		}{{old, gone}, {new, fresh}} {
			for i, l := range side.lines {
				at := 0
				for _, s := range side.spans[i] {
					if s.Start < at || s.End <= s.Start || s.End > len(l.Text) {
						t.Fatalf("spans %v of %q", side.spans[i], l.Text)
					}
					at = s.End
				}
			}
		}
		last := -1
		for i, k := range m.Paired {
			if k < 0 {
				continue
			}
			if m.PartnerOf[k] != i || k <= last {
				t.Fatalf("line %d is paired with %d, and that with %d", i, k, m.PartnerOf[k])
			}
			last = k
		}
	})
}
