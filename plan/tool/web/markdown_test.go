package web

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestMarkdown(t *testing.T) {
	base, _ := url.Parse("https://example.com/a/")
	for _, tc := range []struct{ name, in, want string }{
		{"words have one blank between them", "<p> a <b> b </b>c\n d</p>", "a **b** c d"},
		{"paragraphs have a blank line between them", "<p>a</p><p>b</p><div>c</div>", "a\n\nb\n\nc"},
		{"a break ends the line", "a<br>b", "a\nb"},
		{"headings", "<h1>A</h1><h3>B</h3>", "# A\n\n### B"},
		{"items with paragraphs", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"},
		{"lists in lists", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>", "1. a\n\n   - b\n\n2. c"},
		{"code keeps its lines", "<pre><code>a\n  b\n\nc</code></pre>", "```\na\n  b\n\nc\n```"},
		{"quotations", "<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"},
		{"tables", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "| a | b\n| 1 | 2"},
		{"links are whole", `<a href="../b">x</a> <a href="#y">y</a> <a href="javascript:z">z</a>`, "[x](https://example.com/b) y z"},
		{"what is not seen is left out", `<script>a</script><p hidden>b</p><span style="display : none">c</span>d<!-- e -->`, "d"},
		{"an image is its text", `<img alt="a cart" src=x><img src=y>`, "[image: a cart]"},
		{"other scripts", "<p>购物车</p>", "购物车"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := html.Parse(strings.NewReader(tc.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Trim(markdown(doc, base), "\n"); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}
