package overlay

import (
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/tui/theme"
)

// fullKey shows what a call would do without the answers, and the answers again.
const fullKey = "ctrl+o"

const fullHint = "Ctrl+O or Esc back to the answers"

// fullKey handles a key while only the text is shown: nothing can be answered.
func (d *Permission) fullKey(name string) {
	switch name {
	case fullKey, "esc", "q":
		d.full = !d.full
	case "up", "k":
		d.menu.scrollBy(-1)
	case "down", "j":
		d.menu.scrollBy(1)
	case "home", "g":
		d.menu.scroll = 0
	case "end", "G":
		d.menu.scrollBy(len(d.menu.cached))
	case "pgup", "pgdown", "shift+up", "shift+down":
		d.menu.Key(name)
	}
}

// fullView gives every line to the text.
func (d *Permission) fullView(width, height int) []string {
	p := d.menu.Panel(width)
	p.Hint = d.menu.theme.Signs(fullHint)
	return d.menu.Draw(p, width, height).Lines
}

// alwaysLines say to the letter what "always" would add, since a row may be cut.
func alwaysLines(th *theme.Theme, p tool.Preview, width int) []string {
	if p.Always.Rule == "" {
		return nil
	}
	lines := []string{""}
	for _, line := range th.Wrap("Always adds this rule to your configuration: "+text.Line(p.Always.Rule), width) {
		lines = append(lines, th.Muted.Render(line))
	}
	return lines
}
