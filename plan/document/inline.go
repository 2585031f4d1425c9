package document

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"planmode/plan/text"
)

const (
	maxPhrase = 2 << 10 // bytes of a heading or step that are read
	maxDepth  = 100     // of nested inline nodes; deeper ones are left out
)

// phrases parses one paragraph with all inline syntax.
var phrases = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewStrikethroughParser(), 500))...),
)

// reader turns blocks of one parsed source into text.
type reader struct {
	src   []byte
	known parser.Context // holds the link definitions of the whole source
}

// phraseContext is fresh for every phrase but for the link definitions.
type phraseContext struct {
	parser.Context
	known parser.Context
}

// Reference implements parser.Context.
func (c phraseContext) Reference(label string) (parser.Reference, bool) {
	return c.known.Reference(label)
}

// checkbox begins a task item.
var checkbox = regexp.MustCompile(`^\[[ xX]\](\s|$)`)

// strayStrong finds emphasis that the rules of Markdown leave literal because
// it ends in full-width punctuation, as Chinese text often does.
var strayStrong = regexp.MustCompile(`\*\*([^*\s][^*]*)\*\*`)

// flatten returns the text of a block as one clean line: links and images are
// their text, emphasis and code are unwrapped, checkboxes and HTML are gone.
func (r *reader) flatten(n ast.Node) string {
	phrase := strings.TrimSpace(r.phrase(n))
	phrase = strings.TrimSpace(phrase[len(checkbox.FindString(phrase)):])
	src := []byte(phrase)
	ctx := phraseContext{parser.NewContext(), r.known}
	root := phrases.Parse(source.NewReader(src), parser.WithContext(ctx))
	f := flattener{src: src}
	for p := root.FirstChild(); p != nil; p = p.NextSibling() {
		f.inline(p, maxDepth)
		f.out.WriteByte(' ')
	}
	s := f.out.String()
	if !f.asterisks {
		s = strayStrong.ReplaceAllString(s, "$1")
	}
	return text.Line(s)
}

// phrase joins the lines of a block, up to the limit.
func (r *reader) phrase(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		b.Write(at.Value(r.src))
		if b.Len() > maxPhrase {
			break
		}
	}
	s := b.String()
	if len(s) > maxPhrase {
		cut := maxPhrase
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
	}
	return s
}

// flattener collects the text of inline nodes.
type flattener struct {
	src       []byte
	out       strings.Builder
	asterisks bool // a code span holds some, which must stay as they are
}

func (f *flattener) inline(n ast.Node, depth int) {
	if depth == 0 {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			f.out.WriteString(unescape(c, f.src))
			if c.SoftLineBreak() || c.HardLineBreak() {
				f.out.WriteByte(' ')
			}
		case *ast.String:
			f.out.Write(c.Value)
		case *ast.AutoLink:
			f.out.Write(c.Label(f.src))
		case *ast.CodeSpan:
			f.codeSpan(c)
		case *ast.RawHTML:
			f.out.WriteByte(' ')
		default:
			f.inline(c, depth-1)
		}
	}
}

func (f *flattener) codeSpan(span *ast.CodeSpan) {
	for c := span.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			v := string(t.Segment.Value(f.src))
			f.asterisks = f.asterisks || strings.Contains(v, "*")
			f.out.WriteString(v)
		}
	}
}

// unescape resolves what the parser leaves to its renderer.
func unescape(t *ast.Text, src []byte) string {
	v := t.Segment.Value(src)
	if t.IsRaw() {
		return string(v)
	}
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(v))))
}
