package reviewer

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planmode/tui/theme"
)

func TestClassify(t *testing.T) {
	names := map[lineKind]string{kindText: "text", kindBlank: "blank", kindHeading: "heading", kindUnderline: "underline", kindFence: "fence",
		kindCode: "code", kindQuote: "quote", kindList: "list", kindTable: "table", kindRule: "rule", kindFront: "front", kindComment: "comment"}
	cases := []struct{ name, text, want string }{
		{"headings need a blank behind the hashes", "# a\n#b\n####### c", "heading text text"},
		{"a heading on two lines", "Title\n=====\nSub\n---", "heading underline heading underline"},
		{"a rule after a blank line is a rule", "a\n\n---", "text blank rule"},
		{"a fence hides what looks like Markdown", "```go\n# a\n~~~\n```\n# b", "fence code code fence heading"},
		{"a longer fence needs a longer end", "````\n```\n````", "fence code fence"},
		{"inline code with three backticks is no fence", "```a``` b\n# c", "text heading"},
		{"front matter ends at the rule", "---\na: 1\n---\n# b", "front front front heading"},
		{"a rule at the start is no front matter", "---\n\na\n---", "rule blank heading underline"},
		{"lists with bullets, numbers and parentheses", "- a\n* b\n12) c\n1.d\n-e", "list list list text text"},
		{"a comment over several lines", "<!-- a\nb -->\nc", "comment comment text"},
		{"quotes and tables", "> a\n| a | b |", "quote table"},
		{"an open fence runs to the end", "~~~\na", "fence code"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, info := range classify(strings.Split(c.text, "\n")) {
				got = append(got, names[info.kind])
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %s, want %s", s, c.want)
			}
		})
	}
}

func TestInline(t *testing.T) {
	cases := []struct{ name, line, want string }{
		{"emphasis loses its marks", "a **b** *c* ~~d~~ e", "a b c d e"},
		{"code keeps what looks like emphasis", "x `**y**` z", "x **y** z"},
		{"snake case is no emphasis", "a snake_case_name here", "a snake_case_name here"},
		{"a product is no emphasis", "2 * 3 * 4", "2 * 3 * 4"},
		{"a link shows where it leads", "see [docs](https://x.y/z).", "see docs (https://x.y/z)."},
		{"an escape shows the character", `a \*b\*`, "a *b*"},
		{"an open mark stays", "a **b", "a **b"},
		{"an address ends at a blank", "go https://a.b/c_d_e now", "go https://a.b/c_d_e now"},
		{"marks inside emphasis", "**a `b` c**", "a b c"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := plainText(inline(c.line, faceText, hideMarks)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := plainText(inline(c.line, faceText, keepMarks)); got != c.line {
				t.Errorf("with marks kept %q became %q", c.line, got)
			}
		})
	}
}

// FuzzStyled holds that a comparison shows every character of a line, and that
// no row of any line is wider than it may be.
func FuzzStyled(f *testing.F) {
	for _, seed := range []string{"# a **b**", "- [x] done `c`", "> > quote", "1. [l](u) _e_", "| a | 计划 |", "a\\*b ***c***", "  ```", "- "} {
		f.Add(seed, uint8(20))
	}
	m := &Model{theme: theme.New(theme.Options{})}
	m.paint = newPainter(m.theme)
	f.Fuzz(func(t *testing.T, source string, width uint8) {
		line, _, _ := strings.Cut(source, "\n")
		info := classify([]string{line})[0]
		line = drawable(line)
		if line != ansi.Strip(line) || strings.ContainsAny(line, "\n\r\t") {
			t.Fatalf("%q is not fit for the screen", line)
		}
		kept, _ := m.styled(line, info, keepMarks)
		if got := plainText(kept); got != line {
			t.Fatalf("%q became %q", line, got)
		}
		pieces, hang := m.styled(line, info, hideMarks)
		room := max(int(width), 2)
		for _, row := range wrap(pieces, room, hang) {
			if w := ansi.StringWidth(plainText(row)); w > room {
				t.Fatalf("a row of %q has %d cells, %d are there", line, w, room)
			}
		}
	})
}

func TestWrap(t *testing.T) {
	cases := []struct {
		name, text string
		width      int
		hang, want string
	}{
		{"at blanks", "one two three", 8, "", "one two|three"},
		{"with a hanging indent", "- one two three", 9, "  ", "- one two|  three"},
		{"a word that is too long is cut", "abcdefghij", 4, "", "abcd|efgh|ij"},
		{"Chinese between any characters", "计划模式评审", 5, "", "计划|模式|评审"},
		{"no row begins with a closing mark", "计划模式，评审", 8, "", "计划模|式，评审"},
		{"an indent that leaves no room is dropped", "aa bb cc", 4, "      ", "aa|bb|cc"},
		{"a width of one", "计a", 1, "", "计|a"},
		{"nothing is one row", "", 5, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, row := range wrap([]piece{{c.text, 0}}, c.width, []piece{{c.hang, 0}}) {
				got = append(got, plainText(row))
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got %s, want %s", s, c.want)
			}
		})
	}
}

func TestOverlay(t *testing.T) {
	pieces := []piece{{"abc", faceText}, {"def", faceCode}}
	var got []string
	for _, p := range overlay(pieces, []span{{Start: 1, End: 2}, {Start: 2, End: 4}, {Start: 5, End: 6}}, faceMatch) {
		s := p.text
		if p.face&faceMatch != 0 {
			s = "[" + s + "]"
		}
		got = append(got, s)
	}
	if s := strings.Join(got, " "); s != "a [b] [c] [d] e [f]" {
		t.Errorf("got %s", s)
	}
}
