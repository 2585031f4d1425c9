package reviewer

import (
	"strings"
	"unicode/utf8"

	"planmode/plan/document"
	"planmode/plan/text"
)

// flat makes the text of a run fit for a part of a row. The source was clean,
// but an entity may stand for anything.
func flat(s string) string {
	if plainASCII(s) {
		return s
	}
	return strings.ReplaceAll(text.Clean(s), "\n", " ")
}

// wideEdges says that a line end stands between two wide characters, where no
// blank belongs.
func wideEdges(before, after []document.Run) bool {
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	a, _ := utf8.DecodeLastRuneInString(before[len(before)-1].Text)
	z, _ := utf8.DecodeRuneInString(after[0].Text)
	return a > 0x7f && z > 0x7f && text.Width(string(a)) == 2 && text.Width(string(z)) == 2
}

// styledRun draws a run, with footnote marks set off.
func styledRun(s string, base face, style document.Style) []piece {
	look := base
	for _, x := range []struct {
		style document.Style
		role  face
		add   face
	}{
		{document.LinkText, faceLink, faceUnder}, {document.CodeSpan, faceCode, 0},
		{document.Address, faceMarker, 0}, {document.Markup, faceMarker, 0},
		{document.Strong, 0, faceBold}, {document.Emphasis, 0, faceItalic}, {document.Strike, 0, faceStrike},
	} {
		if style&x.style != 0 {
			if x.role != 0 {
				look = look&^faceRole | x.role
			}
			look |= x.add
		}
	}
	if style&(document.CodeSpan|document.Address) != 0 || !strings.Contains(s, "[^") {
		return []piece{{s, look}}
	}
	var out []piece
	for {
		from := strings.Index(s, "[^")
		to := strings.IndexByte(s[max(from, 0):], ']')
		if from < 0 || to < 3 || to > 60 || strings.IndexByte(s[from:from+to], ' ') >= 0 {
			return append(out, piece{s, look})
		}
		out = append(out, piece{s[:from], look}, piece{s[from : from+to+1], look&^faceRole | faceAccent})
		s = s[from+to+1:]
	}
}
