package reviewer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// face is how a piece of text looks: a role in the low bits and modifiers.
type face uint16

const (
	faceText face = iota
	faceMuted
	faceHeading
	faceCode
	faceLink
	faceQuote
	faceMarker
	faceNote
	faceWarn
	faceAccent
	faceKeyword
	faceString
	faceNumber
	faceComment

	faceRole     face = 0x1f
	faceBold     face = 1 << 5
	faceItalic   face = 1 << 6
	faceStrike   face = 1 << 7
	faceUnder    face = 1 << 8
	faceMatch    face = 1 << 9  // found by the search
	faceChanged  face = 1 << 10 // a changed word
	faceAdded    face = 1 << 11 // part of an added line
	faceRemoved  face = 1 << 12
	faceSelected face = 1 << 13
)

// piece is a run of drawable text with one face.
type piece struct {
	text string
	face face
}

// markup says whether the marks of inline Markdown are drawn.
type markup bool

const (
	hideMarks markup = false
	keepMarks markup = true
)

// maxInline is the longest line that is looked into; a longer one fills the
// screen by itself, and is likely no prose.
const maxInline = 4 << 10

// inline styles code, emphasis and links in one line. It looks at this line
// only, so an emphasis that spans lines stays as it is written.
func inline(line string, base face, marks markup) []piece {
	if len(line) > maxInline {
		return []piece{{line, base}}
	}
	p := inliner{base: base, marks: marks}
	for line != "" {
		n := strings.IndexAny(line, "`*_~[<\\h")
		if n < 0 {
			break
		}
		p.add(line[:n], base)
		line = line[n:]
		used := p.special(line)
		if used == 0 {
			_, used = utf8.DecodeRuneInString(line)
			p.add(line[:used], base)
		}
		p.before = line[used-1]
		line = line[used:]
	}
	p.add(line, base)
	return p.out
}

type inliner struct {
	base   face
	marks  markup
	before byte // the byte before the text still to come
	out    []piece
}

func (p *inliner) add(s string, f face) {
	if s == "" {
		return
	}
	p.before = s[len(s)-1]
	if n := len(p.out); n > 0 && p.out[n-1].face == f {
		p.out[n-1].text += s
		return
	}
	p.out = append(p.out, piece{s, f})
}

func (p *inliner) mark(s string) {
	if p.marks == keepMarks {
		p.add(s, p.base&^faceRole|faceMarker)
	}
}

// special handles a construct that begins here and returns its length, 0 if
// there is none.
func (p *inliner) special(line string) int {
	switch line[0] {
	case '\\':
		if len(line) > 1 && unicode.IsPunct(rune(line[1])) {
			p.mark(`\`)
			p.add(line[1:2], p.base)
			return 2
		}
	case '`':
		return p.code(line)
	case '*', '_', '~':
		return p.emphasis(line)
	case '[':
		return p.link(line)
	case '<':
		if end := strings.IndexByte(line, '>'); end > 0 && isAddress(line[1:end]) {
			p.mark("<")
			p.add(line[1:end], p.base&^faceRole|faceLink|faceUnder)
			p.mark(">")
			return end + 1
		}
	case 'h':
		if isAddress(line) && !wordByte(p.before) {
			end := strings.IndexAny(line, " \t<>\"'`)]")
			if end < 0 {
				end = len(line)
			}
			p.add(line[:end], p.base&^faceRole|faceLink|faceUnder)
			return end
		}
	}
	return 0
}

func (p *inliner) code(line string) int {
	run := len(line) - len(strings.TrimLeft(line, "`"))
	end := strings.Index(line[run:], line[:run])
	if end <= 0 {
		return 0
	}
	p.mark(line[:run])
	p.add(line[run:run+end], p.base&^faceRole|faceCode)
	p.mark(line[:run])
	return 2*run + end
}

// emphasis needs its closing mark on the same line, no blank inside the marks,
// and for underscores a word's edge outside them.
func (p *inliner) emphasis(line string) int {
	run := min(3, len(line)-len(strings.TrimLeft(line, line[:1])))
	if (line[0] == '~') != (run == 2 && line[0] == '~') {
		return 0
	}
	mark := line[:run]
	if len(line) == run || line[run] == ' ' || (line[0] == '_' && wordByte(p.before)) {
		return 0
	}
	end := strings.Index(line[run:], mark)
	if end <= 0 || line[run+end-1] == ' ' {
		return 0
	}
	after := run + end + run
	if line[0] == '_' && after < len(line) && wordByte(line[after]) {
		return 0
	}
	style := [...]face{faceItalic, faceBold, faceBold | faceItalic}[run-1]
	if line[0] == '~' {
		style = faceStrike
	}
	p.mark(mark)
	for _, inner := range inline(line[run:run+end], p.base|style, p.marks) {
		p.add(inner.text, inner.face)
	}
	p.mark(mark)
	return after
}

// link shows the text and, dimly, where it leads: the address is what a
// reviewer must be able to see.
func (p *inliner) link(line string) int {
	middle := strings.Index(line, "](")
	if middle < 1 || strings.IndexByte(line[1:middle], '[') >= 0 {
		return 0
	}
	end := strings.IndexByte(line[middle:], ')')
	if end < 0 {
		return 0
	}
	end += middle
	p.mark("[")
	p.add(line[1:middle], p.base&^faceRole|faceLink|faceUnder)
	p.mark("]")
	if p.marks == hideMarks {
		p.add(" ", p.base)
	}
	p.add(line[middle+1:end+1], p.base&^faceRole|faceMarker)
	return end + 1
}

func isAddress(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

func wordByte(b byte) bool {
	return b == '_' || b >= 0x80 || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// overlay adds a modifier to the given bytes of the text of pieces.
func overlay(pieces []piece, spans []span, add face) []piece {
	if len(spans) == 0 {
		return pieces
	}
	var out []piece
	at := 0
	for _, p := range pieces {
		start, end := at, at+len(p.text)
		at = end
		for start < end {
			for len(spans) > 0 && spans[0].End <= start {
				spans = spans[1:]
			}
			f, stop := p.face, end
			switch {
			case len(spans) == 0:
			case spans[0].Start <= start:
				f |= add
				stop = min(end, spans[0].End)
			default:
				stop = min(end, spans[0].Start)
			}
			out = append(out, piece{p.text[start-(at-len(p.text)) : stop-(at-len(p.text))], f})
			start = stop
		}
	}
	return out
}

func plainText(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}
