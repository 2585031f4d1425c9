package document

import (
	"bytes"
	"regexp"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	source "github.com/yuin/goldmark/text"
)

// blocks parses blocks alone. Inline syntax matters in headings and steps only,
// and parsing it everywhere takes time that grows with the square of a hostile
// text. Tables are no headings or steps, so they may stay paragraphs.
var blocks = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

// Heading is a heading of the document itself, not one inside a quotation, a
// list or a fence.
type Heading struct {
	Level int    // 1 to 6
	Line  int    // from 1
	Text  string // plain and clean, on one line
}

// Document is a parsed plan.
type Document struct {
	text     string
	starts   []int // byte offset of each line
	headings []Heading
	sections []Section
	steps    []string
}

// Parse reads a plan. It takes any bytes; what is no Markdown is simply text.
func Parse(b []byte) *Document {
	d := &Document{text: string(b), starts: lineStarts(b)}
	skip := frontMatter(b)
	r := &reader{src: tame(b[skip:]), known: parser.NewContext()}
	root := blocks.Parse(source.NewReader(r.src), parser.WithContext(r.known))
	above, lines := 0, lineStarts(r.src)
	if skip > 0 {
		above = lineIn(d.starts, skip) - 1
	}
	var nodes []*ast.Heading // beside d.headings
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			line := above + lineIn(lines, position(h))
			d.headings = append(d.headings, Heading{Level: h.Level, Line: line, Text: r.flatten(h)})
			nodes = append(nodes, h)
		}
	}
	d.sections = findSections(d.headings, d.lineCount())
	for _, s := range d.sections {
		if s.Name == executionSteps {
			d.steps = r.steps(nodes[s.heading])
			break
		}
	}
	return d
}

// position is the offset of a heading; only an empty one has no lines.
func position(h *ast.Heading) int {
	if h.Lines().Len() > 0 {
		return h.Lines().At(0).Start
	}
	return max(0, h.Pos())
}

// Headings returns the headings in order.
func (d *Document) Headings() []Heading { return d.headings }

// Sections returns the nine sections that were found, each at its first heading,
// in the order of the document.
func (d *Document) Sections() []Section { return d.sections }

// Steps returns the top-level execution steps as plain single lines.
func (d *Document) Steps() []string { return d.steps }

// HeadingAt returns the texts of the headings above line, outermost first; a
// heading is above its own line. It is nil above the first heading.
func (d *Document) HeadingAt(line int) []string {
	return d.path(d.headingIndex(line))
}

// headingIndex is the nearest heading at or above line, or -1.
func (d *Document) headingIndex(line int) int {
	return sort.Search(len(d.headings), func(i int) bool { return d.headings[i].Line > line }) - 1
}

// path walks from heading i outwards.
func (d *Document) path(i int) []string {
	if i < 0 {
		return nil
	}
	var up []string
	level := 7
	for ; i >= 0 && level > 1; i-- {
		if h := d.headings[i]; h.Level < level {
			up, level = append(up, h.Text), h.Level
		}
	}
	for a, b := 0, len(up)-1; a < b; a, b = a+1, b-1 {
		up[a], up[b] = up[b], up[a]
	}
	return up
}

// Line returns the text of line n, counted from 1, without its newline; empty
// when there is no such line.
func (d *Document) Line(n int) string {
	if n < 1 || n > d.lineCount() {
		return ""
	}
	return d.lines(n, n)
}

// lines returns the lines first to last without the final newline.
func (d *Document) lines(first, last int) string {
	end := len(d.text)
	if last < len(d.starts) {
		end = d.starts[last]
	}
	return strings.TrimSuffix(d.text[d.starts[first-1]:end], "\n")
}

func (d *Document) lineCount() int { return len(d.starts) }

// lineStarts returns where each line begins; a final newline begins none.
func lineStarts(b []byte) []int {
	var starts []int
	for i := 0; i < len(b); {
		starts = append(starts, i)
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	return starts
}

// lineIn is the line, from 1, that holds offset.
func lineIn(starts []int, offset int) int {
	return max(1, sort.SearchInts(starts, offset+1))
}

var keyLine = regexp.MustCompile(`^[A-Za-z_][\w.-]*[ \t]*:(\s|$)`)

// frontMatter returns the length of a metadata block at the very top. Without
// this a parser takes its last key and the closing dashes for a heading. Only a
// block that begins with a key counts, so that a rule at the top stays a rule.
func frontMatter(b []byte) int {
	rest, ok := bytes.CutPrefix(b, []byte("---\n"))
	if !ok || !keyLine.Match(rest) {
		return 0
	}
	for at := len(b) - len(rest); at < len(b); {
		line, _, _ := bytes.Cut(b[at:], []byte("\n"))
		at = min(at+len(line)+1, len(b))
		if s := string(bytes.TrimRight(line, " \t")); s == "---" || s == "..." {
			return at
		}
	}
	return 0
}

// maxNesting is how many quotation or list marks one line may open.
const maxNesting = 64

// tame blanks lines that open absurdly many blocks at once, on which the parser
// would spend minutes. The bytes keep their places.
func tame(b []byte) []byte {
	var out []byte
	for at := 0; at < len(b); {
		end := len(b)
		if n := bytes.IndexByte(b[at:], '\n'); n >= 0 {
			end = at + n
		}
		if openers(b[at:end]) > maxNesting {
			if out == nil {
				out = bytes.Clone(b)
			}
			copy(out[at:end], bytes.Repeat([]byte(" "), end-at))
		}
		at = end + 1
	}
	if out == nil {
		return b
	}
	return out
}

// openers counts the quotation and list marks that a line begins with.
func openers(line []byte) int {
	n, digits := 0, 0
	for i, c := range line {
		switch {
		case c == ' ' || c == '\t':
			digits = 0
		case c >= '0' && c <= '9' && digits < 9:
			digits++
		case c == '>':
			n++
		case c == '-' || c == '+' || c == '*' || (c == '.' || c == ')') && digits > 0:
			if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
				return n
			}
			n, digits = n+1, 0
		default:
			return n
		}
	}
	return n
}
