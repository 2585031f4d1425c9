package reviewer

import (
	"regexp"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	tea "charm.land/bubbletea/v2"
)

// shades are the colours of the code that was visible so far, by line, for the
// old and the new text. A block is read in the background once it is visible;
// until then, and when it is in no language known here, it has the colour of code.
type shades struct {
	version int // changes when there are more, for caches
	lines   [2]map[int][]tint
	asked   [2]map[int]bool // by the first line of the block
}

// tint is the face of some bytes of a drawable line.
type tint struct {
	span
	face face
}

const (
	maxShadeLines = 600
	maxShadeBytes = 48 << 10

	// maxShadeTime ends the reading of code that a lexer cannot cope with.
	maxShadeTime = 300 * time.Millisecond
)

// codeBlock is a block of fenced code to be read.
type codeBlock struct {
	of       *subject
	old      int // 1 for the old text
	first    int
	language string
	lines    []string
}

// shadedMsg says what colours a block has.
type shadedMsg struct {
	of         *subject
	old, first int
	tints      [][]tint
}

var languageName = regexp.MustCompile(`^[A-Za-z0-9_+#.-]{1,30}`)

// shadeVisible has the blocks of code read that are on the screen and were not.
func (m *Model) shadeVisible() tea.Cmd {
	if m.width <= 0 || m.page != nil {
		return nil
	}
	var cmds []tea.Cmd
	first, last := m.list.Visible()
	for i := max(first, 0); i <= last && i < len(m.items); i++ {
		for _, e := range []int{m.items[i].edit, m.items[i].left - 1} {
			if e < 0 {
				continue
			}
			if b, ok := m.blockAt(e); ok {
				cmds = append(cmds, func() tea.Msg { return b.read() })
			}
		}
	}
	return tea.Batch(cmds...)
}

// blockAt is the block of code that an edit is in, if it is to be read now.
func (m *Model) blockAt(edit int) (codeBlock, bool) {
	s := m.subject
	if _, info := s.line(edit); info.kind != kindCode {
		return codeBlock{}, false
	}
	b := codeBlock{of: s}
	source, infos, at := s.new.lines, s.newInfo, s.edits[edit].New-1
	if s.edits[edit].Op == opRemoved {
		b.old, source, infos, at = 1, s.old.lines, s.oldInfo, s.edits[edit].Old-1
	}
	if m.shades.lines[b.old][at] != nil {
		return b, false
	}
	fence := at
	for fence >= 0 && at-fence <= maxShadeLines && infos[fence].kind == kindCode {
		fence--
	}
	if fence < 0 || infos[fence].kind != kindFence || m.shades.asked[b.old][fence] {
		return b, false
	}
	if m.shades.asked[b.old] == nil {
		m.shades.asked[b.old] = map[int]bool{}
	}
	m.shades.asked[b.old][fence] = true
	b.first = fence + 1
	b.language = languageName.FindString(strings.TrimLeft(source[fence], " \t`~"))
	size := 0
	for k := b.first; k < len(source) && infos[k].kind == kindCode && k-b.first < maxShadeLines && size < maxShadeBytes; k++ {
		b.lines = append(b.lines, drawable(source[k]))
		size += len(source[k])
	}
	return b, b.language != "" && size < 2*maxShadeBytes
}

// read finds the colours. Lexers are tables of other people for any language,
// and the code may be hostile, so a panic of one means no colours.
func (b codeBlock) read() (out shadedMsg) {
	out = shadedMsg{of: b.of, old: b.old, first: b.first}
	defer func() {
		if recover() != nil {
			out.tints = nil
		}
	}()
	lexer := lexers.Get(b.language)
	if lexer == nil {
		return out
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, strings.Join(b.lines, "\n")+"\n")
	if err != nil {
		return out
	}
	out.tints = make([][]tint, len(b.lines))
	line, at, begun := 0, 0, time.Now()
	for t := tokens(); t != chroma.EOF && time.Since(begun) < maxShadeTime; t = tokens() {
		look, coloured := tokenFace(t.Type)
		for part := range strings.SplitAfterSeq(t.Value, "\n") {
			n := len(strings.TrimSuffix(part, "\n"))
			if line >= len(b.lines) || at+n > len(b.lines[line]) {
				return out // the lexer changed the text
			}
			if coloured && n > 0 {
				out.tints[line] = append(out.tints[line], tint{span{Start: at, End: at + n}, look})
			}
			if at += n; n < len(part) {
				line, at = line+1, 0
			}
		}
	}
	return out
}

func tokenFace(t chroma.TokenType) (face, bool) {
	switch {
	case t.InCategory(chroma.Keyword):
		return faceKeyword, true
	case t.InCategory(chroma.Comment):
		return faceComment, true
	case t.InSubCategory(chroma.LiteralString):
		return faceString, true
	case t.InSubCategory(chroma.LiteralNumber):
		return faceNumber, true
	}
	return 0, false
}

// shaded keeps the colours of a block.
func (m *Model) shaded(msg shadedMsg) {
	if msg.tints == nil || msg.of != m.subject {
		return
	}
	if m.shades.lines[msg.old] == nil {
		m.shades.lines[msg.old] = map[int][]tint{}
	}
	for i, tints := range msg.tints {
		if tints == nil {
			tints = []tint{}
		}
		m.shades.lines[msg.old][msg.first+i] = tints
	}
	m.shades.version++
}

// shade colours code: pieces are the text of line at, of which the last bytes
// are those of the line.
func (m *Model) shade(pieces []piece, old, at int, line string) []piece {
	tints := m.shades.lines[old][at]
	if len(tints) == 0 {
		return pieces
	}
	shift := len(plainText(pieces)) - len(line)
	var out []piece
	end := 0
	for _, p := range pieces {
		start := end
		end += len(p.text)
		if p.face&faceRole != faceCode {
			out = append(out, p)
			continue
		}
		for start < end {
			for len(tints) > 0 && tints[0].End+shift <= start {
				tints = tints[1:]
			}
			look, stop := p.face, end
			switch {
			case len(tints) == 0:
			case tints[0].Start+shift <= start:
				look = p.face&^faceRole | tints[0].face
				stop = min(end, tints[0].End+shift)
			default:
				stop = min(end, tints[0].Start+shift)
			}
			from := len(p.text) - (end - start)
			out = append(out, piece{p.text[from : from+stop-start], look})
			start = stop
		}
	}
	return out
}
