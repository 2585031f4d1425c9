package document

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHeadings(t *testing.T) {
	tests := []struct {
		name string
		in   string
		want []Heading
	}{
		{"levels and lines are known", "# A\n\n## B\ntext\n### C\n", []Heading{{1, 1, "A"}, {2, 3, "B"}, {3, 5, "C"}}},
		{"an underlined heading is on its first line", "x\n\nA\nB\n---\n", []Heading{{2, 3, "A B"}}},
		{"an empty heading is a heading", "a\n\n##\n\n# B\n", []Heading{{2, 3, ""}, {1, 5, "B"}}},
		{"markup is flattened", "## **A** [b](c) `d`\n", []Heading{{2, 1, "A b d"}}},
		{"fences, quotations and lists hold none", "```\n# a\n```\n> # b\n\n- # c\n\n# D\n", []Heading{{1, 8, "D"}}},
		{"front matter is no heading and counts as lines", "---\ntitle: x\ntags: [a]\n---\n# A\n", []Heading{{1, 5, "A"}}},
		{"front matter may end in dots", "---\ntitle: x\n...\n# A\n", []Heading{{1, 4, "A"}}},
		{"a rule at the top is no front matter", "---\n\n# A\n\n---\n", []Heading{{1, 3, "A"}}},
		{"front matter without an end is text", "---\ntitle: x\n\n# A\n", []Heading{{1, 4, "A"}}},
		{"seven hashes are text", "####### a\n", nil},
		{"an empty text has none", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.in)).Headings(); !slices.Equal(got, tt.want) {
				t.Errorf("Headings of %q = %+v, want %+v", tt.in, got, tt.want)
			}
		})
	}
}

func TestHeadingAt(t *testing.T) {
	d := Parse([]byte("intro\n\n# Title\n## Goal\n### Why\nx\n## Risks\ny\n"))
	for line, want := range map[int][]string{
		1: nil, 2: nil, 3: {"Title"}, 4: {"Title", "Goal"}, 6: {"Title", "Goal", "Why"},
		7: {"Title", "Risks"}, 8: {"Title", "Risks"}, 99: {"Title", "Risks"},
	} {
		if got := d.HeadingAt(line); !slices.Equal(got, want) {
			t.Errorf("HeadingAt(%d) = %q, want %q", line, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	d := Parse([]byte("a\n\nc"))
	for n, want := range map[int]string{-1: "", 0: "", 1: "a", 2: "", 3: "c", 4: ""} {
		if got := d.Line(n); got != want {
			t.Errorf("Line(%d) = %q, want %q", n, got, want)
		}
	}
}

// Each of these costs a naive parser minutes or gigabytes.
func TestParseIsBoundedOnHostileText(t *testing.T) {
	const size = 256<<10 - 100
	fill := func(unit string) string {
		return "## Execution steps\n" + strings.Repeat(unit, size/len(unit)) + "\n"
	}
	for name, in := range map[string]string{
		"nested quotations":    fill(">"),
		"nested lists":         fill("1. "),
		"nested bullets":       fill("- "),
		"open links":           fill("[a]("),
		"a wide table":         fill("|a") + strings.Repeat("|-", 1000) + "\n" + strings.Repeat("x\n", 1000),
		"steps of open links":  fill("1. " + strings.Repeat("[a](", 1000) + "\n"),
		"a step per few bytes": fill("1. [a][b]\n"),
	} {
		start := time.Now()
		Parse([]byte(in))
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func BenchmarkParse256KiB(b *testing.B) {
	var text strings.Builder
	text.WriteString("# Title\n\n## Execution steps\n\n")
	for text.Len() < 255<<10 {
		text.WriteString("1. change `a.go` and [link](x) to **this**, then run the tests\n\n   more about it\n\n")
	}
	in := []byte(text.String())
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		Parse(in)
	}
}
