package theme

import "strings"

// Glyphs are the signs of the screen. None of them carries a variation selector
// or a joiner, whose widths terminals disagree about.
type Glyphs struct {
	Pause    string // planning mode
	Bar      string // left edge of a summary
	Bullet   string // a tool node
	Check    string
	Cross    string
	Bang     string
	Elbow    string // first line under a node
	Ellipsis string
	Arrow    string
	HRule    string
	VRule    string
	Pointer  string // before the selected row
	Dot      string // between parts of a line
	Up, Down string // more text above, below
	Spinner  []string
}

// Signs writes the dots and arrows of a sentence of ours in the glyphs of the
// theme.
func (t *Theme) Signs(s string) string {
	return strings.NewReplacer(unicodeGlyphs.Dot, t.Glyphs.Dot, unicodeGlyphs.Arrow, t.Glyphs.Arrow).Replace(s)
}

var unicodeGlyphs = Glyphs{
	Pause: "⏸", Bar: "▌", Bullet: "●", Check: "✓", Cross: "✗", Bang: "!", Elbow: "⎿",
	Ellipsis: "…", Arrow: "→", HRule: "─", VRule: "│", Pointer: "❯", Dot: "·", Up: "↑", Down: "↓",
	Spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
}

var asciiGlyphs = Glyphs{
	Pause: "||", Bar: "|", Bullet: "*", Check: "+", Cross: "x", Bang: "!", Elbow: "`-",
	Ellipsis: "...", Arrow: "->", HRule: "-", VRule: "|", Pointer: ">", Dot: "-", Up: "^", Down: "v",
	Spinner: []string{"|", "/", "-", "\\"},
}
