package reviewer

import (
	"fmt"
	"strings"

	"planmode/plan/text"
)

// noteRows draws the note at a place and the half-typed text there.
func (m *Model) noteRows(p place, width int) []string {
	out := m.pastRows(p, width)
	if n, ok := m.notes.notes[p]; ok {
		out = append(out, m.noteBlock(n, m.noteTitle(n), faceNote, width)...)
	}
	if n, ok := m.notes.drafts[p]; ok && (m.box == nil || m.box.target.place != p) {
		title := "half-typed; a goes on with it"
		if n.suggests {
			title = "half-typed suggestion; c goes on with it"
		}
		out = append(out, m.noteBlock(n, title, faceMuted, width)...)
	}
	return out
}

func (m *Model) noteTitle(n note) string {
	var parts []string
	if n.label != "" {
		parts = append(parts, "["+text.Line(n.label)+"]")
	}
	switch {
	case n.line == 0:
		parts = append(parts, "note on the whole file")
	case n.end > 0:
		parts = append(parts, fmt.Sprintf("note on lines %d-%d", n.line, n.end))
	}
	switch {
	case n.suggests && n.with == "":
		parts = append(parts, "suggests to delete")
	case n.suggests:
		parts = append(parts, "suggests")
	}
	return strings.Join(parts, " ")
}

// maxShown is how many lines of a suggestion are drawn on each side.
const maxShown = 40

func (m *Model) noteBlock(n note, title string, f face, width int) []string {
	b := m.newBlock(width)
	if title != "" {
		b.line(title, faceMarker)
	}
	if n.body != "" {
		b.text(n.body, f)
	}
	if n.suggests {
		m.suggestionRows(b, n)
	}
	return b.rows
}

// suggestionRows draws a suggestion as a small comparison with the lines that it
// is for.
func (m *Model) suggestionRows(b *block, n note) {
	var was, with []string
	if last := min(max(n.line, n.end), len(m.subject.new.lines)); n.line > 0 && n.op != opRemoved {
		was = m.subject.new.lines[min(n.line-1, last):last]
	}
	if n.with != "" {
		with = strings.Split(n.with, "\n")
	}
	for _, side := range []struct {
		lines []string
		sign  string
		face  face
	}{{was, "- ", faceRemoved}, {with, "+ ", faceAdded}} {
		for _, line := range side.lines[:min(len(side.lines), maxShown)] {
			b.text(side.sign+drawable(line), side.face)
		}
		if more := len(side.lines) - maxShown; more > 0 {
			b.line(side.sign+m.theme.Glyphs.Ellipsis+" "+text.Count(more, "more line"), faceMarker)
		}
	}
}

// block is rows behind a bar below a line of the text.
type block struct {
	m    *Model
	bar  []piece
	room int
	rows []string
}

func (m *Model) newBlock(width int) *block {
	indent := min(m.gutterWidth(), width/4)
	bar := []piece{{spaces(indent), 0}, {m.theme.Glyphs.Bar + " ", faceWarn}}
	return &block{m: m, bar: bar, room: max(width-cells(bar), 1)}
}

func (b *block) add(line []piece) {
	b.rows = append(b.rows, b.m.paint.row(append(append([]piece(nil), b.bar...), line...)))
}

// line adds one row, cut to the width.
func (b *block) line(s string, f face) { b.add(cut([]piece{{s, f}}, b.room, piece{})) }

// text adds wrapped rows.
func (b *block) text(s string, f face) {
	for _, line := range strings.Split(text.Clean(s), "\n") {
		for _, row := range wrap([]piece{{line, f}}, b.room, nil) {
			b.add(row)
		}
	}
}

// noted says whether something is drawn below the line of a place.
func (m *Model) noted(p place) bool {
	_, noted := m.notes.notes[p]
	_, typed := m.notes.drafts[p]
	return noted || typed || len(m.pastAt(p)) > 0
}
