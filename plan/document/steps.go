package document

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"planmode/plan/text"
)

// steps collects the items below the heading of the execution steps, up to the
// next heading of the same or a higher rank. Bullets count only in a section
// without a single ordered list, since beside one they are remarks.
func (r *reader) steps(heading *ast.Heading) []string {
	var ordered, bullets []string
	for n := heading.NextSibling(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level <= heading.Level {
				return either(ordered, bullets)
			}
		case *ast.List:
			if n.IsOrdered() {
				ordered = append(ordered, r.items(n)...)
			} else {
				bullets = append(bullets, r.items(n)...)
			}
		}
	}
	return either(ordered, bullets)
}

func either(ordered, bullets []string) []string {
	if len(ordered) > 0 {
		return ordered
	}
	return bullets
}

// items returns the text of each item of one list; those without any are left
// out, since there is nothing to do in them.
func (r *reader) items(list *ast.List) []string {
	var out []string
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		if s := r.itemText(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// itemText is the first paragraph of an item, or the first line of code in an
// item that has nothing but code.
func (r *reader) itemText(item ast.Node) string {
	code := ""
	for n := item.FirstChild(); n != nil; n = n.NextSibling() {
		switch n.Kind() {
		case ast.KindParagraph, ast.KindTextBlock, ast.KindHeading:
			if s := r.flatten(n); s != "" {
				return s
			}
		case ast.KindFencedCodeBlock, ast.KindCodeBlock:
			if code == "" && n.Lines().Len() > 0 {
				at := n.Lines().At(0)
				code = text.Line(string(bytes.TrimSpace(at.Value(r.src))))
			}
		}
	}
	return code
}
