package reviewer

import (
	"strings"

	"charm.land/lipgloss/v2"

	"planmode/tui/theme"
)

// painter turns faces into escape sequences. What a face opens and closes with
// is worked out once.
type painter struct {
	theme *theme.Theme
	known map[face][2]string
}

func newPainter(t *theme.Theme) *painter {
	return &painter{theme: t, known: map[face][2]string{}}
}

func (p *painter) row(pieces []piece) string {
	var b strings.Builder
	for _, x := range pieces {
		if x.text == "" {
			continue
		}
		around := p.around(x.face)
		b.WriteString(around[0])
		b.WriteString(x.text)
		b.WriteString(around[1])
	}
	return b.String()
}

func (p *painter) around(f face) [2]string {
	if known, ok := p.known[f]; ok {
		return known
	}
	open, shut, _ := strings.Cut(p.style(f).Render("x"), "x")
	p.known[f] = [2]string{open, shut}
	return p.known[f]
}

func (p *painter) style(f face) lipgloss.Style {
	t := p.theme
	role := f & faceRole
	s := [...]lipgloss.Style{
		faceText: t.Text, faceMuted: t.Muted, faceHeading: t.Heading, faceCode: t.Code, faceLink: t.Link,
		faceQuote: t.Quote, faceMarker: t.Dim, faceNote: t.Text, faceWarn: t.Warning, faceAccent: t.Accent,
		faceKeyword: t.Accent, faceString: t.Success, faceNumber: t.Warning, faceComment: t.Muted,
	}[role]
	if plain := role == faceText || role == faceQuote; plain && f&faceAdded != 0 {
		s = t.Added
	} else if plain && f&faceRemoved != 0 {
		s = t.Removed
	}
	switch {
	case f&faceChanged != 0 && f&faceAdded != 0:
		s = t.AddedWord
	case f&faceChanged != 0:
		s = t.RemovedWord
	}
	if f&faceSelected != 0 {
		if t.NoColor {
			s = s.Underline(true)
		} else {
			s = s.Background(t.Selection.GetBackground())
		}
	}
	return modify(s, f)
}

func modify(s lipgloss.Style, f face) lipgloss.Style {
	if f&faceBold != 0 {
		s = s.Bold(true)
	}
	if f&faceItalic != 0 {
		s = s.Italic(true)
	}
	if f&faceStrike != 0 {
		s = s.Strikethrough(true)
	}
	if f&faceUnder != 0 {
		s = s.Underline(true)
	}
	if f&faceMatch != 0 {
		s = s.Reverse(true)
	}
	return s
}
