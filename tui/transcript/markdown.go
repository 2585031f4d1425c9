package transcript

import (
	"strings"

	"charm.land/glamour/v2"
	gansi "charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"

	"planmode/plan/text"
	"planmode/tui/theme"
)

// maxMarkdown is the size above which a message is shown as plain text: the
// renderer takes about 5 ms a KiB.
const maxMarkdown = 64 << 10

// Markdown renders a message of a model for a screen of width cells. It is slow
// for long text and safe for concurrent use. What the renderer cannot take is
// returned as plain wrapped text.
func Markdown(t *theme.Theme, s string, width int) []string {
	s = strings.Trim(text.Clean(s), "\n")
	if len(s) > maxMarkdown || !marked(s) {
		return t.Wrap(s, max(width, 1))
	}
	r, err := glamour.NewTermRenderer(glamour.WithStyles(style(t)), glamour.WithWordWrap(max(width, 1)))
	if err != nil {
		return t.Wrap(s, max(width, 1))
	}
	var out []string
	for i, block := range blocks(s) {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, renderBlock(r, t, block, width)...)
	}
	return out
}

// renderBlock renders one block; a renderer that fails or panics on it costs
// only its styling.
func renderBlock(r *glamour.TermRenderer, t *theme.Theme, block string, width int) (lines []string) {
	plain := func() []string { return t.Wrap(block, max(width, 1)) }
	defer func() {
		if recover() != nil {
			lines = plain()
		}
	}()
	if !tame(block) {
		return plain()
	}
	rendered, err := r.Render(defuse(block))
	if err != nil {
		return plain()
	}
	lines = strings.Split(onlyColours(rendered), "\n")
	for i, l := range lines {
		lines[i] = unpad(t.Cut(l, width))
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return plain()
	}
	return lines
}

// unpad cuts the blanks at the end of a line, each of which the renderer wraps
// in sequences of its own.
func unpad(l string) string {
	cut := trailPad.ReplaceAllString(l, "")
	if cut != l && strings.Contains(cut, "\x1b[") {
		cut += "\x1b[m"
	}
	return cut
}

// marked says whether s may hold any Markdown at all; most short answers do not
// and need no renderer.
func marked(s string) bool {
	return strings.ContainsAny(s, "#*_`>|[<~&\\!") || strings.Contains(s, "\n- ") || strings.HasPrefix(s, "- ") ||
		strings.Contains(s, "\n+ ") || strings.HasPrefix(s, "+ ") || strings.Contains(s, "---") || strings.Contains(s, "===") ||
		numbered(s) || strings.Contains(s, "\n    ")
}

func numbered(s string) bool {
	for _, l := range strings.Split(s, "\n") {
		if l = strings.TrimLeft(l, " "); l != "" && l[0] >= '0' && l[0] <= '9' && listItem.MatchString(l) {
			return true
		}
	}
	return false
}

// style is the renderer's style without margins, in the manner of the theme.
func style(t *theme.Theme) gansi.StyleConfig {
	c := styles.LightStyleConfig
	switch {
	case t.NoColor || t.ASCII:
		c = styles.ASCIIStyleConfig
	case t.Dark:
		c = styles.DarkStyleConfig
	}
	none := uint(0)
	c.Document.Margin = &none
	c.Document.BlockPrefix, c.Document.BlockSuffix = "", ""
	c.Document.Color, c.Document.BackgroundColor = nil, nil
	c.CodeBlock.Margin = &none
	c.H1.Prefix, c.H1.Suffix = "# ", ""
	c.H1.BackgroundColor, c.H1.Color = nil, c.Heading.Color
	c.Text.Color = nil
	c.Code.Prefix, c.Code.Suffix, c.Code.BackgroundColor = "", "", nil
	if t.NoColor || t.ASCII {
		on := true
		c.Strong, c.Emph = gansi.StylePrimitive{Bold: &on}, gansi.StylePrimitive{Italic: &on}
	}
	if !t.ASCII {
		c.Item.BlockPrefix = "• "
	}
	return c
}
