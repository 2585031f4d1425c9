package reviewer

import (
	"strings"

	"planmode/plan/document"
	"planmode/plan/text"
)

// flow draws rendered Markdown: it reads the chunks that are visible and keeps
// the rows of those that were visible lately. Each row belongs to the source
// line that its first character comes from, so a line whose text all went into
// the row of an earlier one has none.
type flow struct {
	chunks []chunk
	tables []gridArea
	refs   map[string]string // made when it is first needed
	laid   map[int]laidChunk
	looked flowLook
}

// flowLook is all that the rows depend on besides the text.
type flowLook struct {
	room    int
	wrap    bool
	query   int
	theme   string
	shading int
}

// laidChunk is a drawn chunk: the rows of each of its lines. A line that no
// block claims has a nil list and is drawn by itself.
type laidChunk [][][]piece

// maxLaid is how many drawn chunks are kept.
const maxLaid = 256

func newFlow(s *subject) *flow {
	f := &flow{laid: map[int]laidChunk{}}
	f.chunks, f.tables = chunksOf(s.new.lines, s.newInfo)
	return f
}

// rendered says whether the text is drawn as a document, not as its source.
func (m *Model) rendered() bool { return !m.subject.compare && !m.look.raw }

// flowRows are the rows of an edit in a rendered document, or false when the
// line is drawn by itself.
func (m *Model) flowRows(edit int) ([][]piece, bool) {
	if !m.rendered() {
		return nil, false
	}
	f := m.flow
	look := flowLook{max(m.textWidth()-m.gutterWidth(), 1), m.look.wrap, m.search.version, m.theme.Version(), m.shades.version}
	if f.looked != look || len(f.laid) >= maxLaid {
		f.looked = look
		clear(f.laid)
	}
	k := chunkAt(f.chunks, edit)
	c := f.chunks[k]
	if c.kind == chunkLines {
		return nil, false
	}
	rows, ok := f.laid[k]
	if !ok {
		rows = m.lay(c)
		f.laid[k] = rows
	}
	own := rows[edit-int(c.first)]
	return own, own != nil
}

// folded says that all of a line is part of the row of an earlier one.
func (m *Model) folded(edit int) bool {
	rows, ok := m.flowRows(edit)
	return ok && len(rows) == 0
}

// lay reads a chunk and draws it.
func (m *Model) lay(c chunk) laidChunk {
	s := &setter{m: m, first: int(c.first), rows: make(laidChunk, c.end-c.first), room: m.flow.looked.room, seen: map[int]int{}}
	lines := make([]string, 0, c.end-c.first+2)
	skip := 0
	if c.kind == chunkTable {
		s.area = &m.flow.tables[c.table]
		if c.first > s.area.first { // a later part is read with the titles
			skip = 2
			lines = append(lines, drawable(m.subject.new.lines[s.area.first]), drawable(m.subject.new.lines[s.area.first+1]))
		}
	}
	for _, line := range m.subject.new.lines[c.first:c.end] {
		lines = append(lines, drawable(line))
	}
	if c.kind == chunkFootnote {
		end := strings.Index(lines[0], "]:") + 2
		s.note, lines[0] = strings.TrimLeft(lines[0][:end], " "), strings.TrimLeft(lines[0][end:], " ")
		for i := range lines[1:] {
			lines[i+1] = strings.TrimPrefix(lines[i+1], "    ")
		}
	}
	s.skip, s.lines = skip, lines
	for _, b := range document.Passage(lines, m.definition) {
		s.block(b)
	}
	return s.rows
}

// definition is where a link with a label leads that is defined anywhere.
func (m *Model) definition(label string) (string, bool) {
	f := m.flow
	if f.refs == nil {
		f.refs = map[string]string{}
		for i, info := range m.subject.newInfo {
			if info.kind != kindDefinition {
				continue
			}
			name, rest, _ := strings.Cut(strings.TrimLeft(m.subject.new.lines[i], " \t")[1:], "]:")
			key := labelKey(name)
			if words := strings.Fields(rest); len(words) > 0 && f.refs[key] == "" && len(rest) < maxInline {
				f.refs[key] = strings.Trim(words[0], "<>")
			}
		}
	}
	address, ok := f.refs[labelKey(label)]
	return address, ok
}

func labelKey(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

// setter sets the blocks of one chunk into rows.
type setter struct {
	m     *Model
	rows  laidChunk
	room  int
	lines []string    // of the passage
	first int         // the first line of the chunk
	skip  int         // lines of the passage that are not part of the chunk
	seen  map[int]int // items whose marker was drawn, with the width of it
	note  string      // the mark of a footnote
	area  *gridArea
}

// put gives a row to a line.
func (s *setter) put(line int, row []piece) {
	if line -= s.skip; line >= 0 && line < len(s.rows) {
		s.rows[line] = append(s.rows[line], row)
	}
}

// claim marks the lines of a block as drawn.
func (s *setter) claim(first, last int) {
	for i := max(first-s.skip, 0); i <= last-s.skip && i < len(s.rows); i++ {
		if s.rows[i] == nil {
			s.rows[i] = [][]piece{}
		}
	}
}

func (s *setter) block(b document.Block) {
	s.claim(b.First, b.Last)
	first, other := s.lead(b.Holders)
	switch b.Kind {
	case document.Paragraph:
		s.runs(b, first, other, s.base(b.Holders))
	case document.Title:
		look := faceHeading | faceBold
		if b.Level == 1 {
			look |= faceUnder
		}
		mark := piece{strings.Repeat("#", b.Level) + " ", faceMarker}
		s.runs(b, append(first, mark), append(other, piece{spaces(b.Level + 1), faceText}), look)
		if s.underlined(b.Last + 1) { // which says nothing more
			s.claim(b.Last+1, b.Last+1)
		}
	case document.Code:
		edge := piece{s.m.theme.Glyphs.VRule + " ", faceMarker}
		s.verbatim(b, append(first, edge), append(other, edge), faceCode)
	case document.HTML:
		s.verbatim(b, first, other, faceMarker)
	case document.Rule:
		first, _ = s.leaving(first, other)
		n := max(s.room-cells(first), 1)
		if !s.m.look.wrap {
			n = 40
		}
		s.put(b.First, append(first, piece{strings.Repeat(s.m.theme.Glyphs.HRule, min(n, 200)), faceMarker}))
	case document.Table:
		s.grid(b, first, other)
	}
}

// underlined says that a line is the dashes under a title.
func (s *setter) underlined(line int) bool {
	at := s.first + line - s.skip
	return at < len(s.m.subject.newInfo) && s.m.subject.newInfo[at].kind == kindUnderline
}

func (s *setter) base(holders []document.Holder) face {
	for _, h := range holders {
		if h.Quote {
			return faceQuote
		}
	}
	return faceText
}

// lead is what stands before the first row of a block and before the others.
func (s *setter) lead(holders []document.Holder) (first, other []piece) {
	if s.note != "" {
		first, other = append(first, piece{s.note + " ", faceAccent}), append(other, piece{spaces(text.Width(s.note) + 1), faceText})
		if s.seen[0] > 0 {
			first = append([]piece(nil), other...)
		}
		s.seen[0] = 1
	}
	for _, h := range holders {
		if h.Quote {
			edge := piece{s.m.theme.Glyphs.VRule + " ", faceMarker}
			first, other = append(first, edge), append(other, edge)
			continue
		}
		if width, ok := s.seen[h.Item]; ok {
			blank := piece{spaces(width), faceText}
			first, other = append(first, blank), append(other, blank)
			continue
		}
		mark := s.marker(h)
		s.seen[h.Item] = cells(mark[:1])
		first, other = append(first, mark...), append(other, piece{spaces(cells(mark)), faceText})
	}
	return first, other
}

// leaving cuts what stands before rows so that half of the room, and at least a
// wide character, is left for the text.
func (s *setter) leaving(first, other []piece) (f, o []piece) {
	if limit := max(s.room-max(s.room/2, 2), 0); s.m.look.wrap && max(cells(first), cells(other)) > limit {
		return cut(first, limit, piece{}), cut(other, limit, piece{})
	}
	return first, other
}

// marker is the sign of a list item, and its box.
func (s *setter) marker(h document.Holder) []piece {
	sign := text.Line(h.Marker)
	if !s.m.theme.ASCII && strings.ContainsAny(sign, "-*+") {
		sign = "•"
	}
	out := []piece{{sign + " ", faceAccent}}
	if h.Task == 0 {
		return out
	}
	box, look := "☐ ", faceMarker
	switch {
	case h.Task != ' ' && s.m.theme.ASCII:
		box, look = "[x] ", faceAccent
	case h.Task != ' ':
		box, look = "☑ ", faceAccent
	case s.m.theme.ASCII:
		box = "[ ] "
	}
	return append(out, piece{box, look})
}

// mark says which line the text comes from, from a byte on.
type mark struct{ at, line int }

// runs sets the text of a block, one part after each hard break.
func (s *setter) runs(b document.Block, first, other []piece, base face) {
	first, other = s.leaving(first, other)
	var pieces []piece
	marks := []mark{{0, b.First}}
	at := 0
	flushed, joined := false, s.m.look.wrap && filled(s.lines[b.First:b.Last+1])
	flush := func() {
		flushed = true
		s.paragraph(pieces, marks, first, other)
		first, pieces, at = other, nil, 0
		marks = []mark{{0, marks[len(marks)-1].line}}
	}
	for i, r := range b.Runs {
		if r.Hard || r.Soft && !joined {
			flush()
			continue
		}
		if r.Soft && wideEdges(b.Runs[:i], b.Runs[i+1:]) {
			continue
		}
		t := flat(r.Text)
		if r.Line != marks[len(marks)-1].line {
			if at == 0 && len(pieces) == 0 && len(marks) == 1 {
				marks = nil
			}
			marks = append(marks, mark{at, r.Line})
		}
		pieces = append(pieces, styledRun(t, base, r.Style)...)
		at += len(t)
	}
	if len(pieces) > 0 || !flushed {
		flush()
	}
}

// paragraph wraps text and gives each row to the line it begins in.
func (s *setter) paragraph(pieces []piece, marks []mark, first, other []piece) {
	if s.m.search.query != "" {
		pieces = overlay(pieces, s.m.search.spans(plainText(pieces)), faceMatch)
	}
	rows, at := s.wrap(pieces, cells(other))
	for i, row := range rows {
		for len(marks) > 1 && marks[1].at <= at[i] {
			marks = marks[1:]
		}
		lead := other
		if i == 0 {
			lead = first
		}
		s.put(marks[0].line, append(append([]piece(nil), lead...), row...))
	}
}

// wrap fits text behind a lead, or leaves it on one row when lines are not
// wrapped.
func (s *setter) wrap(pieces []piece, lead int) ([][]piece, []int) {
	if !s.m.look.wrap {
		return [][]piece{pieces}, []int{0}
	}
	return wrapAt(pieces, max(s.room-lead, 1), nil)
}

// verbatim sets lines as they are.
func (s *setter) verbatim(b document.Block, first, other []piece, look face) {
	first, other = s.leaving(first, other)
	for i, r := range b.Runs {
		lead := other
		if i == 0 {
			lead = first
		}
		pieces := []piece{{flat(r.Text), look}}
		if source := s.lines[r.Line]; look == faceCode && strings.HasSuffix(source, pieces[0].text) {
			pieces = s.m.shade(pieces, 0, s.first+r.Line-s.skip, source)
		}
		if s.m.search.query != "" {
			pieces = overlay(pieces, s.m.search.spans(plainText(pieces)), faceMatch)
		}
		rows, _ := s.wrap(pieces, cells(other))
		for n, row := range rows {
			if n > 0 {
				lead = other
			}
			s.put(r.Line, append(append([]piece(nil), lead...), row...))
		}
	}
}
