package reviewer

import (
	"strings"
)

// content is the drawable text of an edit with its faces, and what stands
// before the rows that it is continued on.
func (m *Model) content(edit int) (pieces, hang []piece) {
	source, info := m.subject.line(edit)
	line := drawable(source)
	marks := markup(m.subject.compare || m.look.raw)
	pieces, hang = m.styled(line, info, marks)
	if info.kind == kindCode {
		pieces = m.shadeEdit(pieces, edit, line)
	}
	if m.subject.compare {
		pieces, hang = m.compared(edit, pieces), m.compared(edit, hang)
		if m.look.words {
			pieces = overlay(pieces, m.subject.changed(edit), faceChanged)
		}
	}
	if m.search.query != "" {
		pieces = overlay(pieces, m.search.spans(plainText(pieces)), faceMatch)
	}
	if m.startsRewrap(edit) {
		pieces = append(pieces, piece{"  rewrapped", faceMarker})
	}
	return pieces, hang
}

// shadeEdit colours the code of an edit's line.
func (m *Model) shadeEdit(pieces []piece, edit int, line string) []piece {
	if e := m.subject.edits[edit]; e.Op == opRemoved {
		return m.shade(pieces, 1, e.Old-1, line)
	}
	return m.shade(pieces, 0, m.subject.edits[edit].New-1, line)
}

func (m *Model) compared(edit int, pieces []piece) []piece {
	var add face
	switch m.op(edit) {
	case opAdded:
		add = faceAdded
	case opRemoved:
		add = faceRemoved
	}
	for i := range pieces {
		pieces[i].face |= add
	}
	return pieces
}

// styled draws a line by its kind. In a comparison every character of the source
// is kept, since each may be what changed.
func (m *Model) styled(line string, info lineInfo, marks markup) (pieces, hang []piece) {
	body := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(body)]
	if body == "" && info.kind != kindCode {
		return []piece{{line, faceText}}, nil
	}
	switch info.kind {
	case kindHeading:
		return m.headingLine(line, indent, body, info, marks)
	case kindFence:
		if marks == hideMarks {
			return m.fenceLine(indent, body, info), nil
		}
		return []piece{{line, faceMarker}}, nil
	case kindUnderline, kindRule, kindFront, kindComment, kindDefinition:
		return []piece{{line, faceMarker}}, nil
	case kindCode:
		if marks == keepMarks {
			return []piece{{line, faceCode}}, nil
		}
		edge := piece{m.theme.Glyphs.VRule + " ", faceMarker}
		return []piece{edge, {line, faceCode}}, []piece{edge}
	case kindQuote:
		return m.quoteLine(indent, body, marks)
	case kindList:
		return m.listLine(indent, body, marks)
	case kindTable, kindTableRule:
		return inline(line, faceText, keepMarks), nil
	}
	hang = []piece{{indent + spaces(m.opts.WrapIndent), faceText}}
	return append([]piece{{indent, faceText}}, inline(body, faceText, marks)...), hang
}

func (m *Model) headingLine(line, indent, body string, info lineInfo, marks markup) (pieces, hang []piece) {
	level := headingLevel(body)
	if level == 0 { // written on two lines
		return inline(line, faceHeading|faceBold, marks), nil
	}
	title := strings.TrimLeft(body[level:], " ")
	mark := indent + body[:len(body)-len(title)]
	look := faceHeading | faceBold
	if info.level == 1 && marks == hideMarks {
		look |= faceUnder
	}
	pieces = append([]piece{{mark, faceMarker}}, inline(title, look, marks)...)
	return pieces, []piece{{spaces(len(mark)), faceText}}
}

// fenceLine draws the edge of a block of code, with its language.
func (m *Model) fenceLine(indent, body string, info lineInfo) []piece {
	edge := "+"
	switch {
	case m.theme.ASCII:
	case info.level == 1:
		edge = "╭"
	default:
		edge = "╰"
	}
	return []piece{{indent + edge + " " + strings.TrimSpace(strings.TrimLeft(body, "`~")), faceMarker}}
}

func (m *Model) quoteLine(indent, body string, marks markup) (pieces, hang []piece) {
	depth := len(body) - len(strings.TrimLeft(body, "> "))
	mark := body[:depth]
	if marks == hideMarks {
		mark = strings.ReplaceAll(mark, ">", m.theme.Glyphs.VRule)
	}
	edge := piece{indent + mark, faceMarker}
	return append([]piece{edge}, inline(body[depth:], faceQuote, marks)...), []piece{edge}
}

func (m *Model) listLine(indent, body string, marks markup) (pieces, hang []piece) {
	n := listMarker(body)
	if n == 0 {
		return append([]piece{{indent, faceText}}, inline(body, faceText, marks)...), nil
	}
	mark, rest := body[:n], body[n:]
	if marks == hideMarks && !m.theme.ASCII && strings.IndexByte("-*+", mark[0]) >= 0 {
		mark = "•" + mark[1:]
	}
	pieces = []piece{{indent, faceText}, {mark, faceAccent}}
	width := len(indent) + n
	if box, task, ok := strings.Cut(rest, "]"); ok && len(box) == 2 && box[0] == '[' && strings.ContainsAny(box[1:], " xX") {
		look := faceMarker
		if box[1] != ' ' {
			look = faceAccent
		}
		pieces = append(pieces, piece{box + "]", look})
		rest, width = task, width+4
	}
	pieces = append(pieces, inline(rest, faceText, marks)...)
	return pieces, []piece{{spaces(width), faceText}}
}
