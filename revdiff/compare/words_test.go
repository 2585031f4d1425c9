package compare

import (
	"slices"
	"strings"
	"testing"
)

func TestPairs(t *testing.T) {
	cases := []struct {
		name       string
		old, added []string
		want       []int
	}{
		{"similar lines are paired across an insertion",
			[]string{"Add the token store", "Rotate keys weekly"},
			[]string{"Something else entirely", "Add the token store in Redis", "Rotate keys every day"},
			[]int{1, 2}},
		{"unlike lines are not paired", []string{"alpha beta"}, []string{"gamma delta"}, []int{-1}},
		{"pairs never cross", []string{"one two three", "four five six"}, []string{"four five six!", "one two three!"}, []int{-1, 0}},
		{"Chinese lines are compared by character", []string{"迁移用户数据到新库"}, []string{"迁移全部用户数据到新库"}, []int{0}},
		{"nothing to pair with", []string{"a"}, nil, []int{-1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Pairs(c.old, c.added)
			if c.name == "pairs never cross" {
				if got[0] >= 0 && got[1] >= 0 {
					t.Fatalf("crossing pairs %v", got)
				}
				return
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestChangedWords(t *testing.T) {
	mark := func(s string, spans []Span) string {
		var b strings.Builder
		at := 0
		for _, x := range spans {
			b.WriteString(s[at:x.Start] + "[" + s[x.Start:x.End] + "]")
			at = x.End
		}
		return b.String() + s[at:]
	}
	cases := []struct{ name, old, new, wantOld, wantNew string }{
		{"one word", "Store tokens in memory now", "Store tokens in Redis now", "Store tokens in [memory] now", "Store tokens in [Redis] now"},
		{"a changed phrase is one mark", "use a big hammer today", "use one small hammer today", "use [a big] hammer today", "use [one small] hammer today"},
		{"an addition marks one side", "a b c d", "a b x c d", "a b c d", "a b [x ]c d"},
		{"a Chinese character", "迁移旧用户数据", "迁移新用户数据", "迁移[旧]用户数据", "迁移[新]用户数据"},
		{"too little in common for marks", "alpha beta gamma", "one two three", "alpha beta gamma", "one two three"},
		{"a number inside code", "`timeout: 30`", "`timeout: 45`", "`timeout: [30]`", "`timeout: [45]`"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			gone, fresh, _ := changedWords(c.old, c.new)
			if got := mark(c.old, gone); got != c.wantOld {
				t.Errorf("old %s, want %s", got, c.wantOld)
			}
			if got := mark(c.new, fresh); got != c.wantNew {
				t.Errorf("new %s, want %s", got, c.wantNew)
			}
		})
	}
	long := strings.Repeat("word ", maxWordLine)
	if gone, fresh, related := changedWords(long, long+"x"); gone != nil || fresh != nil || related {
		t.Error("a long line got marks")
	}
}

func FuzzChangedWords(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add("中文", "中 文")
	f.Fuzz(func(t *testing.T, old, new string) {
		gone, fresh, _ := changedWords(old, new)
		for _, side := range []struct {
			text  string
			spans []Span
		}{{old, gone}, {new, fresh}} {
			at := 0
			for _, s := range side.spans {
				if s.Start < at || s.End <= s.Start || s.End > len(side.text) {
					t.Fatalf("spans %v of %q", side.spans, side.text)
				}
				at = s.End
			}
		}
	})
}
