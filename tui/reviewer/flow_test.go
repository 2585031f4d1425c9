package reviewer

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan/text"
	"planmode/revdiff/compare"
)

// modelOf shows a text that is in no file.
func modelOf(content string, width int) *Model {
	s := &subject{new: &textFile{path: "plan.md", bytes: len(content), lines: splitLines(content)}, marks: map[int]*compare.Change{}, compared: &compare.Comparison{}}
	s.newInfo = classify(s.new.lines)
	s.headings = headingsOf(s.new.lines, s.newInfo)
	s.lay()
	m := newModel(Options{}, s, nil)
	m.contents.wanted = false
	m.width, m.height = width, 40
	m.layout()
	return m
}

// drawnRows are the rows of every line, without style.
func drawnRows(m *Model) [][]string {
	out := make([][]string, len(m.subject.edits))
	for e := range m.subject.edits {
		for _, row := range m.textRows(e, m.textWidth()-m.gutterWidth()) {
			out[e] = append(out[e], plainText(row))
		}
	}
	return out
}

func TestDocumentRows(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"prose that was filled is filled anew",
			"This paragraph was filled to a column of some fifty cells\nso that its lines say nothing, and they are one text\nhere.",
			"1 This paragraph was filled to a\n1 column of some fifty cells so that\n2 its lines say nothing, and they are\n2 one text here."},
		{"sentences on lines of their own stay there", "One sentence.\nAnother one.", "1 One sentence.\n2 Another one."},
		{"a hard break is a break", "one  \ntwo\\\nthree", "1 one\n2 two\n3 three"},
		{"a list hangs", "- one two three four five six seven eight\n  1. nested\n     going on", "1 • one two three four five six seven\n1   eight\n2   1. nested\n3      going on"},
		{"numbers are as they are written", "1. a\n1. b\n7) c", "1 1. a\n2 1. b\n3 7) c"},
		{"tasks have boxes", "- [x] done\n- [ ] open", "1 • ☑ done\n2 • ☐ open"},
		{"a second paragraph hangs below its item", "10. a\n\n    b", "1 10. a\n2 \n3     b"},
		{"emphasis may span lines", "a **b\nc** d", "1 a b\n2 c d"},
		{"emphasis beside full-width punctuation", "**注意：**好", "1 注意：好"},
		{"a link by reference shows where it leads", "see [docs][d]\n\n[d]: https://x.y", "1 see docs (https://x.y)\n2 \n3 [d]: https://x.y"},
		{"a title on two lines is one", "Title\n=====\ntext", "1 # Title\n3 text"},
		{"a footnote hangs below its mark", "a[^1]\n\n[^1]: the note is long enough to be wrapped", "1 a[^1]\n2 \n3 [^1]: the note is long enough to be\n3       wrapped"},
		{"an entity may not be an escape", "a&#27;[2J&#x202e;b", "1 ab"},
		{"a table is aligned", "| a | b |\n|---|--:|\n| one | 1 |\n| 计划 | 22 |", "1 a    │  b\n2 ─────┼───\n3 one  │  1\n4 计划 │ 22"},
		{"cells wrap in their column", "a | b\n---|---\nshort | a cell that is longer than the others are", "1 a     │ b\n2 ──────┼─────────────────────────────\n3 short │ a cell that is longer than\n3       │ the others are"},
		{"a table without room is a list of cells", "|a|b|c|d|e|\n|-|-|-|-|-|\n|one two three|four five|six seven eight|nine ten|eleven|\n|x||||y|",
			"1 a │ b │ c │ d │ e\n2 ──────────────────────────────\n3 a: one two three\n3 b: four five\n3 c: six seven eight\n3 d: nine ten\n3 e: eleven\n4 ───\n4 a: x\n4 e: y"},
		{"a pipe may be part of a cell", "|a|\n|-|\n|`x\\|y`|", "1 a\n2 ───\n3 x|y"},
		{"a quotation in a list", "- > a\n  > b", "1 • │ a\n2   │ b"},
		{"code has an edge, and no blank line breaks it", "```go\na\n\nb\n```", "1 ╭ go\n2 │ a\n3 │ \n4 │ b\n5 ╰ "},
		{"code in a list", "- a\n\n  ~~~\n  x\n  ~~~", "1 • a\n2 \n3   ╭ \n4   │ x\n5   ╰ "},
		{"indented code", "a\n\n    x\n      y", "1 a\n2 \n3 │ x\n4 │   y"},
		{"HTML is shown as it is written", "<div>\n*x*\n</div>", "1 <div>\n2 *x*\n3 </div>"},
		{"a comment is shown as it is written", "<!-- *a*\nb -->\n\nc <!-- d --> e", "1 <!-- *a*\n2 b -->\n3 \n4 c <!-- d --> e"},
		{"front matter is not Markdown", "---\na: *b*\n---\nc", "1 ---\n2 a: *b*\n3 ---\n4 c"},
		{"a rule is as wide as the text", "a\n\n***", "1 a\n2 \n3 ────────────────────────────────────"},
		{"Chinese lines are joined without a blank",
			"这一行被手工换行，所以它应当与下一行连接在一起，不应当\n出现空格，因为中文不需要空格，这是中文排版的常识，大家\n知道。",
			"1 这一行被手工换行，所以它应当与下一行\n1 连接在一起，不应当出现空格，因为中文\n2 不需要空格，这是中文排版的常识，大家\n3 知道。"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for e, rows := range drawnRows(modelOf(c.text, 38)) {
				for _, row := range rows {
					got = append(got, fmt.Sprintf("%d %s", e+1, row))
				}
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("got\n%s\nwant\n%s", s, c.want)
			}
		})
	}
}

// checkRows holds what every rendered document keeps to: each row is clean, fits,
// and belongs to a line; the first line is never folded.
func checkRows(t *testing.T, m *Model) {
	t.Helper()
	room := max(m.textWidth()-m.gutterWidth(), 1)
	for e, rows := range drawnRows(m) {
		if len(rows) == 0 && (e == 0 || !m.folded(e)) {
			t.Fatalf("line %d has no row", e+1)
		}
		for _, row := range rows {
			if text.Clean(row) != row || strings.ContainsAny(row, "\n\r\t\x1b") {
				t.Fatalf("row %q of line %d is not clean", row, e+1)
			}
			if w := ansi.StringWidth(row); w > room && room > 1 && m.look.wrap {
				t.Fatalf("row %q of line %d has %d cells, %d are there", row, e+1, w, room)
			}
		}
	}
}

func FuzzDocument(f *testing.F) {
	sample, err := os.ReadFile("testdata/document.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(sample), uint8(38))
	for _, s := range []string{"a\x1b[2J|b\n-|-\n\x1b]0;x\a|c", "[^1]:\n\tx", "- - - a\n> > b\n", "&#27;&#155;", "|a\n|-\n|", "\ufeff# a\r\nb\r", "```\n- x\n", "[a]: <b\n[a]", "1. \n2.\n\n\n   x"} {
		f.Add(s, uint8(20))
	}
	f.Fuzz(func(t *testing.T, content string, width uint8) {
		if len(content) > 4<<10 {
			return
		}
		m := modelOf(content, int(width)+2)
		checkRows(t, m)
		m.look.wrap = false
		checkRows(t, m)
		m.look.wrap, m.look.raw = true, true
		checkRows(t, m)
	})
}

// TestNothingOfADocumentIsLost makes documents of all kinds of blocks, with words
// that occur once, and looks for each of them on the rows of its line or of the
// line that its line is folded into.
func TestNothingOfADocumentIsLost(t *testing.T) {
	shapes := []string{
		"W W W\n", "## W W\n", "- W\n  W\n  - W\n", "1. W\n\n   W\n2. [x] W\n", "> W W\n> W\n", "| W | W |\n|---|:-:|\n| W W W | W |\n| W | `W` |\n",
		"```go\nW W\n\nW\n```\n", "W *W\nW* **W**\n", "[W](https://W.example) W\n", "[^W]: W W\n", "<div>\nW\n</div>\n", "W\n===\n", "    W\n    W\n",
		"a long line of words that is filled to a column W\nand goes on with further words of the same kind W W\nW\n", "- > W\n\n  ```\n  W\n  ```\n", "W | W\n--|--\nW | W\n",
	}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		var b strings.Builder
		words := 0
		for range 1 + r.IntN(12) {
			shape := shapes[r.IntN(len(shapes))]
			for strings.Contains(shape, "W") {
				words++
				shape = strings.Replace(shape, "W", fmt.Sprintf("w%dx", words), 1)
			}
			b.WriteString(shape)
			if r.IntN(5) > 0 {
				b.WriteString("\n")
			}
		}
		m := modelOf(b.String(), 20+r.IntN(100))
		checkRows(t, m)
		rows := drawnRows(m)
		for e, line := range m.subject.new.lines {
			owner := e
			for owner > 0 && len(rows[owner]) == 0 {
				owner--
			}
			// A word may be at the end of the row that the line before began.
			near := strings.Join(append(append([]string(nil), rows[max(owner-1, 0)]...), rows[owner]...), "")
			for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r != 'w' && r != 'x' && (r < '0' || r > '9') }) {
				if strings.HasPrefix(w, "w") && strings.HasSuffix(w, "x") && len(w) > 2 && !strings.Contains(strings.ReplaceAll(near, " ", ""), w) {
					t.Fatalf("%q of line %d is not at %q:\n%s", w, e+1, near, b.String())
				}
			}
		}
	}
}

func TestTheViewsOfADocument(t *testing.T) {
	sample, err := os.ReadFile("testdata/document.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{40, 80, 120, 200} {
		d := sit(t, reviewOf(t, string(sample), func(o *Options) { o.LineNumbers = width == 120 }), width, 140-width/4)
		d.golden(fmt.Sprintf("document-%d", width))
		if width == 80 {
			d.press("r")
			d.golden("document-source")
		}
	}
}
