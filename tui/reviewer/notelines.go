package reviewer

import (
	"fmt"
	"strings"

	"planmode/plan/text"
)

// noteRows draws the note at a place and the half-typed text there.
func (m *Model) noteRows(p place, width int) []string {
	var out []string
	if n, ok := m.notes.notes[p]; ok {
		out = append(out, m.noteBlock(n, m.noteTitle(n), faceNote, width)...)
	}
	if n, ok := m.notes.drafts[p]; ok && (m.box == nil || m.box.target.place != p) {
		out = append(out, m.noteBlock(n, "half-typed; a goes on with it", faceMuted, width)...)
	}
	return out
}

func (m *Model) noteTitle(n note) string {
	switch {
	case n.line == 0:
		return "note on the whole file"
	case n.end > 0:
		return fmt.Sprintf("note on lines %d-%d", n.line, n.end)
	}
	return ""
}

func (m *Model) noteBlock(n note, title string, f face, width int) []string {
	indent := min(m.gutterWidth(), width/4)
	bar := []piece{{spaces(indent), 0}, {m.theme.Glyphs.Bar + " ", faceWarn}}
	room := max(width-cells(bar), 1)
	var out []string
	add := func(line []piece) { out = append(out, m.paint.row(append(append([]piece(nil), bar...), line...))) }
	if title != "" {
		add(cut([]piece{{title, faceMarker}}, room, piece{}))
	}
	for _, line := range strings.Split(text.Clean(n.body), "\n") {
		for _, row := range wrap([]piece{{line, f}}, room, nil) {
			add(row)
		}
	}
	return out
}

// hasEarlierOnTop says whether notes of earlier rounds belong above the text.
func (m *Model) hasEarlierOnTop() bool { return false }
