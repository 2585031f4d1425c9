package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// DiffLines gives the style of each line of a unified diff, asked for in order.
// What looks like a file header inside a hunk is a changed line. Lines that did
// not change are drawn as plain.
func (t *Theme) DiffLines(plain lipgloss.Style) func(line string) lipgloss.Style {
	inHunk := false
	return func(line string) lipgloss.Style {
		inHunk = inHunk || strings.HasPrefix(line, "@@")
		switch {
		case !inHunk && (strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---")):
			return t.Muted
		case strings.HasPrefix(line, "+"):
			return t.Added
		case strings.HasPrefix(line, "-"):
			return t.Removed
		case strings.HasPrefix(line, "@@"):
			return t.Hunk
		}
		return plain
	}
}
