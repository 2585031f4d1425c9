package web

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// maxDepth is how deep elements are followed.
const maxDepth = 200

// markdown writes what an element holds as Markdown, plainly.
func markdown(n *html.Node, base *url.URL) string {
	w := &writer{base: base}
	w.node(n, 0)
	lines := strings.Split(w.b.String(), "\n")
	var out []string
	for _, l := range lines {
		l = strings.TrimRight(l, " ")
		if strings.Trim(l, "> ") == "" && (len(out) == 0 || strings.Trim(out[len(out)-1], "> ") == "") {
			continue
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

type writer struct {
	b      bytes.Buffer
	base   *url.URL
	pre    bool
	indent string // before each line
	ends   int    // line ends since the last word
	blank  bool   // what was written last ends a word
	fresh  bool   // only the mark of an item is on the line
	lists  []int  // for each list around: the number of its last item, -1 for one without
}

// silent elements hold nothing to read.
var silent = map[string]bool{
	"script": true, "style": true, "noscript": true, "template": true, "head": true, "svg": true, "canvas": true, "iframe": true, "object": true,
	"form": true, "button": true, "select": true, "input": true, "textarea": true, "nav": true, "dialog": true,
}

// paragraphs are the elements with a blank line around them.
var paragraphs = map[string]bool{
	"p": true, "div": true, "section": true, "article": true, "main": true, "header": true, "footer": true, "aside": true, "figure": true, "figcaption": true,
	"table": true, "dl": true, "blockquote": true, "ul": true, "ol": true, "pre": true, "hr": true, "details": true, "address": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
}

func (w *writer) node(n *html.Node, depth int) {
	switch {
	case depth > maxDepth || n.Type == html.CommentNode:
		return
	case n.Type == html.TextNode:
		w.text(n.Data)
		return
	case n.Type != html.ElementNode:
		w.children(n, depth)
		return
	case silent[n.Data] || hidden(n):
		return
	}
	if paragraphs[n.Data] {
		w.lineEnd(2)
		defer w.lineEnd(2)
	}
	w.element(n, depth)
}

func (w *writer) children(n *html.Node, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, depth+1)
	}
}

func (w *writer) element(n *html.Node, depth int) {
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.raw(strings.Repeat("#", int(n.Data[1]-'0')) + " ")
		w.children(n, depth)
	case "br":
		w.lineEnd(1)
	case "hr":
		w.raw("---")
	case "li":
		w.item(n, depth)
	case "ul", "ol":
		first := -1
		if n.Data == "ol" {
			first = 0
		}
		w.lists = append(w.lists, first)
		w.children(n, depth)
		w.lists = w.lists[:len(w.lists)-1]
	case "pre":
		w.raw("```")
		w.lineEnd(1)
		w.pre = true
		w.children(n, depth)
		w.pre = false
		w.lineEnd(1)
		w.raw("```")
	case "code", "kbd", "samp":
		w.around("`", n, depth)
	case "strong", "b":
		w.around("**", n, depth)
	case "em", "i":
		w.around("*", n, depth)
	case "a":
		w.link(n, depth)
	case "img":
		if alt := strings.TrimSpace(attribute(n, "alt")); alt != "" {
			w.raw("[image: ")
			w.text(alt)
			w.raw("]")
		}
	case "tr":
		w.lineEnd(1)
		w.children(n, depth)
		w.lineEnd(1)
	case "td", "th":
		w.raw("| ")
		w.children(n, depth)
		w.raw(" ")
	case "blockquote":
		w.nested("> ", n, depth)
	case "dt", "dd":
		w.lineEnd(1)
		w.children(n, depth)
	default:
		w.children(n, depth)
	}
}

func (w *writer) item(n *html.Node, depth int) {
	w.lineEnd(1)
	mark := "- "
	if last := len(w.lists) - 1; last >= 0 && w.lists[last] >= 0 {
		w.lists[last]++
		mark = fmt.Sprintf("%d. ", w.lists[last])
	}
	w.raw(mark)
	w.fresh = true
	w.nested(strings.Repeat(" ", len(mark)), n, depth)
	w.lineEnd(1)
}

// nested writes what n holds with mark before each further line.
func (w *writer) nested(mark string, n *html.Node, depth int) {
	before := w.indent
	if len(before) < 40 {
		w.indent += mark
	}
	w.children(n, depth)
	w.indent = before
}

func (w *writer) around(mark string, n *html.Node, depth int) {
	if w.pre {
		w.children(n, depth)
		return
	}
	before := w.b.Len()
	w.raw(mark)
	begun := w.b.Len()
	w.blank = true
	w.children(n, depth)
	switch end := bytes.TrimRight(w.b.Bytes()[begun:], " "); {
	case len(end) == 0:
		w.b.Truncate(before)
		w.blank = false
	case begun+len(end) < w.b.Len():
		w.b.Truncate(begun + len(end))
		w.raw(mark)
		w.raw(" ")
	default:
		w.raw(mark)
	}
}

// link keeps where a link leads, unless that is the page itself.
func (w *writer) link(n *html.Node, depth int) {
	to := attribute(n, "href")
	u, err := w.base.Parse(to)
	if err != nil || to == "" || strings.HasPrefix(to, "#") || u.Scheme != "http" && u.Scheme != "https" || w.pre || len(to) > 300 {
		w.children(n, depth)
		return
	}
	w.raw("[")
	w.children(n, depth)
	w.raw("](" + u.String() + ")")
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// hidden says whether a reader of the page would not see an element: text that is
// only there for those who read the source.
func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
		switch {
		case a.Key == "hidden", a.Key == "aria-hidden" && a.Val == "true":
			return true
		case a.Key == "style" && (strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") || strings.Contains(style, "font-size:0")):
			return true
		}
	}
	return false
}

// raw writes a part of a line.
func (w *writer) raw(s string) {
	if s == "" {
		return
	}
	if w.ends > 0 || w.b.Len() == 0 {
		w.b.WriteString(w.indent)
	}
	w.b.WriteString(s)
	w.ends, w.fresh = 0, false
	w.blank = strings.HasSuffix(s, " ") || strings.HasSuffix(s, "[")
}

// text writes words, with one blank between them.
func (w *writer) text(s string) {
	if w.pre {
		w.lines(s)
		return
	}
	words := strings.Fields(s)
	open := w.b.Len() > 0 && w.ends == 0 && !w.blank
	if open && s != "" && strings.ContainsAny(s[:1], " \t\r\n") {
		w.raw(" ")
	}
	if len(words) == 0 {
		return
	}
	w.raw(strings.Join(words, " "))
	if strings.ContainsAny(s[len(s)-1:], " \t\r\n") {
		w.raw(" ")
	}
}

// lines writes text whose lines stay as they are.
func (w *writer) lines(s string) {
	for i, l := range strings.Split(s, "\n") {
		if i > 0 {
			w.b.WriteByte('\n')
			w.ends++
		}
		w.raw(l)
	}
}

// lineEnd ends the line, and has n-1 blank lines follow.
func (w *writer) lineEnd(n int) {
	if w.b.Len() == 0 || w.fresh {
		return
	}
	for w.ends < n {
		w.b.WriteByte('\n')
		w.ends++
	}
	w.blank = true
}
