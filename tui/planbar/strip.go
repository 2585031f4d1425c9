package planbar

import "planmode/tui/theme"

const (
	offCommand = "/plan off"
	gap        = 2 // cells between the label and the hint
)

// Strip is the line below the composer while planning: the label, and at the
// right how to leave, as far as the width allows. key is the bound key in words,
// or empty when none is bound.
func Strip(t *theme.Theme, key string, width int) string {
	if width <= 0 {
		return ""
	}
	label := t.Glyphs.Pause + " PLAN MODE " + t.Glyphs.Dot + " READ-ONLY"
	hints := []string{offCommand}
	if key != "" {
		hints = []string{offCommand + " " + t.Glyphs.Dot + " " + key, offCommand}
	}
	for _, hint := range hints {
		if theme.Width(label)+gap+theme.Width(hint) <= width {
			return t.Spread(t.Warning.Render(label), t.Dim.Render(hint), width)
		}
	}
	return t.Warning.Render(t.Cut(label, width))
}
