package document

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	marks "github.com/yuin/goldmark/extension/ast"
)

// text takes a block of inline content.
func (w *passage) text(n ast.Node, b Block) {
	if !w.bounds(n, &b) {
		return
	}
	if box, ok := n.FirstChild().(*marks.TaskCheckBox); ok && len(b.Holders) > 0 {
		b.Holders = append(b.Holders[:len(b.Holders)-1:len(b.Holders)-1], b.Holders[len(b.Holders)-1])
		b.Holders[len(b.Holders)-1].Task = ' '
		if box.IsChecked {
			b.Holders[len(b.Holders)-1].Task = 'x'
		}
	}
	b.Runs = w.runs(n)
	w.out = append(w.out, b)
}

// runs are the pieces of text of a block.
func (w *passage) runs(n ast.Node) []Run {
	if w.tangled {
		return w.plain(n)
	}
	r := runner{w: w}
	if n.Lines().Len() > 0 {
		r.at = w.line(n.Lines().At(0).Start)
	}
	r.inline(n, 0, maxDepth)
	return strong(r.out)
}

// plain takes the lines of a block without looking into them.
func (w *passage) plain(n ast.Node) []Run {
	var out []Run
	for i := range n.Lines().Len() {
		if i > 0 {
			out = append(out, Run{Text: " ", Line: out[len(out)-1].Line, Soft: true})
		}
		at := n.Lines().At(i)
		out = append(out, Run{Text: strings.TrimRight(string(at.Value(w.src)), "\n"), Line: w.line(at.Start)})
	}
	return out
}

// runner collects the runs of one block.
type runner struct {
	w   *passage
	at  int // the line it has come to
	out []Run
}

func (r *runner) add(text string, style Style) {
	if text == "" {
		return
	}
	if n := len(r.out); n > 0 {
		if last := &r.out[n-1]; last.Style == style && last.Line == r.at && !last.Soft && !last.Hard {
			last.Text += text
			return
		}
	}
	r.out = append(r.out, Run{Text: text, Style: style, Line: r.at})
}

func (r *runner) inline(n ast.Node, style Style, depth int) {
	if depth == 0 {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			r.text(c, style)
		case *ast.String:
			r.add(string(c.Value), style)
		case *ast.CodeSpan:
			r.code(c, style)
		case *ast.Emphasis:
			r.inline(c, style|[...]Style{Emphasis, Strong}[min(max(c.Level, 1), 2)-1], depth-1)
		case *marks.Strikethrough:
			r.inline(c, style|Strike, depth-1)
		case *ast.Link:
			r.inline(c, style|LinkText, depth-1)
			r.add(" ("+string(c.Destination)+")", style&^LinkText|Address)
		case *ast.Image:
			r.add("image: ", style|Markup)
			r.inline(c, style|LinkText, depth-1)
			r.add(" ("+string(c.Destination)+")", style&^LinkText|Address)
		case *ast.AutoLink:
			r.add(string(c.Label(r.w.src)), style|LinkText)
		case *ast.RawHTML:
			r.html(c, style)
		case *marks.TaskCheckBox:
		default:
			r.inline(c, style, depth-1)
		}
	}
}

func (r *runner) text(t *ast.Text, style Style) {
	r.at = max(r.at, r.w.line(t.Segment.Start))
	r.add(unescape(t, r.w.src), style)
	switch {
	case t.HardLineBreak():
		r.out = append(r.out, Run{Line: r.at, Hard: true})
	case t.SoftLineBreak():
		r.out = append(r.out, Run{Text: " ", Style: style, Line: r.at, Soft: true})
	}
}

func (r *runner) code(span *ast.CodeSpan, style Style) {
	for c := span.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			r.at = max(r.at, r.w.line(t.Segment.Start))
			r.add(strings.ReplaceAll(string(t.Segment.Value(r.w.src)), "\n", " "), style|CodeSpan)
		}
	}
}

func (r *runner) html(h *ast.RawHTML, style Style) {
	for i := range h.Segments.Len() {
		at := h.Segments.At(i)
		r.at = max(r.at, r.w.line(at.Start))
		r.add(strings.TrimRight(string(at.Value(r.w.src)), "\n"), style|Markup)
	}
}

// strong marks the emphasis that the rules of Markdown leave literal beside
// full-width punctuation.
func strong(runs []Run) []Run {
	var out []Run
	for _, r := range runs {
		at := 0
		if r.Style&(CodeSpan|Markup|Address) == 0 && strings.Contains(r.Text, "**") {
			for _, m := range strayStrong.FindAllStringSubmatchIndex(r.Text, -1) {
				out = append(out, Run{Text: r.Text[at:m[0]], Style: r.Style, Line: r.Line},
					Run{Text: r.Text[m[2]:m[3]], Style: r.Style | Strong, Line: r.Line})
				at = m[1]
			}
		}
		if at > 0 {
			r.Text = r.Text[at:]
		}
		out = append(out, r)
	}
	return out
}
