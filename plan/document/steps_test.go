package document

import (
	"slices"
	"strings"
	"testing"

	"planmode/plan/text"
)

func TestSteps(t *testing.T) {
	tests := []struct {
		name string
		in   string
		want []string
	}{
		{"upper case headings count", "## EXECUTION STEPS\n1. a\n", []string{"a"}},
		{"a closing sequence of hashes counts", "## Execution steps ##\n1. a\n", []string{"a"}},
		{"every level counts", "# Execution steps\n1. a\n", []string{"a"}},
		{"items with a parenthesis count", "## Execution steps\n1) a\n2) b\n", []string{"a", "b"}},
		{"a numbered heading counts", "## 6. Execution steps\n1. a\n", []string{"a"}},
		{"a heading with a colon counts", "## Execution steps:\n1. a\n", []string{"a"}},
		{"a bold heading counts", "## **Execution steps**\n1. a\n", []string{"a"}},
		{"an indented heading counts", "   ## Execution steps\n1. a\n", []string{"a"}},
		{"an underlined heading counts", "Execution steps\n===\n1. a\n", []string{"a"}},
		{"a Chinese heading with a full-width colon counts", "## 执行步骤：\n1. 甲\n", []string{"甲"}},
		{"another Chinese heading does not count", "## 实施步骤\n1. 甲\n", nil},
		{"bullets are steps where nothing is numbered", "## Execution steps\n- a\n- b\n", []string{"a", "b"}},
		{"stars and pluses are bullets too", "## Execution steps\n* a\n\n+ b\n", []string{"a", "b"}},
		{"task items are steps without their boxes", "## Execution steps\n- [ ] a\n- [x] b\n", []string{"a", "b"}},
		{"bullets beside a numbered list are remarks", "## Execution steps\n- note\n\n1. a\n\n- more\n", []string{"a"}},
		{"numbered task items lose their boxes", "## Execution steps\n1. [ ] a\n2. [X] b\n", []string{"a", "b"}},
		{"a number without a blank is no item", "## Execution steps\n1.A\n", nil},
		{"a quoted list is no step", "## Execution steps\n> 1. A\n", nil},
		{"nested items are no top-level steps", "## Execution steps\n1. a\n   1. x\n   2. y\n2. b\n", []string{"a", "b"}},
		{"deeper nested items are no top-level steps", "## Execution steps\n1. a\n    1. x\n\t2. y\n2. b\n", []string{"a", "b"}},
		{"an item indented less than the text above it is its sibling, as every renderer shows it", "## Execution steps\n1. a\n  2. b\n", []string{"a", "b"}},
		{"nested bullets are no steps", "## Execution steps\n1. a\n   - x\n2. b\n", []string{"a", "b"}},
		{"continuation lines are joined", "## Execution steps\n1. a long\n   step that\n goes on\n2. b\n", []string{"a long step that goes on", "b"}},
		{"a second paragraph is left out", "## Execution steps\n1. a\n\n   details\n\n2. b\n", []string{"a", "b"}},
		{"a numbered line in a fence is no step", "## Execution steps\n1. a\n\n```\n1. no\n```\n\n2. b\n", []string{"a", "b"}},
		{"a numbered line in an HTML comment is no step", "## Execution steps\n<!--\n1. no\n-->\n1. a\n", []string{"a"}},
		{"a comment in a fence does not end the section", "## Execution steps\n1. a\n```sh\n# comment\n## Verification\n```\n2. b\n", []string{"a", "b"}},
		{"a tilde fence is a fence", "## Execution steps\n~~~\n## Verification\n~~~\n1. a\n", []string{"a"}},
		{"a heading in a fence before the section is not the section", "```\n## Execution steps\n1. no\n```\n## Execution steps\n1. a\n", []string{"a"}},
		{"a heading in a comment before the section is not the section", "<!--\n## Execution steps\n1. no\n-->\n## Execution steps\n1. a\n", []string{"a"}},
		{"a heading in a quotation is not the section", "> ## Execution steps\n> 1. no\n\n## Execution steps\n1. a\n", []string{"a"}},
		{"only the first section counts", "## Execution steps\n1. a\n## Risks\n## Execution steps\n1. b\n", []string{"a"}},
		{"a heading of the same level ends the section", "## Execution steps\n1. a\n## Verification\n1. no\n", []string{"a"}},
		{"a heading of a higher level ends the section", "### Execution steps\n1. a\n# End\n1. no\n", []string{"a"}},
		{"lists under deeper headings continue", "## Execution steps\n### One\n1. a\n### Two\n1. b\n", []string{"a", "b"}},
		{"text before the list is left out", "## Execution steps\nDo this:\n\n1. a\n", []string{"a"}},
		{"an item of literal asterisks has no text to show", "## Execution steps\n1. ****\n2. a\n", []string{"a"}},
		{"an item of blank code has no text to show", "## Execution steps\n1. `` ``\n2. a\n", []string{"a"}},
		{"an item of an unnamed image or an empty box is left out", "## Execution steps\n1. ![](x)\n2. [x]\n3. a\n", []string{"a"}},
		{"a link with parentheses is its text", "## Execution steps\n1. see [a](b(c).md)\n", []string{"see a"}},
		{"links and images are their texts", "## Execution steps\n1. see [a *b*](c \"t\") and ![d](e)\n", []string{"see a b and d"}},
		{"reference links are their texts", "## Execution steps\n1. see [a][r] and [r]\n\n[r]: http://x\n", []string{"see a and r"}},
		{"automatic links stay", "## Execution steps\n1. see <https://x.test/a>\n", []string{"see https://x.test/a"}},
		{"emphasis of every kind is unwrapped", "## Execution steps\n1. *a* _b_ **c** __d__ ~~e~~ `f*g*`\n", []string{"a b c d e f*g*"}},
		{"strong text before full-width punctuation is unwrapped", "## 执行步骤\n1. **修改：**更新配置\n", []string{"修改：更新配置"}},
		{"asterisks in code stay", "## Execution steps\n1. run `ls **a**`\n", []string{"run ls **a**"}},
		{"escapes and entities are resolved", "## Execution steps\n1. a \\* b &amp; c &#65;\n", []string{"a * b & c A"}},
		{"inline HTML is left out", "## Execution steps\n1. a<br>b <!-- c -->\n", []string{"a b"}},
		{"blanks are collapsed", "## Execution steps\n1.   a  \t b\n", []string{"a b"}},
		{"terminal sequences never reach a step", "## Execution steps\n1. a \x1b[31mred\x1b]0;t\a &#x1b;[2J&#x202e;b\n", []string{"a red b"}},
		{"an item that is a heading is its text", "## Execution steps\n1. ### a\n", []string{"a"}},
		{"an item that is code is its first line", "## Execution steps\n1. ```\n   go test\n   more\n   ```\n", []string{"go test"}},
		{"steps are counted in the order of the text, whatever the numbers", "## Execution steps\n7. a\n3. b\n", []string{"a", "b"}},
		{"windows line ends do not matter", "## Execution steps\r\n1. a\r\n2. b\r\n", []string{"a", "b"}},
		{"no section means no steps", "1. a\n", nil},
		{"an empty section means no steps", "## Execution steps\n\ntext\n", nil},
		{"Chinese steps are read", "## 六、执行步骤\n1. 修改 `a.go`，\n   然后测试\n2. 提交\n", []string{"修改 a.go， 然后测试", "提交"}},
		{"front matter before the section does not matter", "---\ntitle: x\n---\n## Execution steps\n1. a\n", []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.in)).Steps(); !slices.Equal(got, tt.want) {
				t.Errorf("Steps of %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"## Execution steps\n1. a\n   1. b\n- c\n", "---\na: b\n---\n# x\n", "## 执行步骤\n1. **修改：**x\n", ">>>> 1. - a\n",
		"## Execution steps\n1. [a][b] `x` &amp; ![c](d)\n\n[b]: e\n", "a\n===\n```\n# b\n", "1. \t\x00\xff\x1b[0m", "##\n## \n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		d := Parse(in)
		last := 0
		for _, h := range d.Headings() {
			if h.Line <= last || h.Line > d.lineCount() || h.Level < 1 || h.Level > 6 || text.Line(h.Text) != h.Text {
				t.Fatalf("heading %+v after line %d of %d", h, last, d.lineCount())
			}
			last = h.Line
			if path := d.HeadingAt(h.Line); len(path) == 0 || path[len(path)-1] != h.Text {
				t.Fatalf("path at heading %+v is %q", h, path)
			}
		}
		for _, s := range d.Steps() {
			if s == "" || text.Line(s) != s {
				t.Fatalf("step %q is not one clean line", s)
			}
		}
		for _, s := range d.Sections() {
			if s.End < s.Heading.Line || s.End > d.lineCount() {
				t.Fatalf("section %+v", s)
			}
		}
		var all []string
		for n := 1; n <= d.lineCount(); n++ {
			all = append(all, d.Line(n))
		}
		if got := strings.Join(all, "\n"); got != strings.TrimSuffix(string(in), "\n") {
			t.Fatalf("the lines of %q are %q", in, got)
		}
		_ = d.Check(Auto)
	})
}
