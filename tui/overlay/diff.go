package overlay

import (
	"strings"

	"charm.land/lipgloss/v2"

	"planmode/tui/theme"
)

// diffStyle is the style of a line of a unified diff. What looks like a file
// header inside a hunk is a changed line.
func diffStyle(th *theme.Theme, line string, inHunk bool) lipgloss.Style {
	switch {
	case !inHunk && (strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---")):
		return th.Muted
	case strings.HasPrefix(line, "+"):
		return th.Added
	case strings.HasPrefix(line, "-"):
		return th.Removed
	case strings.HasPrefix(line, "@@"):
		return th.Hunk
	}
	return th.Text
}

// dots writes the separators of a hint in the glyphs of the theme.
func dots(th *theme.Theme, hint string) string {
	return strings.ReplaceAll(hint, "·", th.Glyphs.Dot)
}
