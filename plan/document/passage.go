package document

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// BlockKind is what a block of a passage is.
type BlockKind uint8

// The kinds of a block.
const (
	Paragraph BlockKind = iota
	Title               // a heading
	Code                // a fenced or an indented block: what is inside it
	HTML
	Rule
	Table
)

// Style is how a run of text is marked up; several may hold at once.
type Style uint8

// The marks of a run.
const (
	Strong Style = 1 << iota
	Emphasis
	Strike
	CodeSpan
	LinkText
	Address // where a link leads
	Markup  // inline HTML, shown as it is written
)

// Run is a piece of text of one style that comes from one line. It is as it is
// in the source but for escapes and entities, so it is not fit for a screen yet.
type Run struct {
	Text  string
	Style Style
	Line  int  // from 0
	Soft  bool // a line end of the source, to be drawn as a blank
	Hard  bool // a line break that the author asked for
}

// Holder is a quotation or a list item that a block is in.
type Holder struct {
	Quote  bool
	Marker string // of a list item, as it is written
	Task   byte   // the character in the box of a task item, or 0
	Item   int    // tells the items of one passage apart, from 1; 0 for a quotation
}

// Row is one row of a table.
type Row struct {
	Line  int
	Cells [][]Run
}

// Align is the alignment of a table's column.
type Align uint8

// The alignments of a column.
const (
	Left Align = iota
	Center
	Right
)

// Block is one block of a passage without the blocks around it, which are named
// by its holders from outside in. First and Last are its lines, from 0.
type Block struct {
	Kind        BlockKind
	First, Last int
	Level       int    // of a title
	Language    string // of fenced code
	Holders     []Holder
	Runs        []Run // of a paragraph or title; one a line of code and HTML
	Rows        []Row // of a table, its titles first
	Aligns      []Align
}

var passages = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999))...),
	parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

const (
	// maxBrackets and maxMarks are the brackets and other marks of a passage up to
	// which its inline syntax is read. The parser looks back from each for its
	// partner, so beyond that a hostile passage would take seconds.
	maxBrackets = 400
	maxMarks    = 2000
)

// Passage reads some whole lines of a document, to be drawn. Links to
// definitions elsewhere are resolved by refs, which may be nil. Lines that no
// block claims are blank, fences, or definitions. It takes any text; a passage
// too tangled to read has plain runs.
func Passage(lines []string, refs func(label string) (address string, ok bool)) []Block {
	src := tame([]byte(strings.Join(lines, "\n") + "\n"))
	w := &passage{src: src, starts: lineStarts(src), lines: lines, tangled: tangled(src)}
	p := passages
	if w.tangled {
		p = blocks
	}
	ctx := passageContext{parser.NewContext(), refs}
	w.children(p.Parse(source.NewReader(src), parser.WithContext(ctx)), nil, 0)
	return w.out
}

func tangled(src []byte) bool {
	brackets, marks := 0, 0
	for _, c := range src {
		switch c {
		case '[', '!':
			brackets++
		case '*', '_', '`', '<', '~':
			marks++
		}
	}
	return brackets > maxBrackets || marks > maxMarks
}

// passageContext knows the definitions of the whole document.
type passageContext struct {
	parser.Context
	refs func(string) (string, bool)
}

// Reference implements parser.Context.
func (c passageContext) Reference(label string) (parser.Reference, bool) {
	if r, ok := c.Context.Reference(label); ok || c.refs == nil {
		return r, ok
	}
	address, ok := c.refs(label)
	if !ok {
		return nil, false
	}
	return parser.NewReference([]byte(label), []byte(address), nil), true
}

// passage collects the blocks of a parsed source.
type passage struct {
	src     []byte
	starts  []int
	lines   []string
	tangled bool
	items   int
	out     []Block
}

func (w *passage) line(offset int) int {
	return min(lineIn(w.starts, offset), max(len(w.lines), 1)) - 1
}

func (w *passage) children(n ast.Node, in []Holder, depth int) {
	if depth > maxDepth {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.List:
			w.list(c, in, depth)
		case *ast.Blockquote:
			w.children(c, append(in[:len(in):len(in)], Holder{Quote: true}), depth+1)
		case *ast.Heading:
			w.text(c, Block{Kind: Title, Level: c.Level, Holders: in})
		case *ast.Paragraph, *ast.TextBlock:
			w.text(c, Block{Holders: in})
		case *ast.CodeBlock:
			w.verbatim(c, Block{Kind: Code, Holders: in})
		case *ast.FencedCodeBlock:
			w.verbatim(c, Block{Kind: Code, Holders: in, Language: string(c.Language(w.src))})
		case *ast.HTMLBlock:
			w.verbatim(c, Block{Kind: HTML, Holders: in})
		case *ast.ThematicBreak:
			at := w.line(max(c.Pos(), 0))
			w.out = append(w.out, Block{Kind: Rule, First: at, Last: at, Holders: in})
		case *tables.Table:
			w.table(c, in)
		}
	}
}

func (w *passage) list(l *ast.List, in []Holder, depth int) {
	for n, number := l.FirstChild(), l.Start; n != nil; n, number = n.NextSibling(), number+1 {
		w.items++
		h := Holder{Item: w.items, Marker: w.marker(l, n, number)}
		w.children(n, append(in[:len(in):len(in)], h), depth+1)
	}
}

// marker is the bullet or the number of an item. Numbers are as written, since
// that is what a reviewer speaks of.
func (w *passage) marker(l *ast.List, item ast.Node, number int) string {
	if !l.IsOrdered() {
		return string(l.Marker)
	}
	if at := firstOffset(item); at >= 0 {
		before := strings.Fields(string(w.src[w.starts[w.line(at)]:at]))
		if n := len(before); n > 0 && strings.IndexByte(before[n-1], l.Marker) > 0 {
			return before[n-1]
		}
	}
	return strconv.Itoa(number) + string(l.Marker)
}

// firstOffset is where the text of a node begins, or -1.
func firstOffset(n ast.Node) int {
	for ; n != nil; n = n.FirstChild() {
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			return n.Lines().At(0).Start
		}
	}
	return -1
}

func (w *passage) bounds(n ast.Node, b *Block) bool {
	count := n.Lines().Len()
	if count == 0 {
		return false
	}
	b.First = w.line(n.Lines().At(0).Start)
	b.Last = w.line(max(n.Lines().At(count-1).Stop-1, n.Lines().At(0).Start))
	return true
}

// verbatim takes the lines of code or HTML one by one.
func (w *passage) verbatim(n ast.Node, b Block) {
	if !w.bounds(n, &b) {
		return
	}
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		b.Runs = append(b.Runs, Run{Text: strings.TrimRight(string(at.Value(w.src)), "\n"), Line: w.line(at.Start)})
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		at := w.line(h.ClosureLine.Start)
		b.Runs = append(b.Runs, Run{Text: w.lines[at], Line: at})
		b.Last = at
	}
	w.out = append(w.out, b)
}

func (w *passage) table(t *tables.Table, in []Holder) {
	b := Block{Kind: Table, Holders: in}
	for _, a := range t.Alignments {
		b.Aligns = append(b.Aligns, [...]Align{tables.AlignLeft: Left, tables.AlignRight: Right, tables.AlignCenter: Center, tables.AlignNone: Left}[a])
	}
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		row := Row{Line: -1}
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			if c.Lines().Len() > 0 {
				row.Line = w.line(c.Lines().At(0).Start)
			}
			row.Cells = append(row.Cells, w.runs(c))
		}
		if row.Line >= 0 && (len(b.Rows) == 0 || row.Line > b.Rows[len(b.Rows)-1].Line) {
			b.Rows = append(b.Rows, row)
		}
	}
	if n := len(b.Rows); n > 0 {
		b.First, b.Last = b.Rows[0].Line, max(b.Rows[n-1].Line, b.Rows[0].Line+1)
		b.Last = min(b.Last, len(w.lines)-1)
		w.out = append(w.out, b)
	}
}
