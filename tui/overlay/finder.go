package overlay

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/tui/composer"
	"planmode/tui/theme"
)

// Found is one entry that a Finder chooses from.
type Found struct {
	Label  string // shown, on one line
	Detail string // shown after it, dim
	Text   string // searched besides the label; may be long
}

const (
	finderRows = 10
	finderHint = "Enter choose · Esc close · type to narrow"
)

// Finder chooses one of many entries by typing a part of it. Every word typed
// must occur, in any order and case. It decides nothing that cannot be taken
// back, so it takes keys at once.
type Finder struct {
	theme   *theme.Theme
	title   string
	entries []Found
	hay     []string // lower case, what is searched
	box     *composer.Box
	query   string
	matches []int // into entries
	at      int   // into matches
	boxRow  int   // where the text stood in the last view
}

// NewFinder shows the entries in their order, the first one selected.
func NewFinder(title string, entries []Found, th *theme.Theme) *Finder {
	f := &Finder{theme: th, title: text.Line(title), entries: entries, box: composer.NewBox(th, "> ")}
	f.hay = make([]string, len(entries))
	for i, e := range entries {
		f.hay[i] = strings.ToLower(e.Label + " " + e.Detail + " " + e.Text)
	}
	f.narrow()
	return f
}

// SetTheme changes the appearance.
func (f *Finder) SetTheme(th *theme.Theme) {
	f.theme = th
	f.box.SetTheme(th)
}

// Paste adds to what is searched for.
func (f *Finder) Paste(s string) {
	f.box.Insert(text.Line(s))
	f.narrow()
}

// Key handles a key. choice is the index of the chosen entry, or -1 when none
// was; it counts only when done.
func (f *Finder) Key(msg tea.KeyPressMsg) (choice int, done bool) {
	switch msg.String() {
	case "esc":
		return -1, true
	case "enter":
		if f.at < len(f.matches) {
			return f.matches[f.at], true
		}
	case "up", "ctrl+p":
		f.move(-1)
	case "down", "ctrl+n", "ctrl+r":
		f.move(1)
	case "pgup":
		f.move(-finderRows)
	case "pgdown":
		f.move(finderRows)
	default:
		f.box.Key(msg)
		f.narrow()
	}
	return -1, false
}

func (f *Finder) move(by int) { f.at = max(min(f.at+by, len(f.matches)-1), 0) }

// narrow keeps the entries that hold every word, and searches only among those
// found before when the query merely grew.
func (f *Finder) narrow() {
	query := strings.ToLower(text.Line(f.box.Value()))
	if query == f.query && f.matches != nil {
		return
	}
	from := f.matches
	if from == nil || !strings.HasPrefix(query, f.query) {
		from = make([]int, len(f.entries))
		for i := range from {
			from[i] = i
		}
	}
	words := strings.Fields(query)
	matches := make([]int, 0, len(from))
	for _, i := range from {
		if holdsAll(f.hay[i], words) {
			matches = append(matches, i)
		}
	}
	f.query, f.matches, f.at = query, matches, 0
}

func holdsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

// View draws at most height lines of exactly width cells.
func (f *Finder) View(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	th := f.theme
	rows := max(min(finderRows, height-3), 1)
	first := max(min(f.at-rows/2, len(f.matches)-rows), 0)
	lines := []string{th.Rule(f.title+" "+fmt.Sprintf("(%d of %d)", len(f.matches), len(f.entries)), width)}
	for i := first; i < min(first+rows, len(f.matches)); i++ {
		lines = append(lines, f.row(f.matches[i], i == f.at, width))
	}
	if len(f.matches) == 0 {
		lines = append(lines, th.Fit(th.Muted.Render("  nothing found"), width))
	}
	f.boxRow = len(lines)
	lines = append(lines, f.box.View(width, 1)...)
	lines = append(lines, th.Fit(th.Dim.Render(finderHint), width))
	return lines[:min(len(lines), height)]
}

func (f *Finder) row(i int, selected bool, width int) string {
	th, e := f.theme, f.entries[i]
	pointer := "  "
	if selected {
		pointer = th.Glyphs.Pointer + " "
	}
	label, detail := text.Line(e.Label), text.Line(e.Detail)
	if selected {
		return th.Selection.Render(th.Spread(pointer+label, detail, width))
	}
	return th.Fit(th.Spread(pointer+th.Text.Render(label), th.Dim.Render(detail), width), width)
}

// Cursor is where the cursor stands in the last view.
func (f *Finder) Cursor() (x, y int, shown bool) {
	x, y = f.box.Cursor()
	return x, y + f.boxRow, true
}
