package plans

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan/text"
	"planmode/store"
	"planmode/tui/rows"
	"planmode/tui/theme"
)

// The widths from which a row also names the directory, and the sessions.
const (
	wide  = 72
	wider = 110
)

// listHints from the longest to one that fits anywhere.
var listHints = []string{
	"Enter open · Tab status · Shift+Tab this directory · Ctrl+T age · Esc close",
	"Enter open · Tab status · Shift+Tab here · Esc",
	"Enter open · Tab status · Esc",
}

// source lets the list draw the plans that match.
type source struct{ b *Browser }

// Len implements rows.Source.
func (s source) Len() int { return len(s.b.match) }

// Key implements rows.Source.
func (s source) Key(i int) rows.Key {
	return rows.Key{ID: string(s.b.all[s.b.match[i]].ID), Version: s.b.version}
}

// Render implements rows.Source.
func (s source) Render(i, width int) []string {
	return []string{s.b.row(s.b.all[s.b.match[i]], width)}
}

// decorate marks the selected row; the cache holds it unmarked.
func (b *Browser) decorate(item, _ int, line string) string {
	if item != b.list.Selected() {
		return line
	}
	plain := ansi.Strip(line)
	if rest, ok := strings.CutPrefix(plain, "  "); ok {
		plain = b.o.Theme.Glyphs.Pointer + " " + rest
	}
	return b.o.Theme.Selection.Render(plain)
}

func (b *Browser) row(p store.PlanInfo, width int) string {
	th := b.o.Theme
	title := text.Line(p.Title)
	if title == "" {
		title = string(p.ID)
	}
	right := fmt.Sprintf("%s %s %s", standing(p), revision(p.CurrentRevision), fmt.Sprintf("%4s", since(b.o.Now(), p.UpdatedAt.Time)))
	if width >= wide {
		dir := shorten(text.Line(p.Cwd), b.o.Home, min(24, width/4), th)
		right = text.Pad(dir, min(24, width/4)) + "  " + right
		if width >= wider {
			right = sessions(len(p.Sessions)) + "  " + right
		}
	}
	return th.Spread("  "+th.Text.Render(title), th.Dim.Render(right), width)
}

func sessions(n int) string {
	if n > 1 {
		return fmt.Sprintf("%2d sessions", n)
	}
	return "           "
}

func revision(n int) string {
	if n < 1 {
		return "   "
	}
	return fmt.Sprintf("%-3s", fmt.Sprintf("r%d", n))
}

// standing is how a plan stands, padded so that what follows is a column.
func standing(p store.PlanInfo) string {
	word := p.Standing()
	if word == "changes_requested" {
		word = "changes"
	}
	return fmt.Sprintf("%-9s", text.Line(word))
}

// since is an age in its largest unit.
func since(now, t time.Time) string {
	d := now.Sub(t)
	switch day := 24 * time.Hour; {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 365*day:
		return fmt.Sprintf("%dw", d/(7*day))
	default:
		return fmt.Sprintf("%dy", d/(365*day))
	}
}

// shorten keeps the end of a path, which says most.
func shorten(path, home string, cells int, th *theme.Theme) string {
	if home != "" && home != string(filepath.Separator) {
		if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == filepath.Separator) {
			path = "~" + rest
		}
	}
	if text.Width(path) <= cells {
		return path
	}
	mark := th.Glyphs.Ellipsis
	r := []rune(path)
	for len(r) > 0 && text.Width(string(r))+text.Width(mark) > cells {
		r = r[1:]
	}
	return mark + string(r)
}

// View draws at most height lines of exactly width cells.
func (b *Browser) View(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	th := b.o.Theme
	room := max(height-3, 1)
	lines := []string{th.Rule(b.title(), width)}
	if len(b.match) == 0 {
		lines = append(lines, th.Fit(th.Muted.Render("  "+b.nothing()), width))
	} else {
		at := b.list.Selected()
		b.list.Resize(width, min(room, len(b.match)))
		b.list.Select(at)
		lines = append(lines, b.list.View(width, min(room, len(b.match)))...)
	}
	b.boxRow = len(lines)
	lines = append(lines, b.box.View(width, 1)...)
	lines = append(lines, th.Fit(th.Dim.Render(th.Cut(th.Signs(fitting(listHints, width)), width)), width))
	return lines[:min(len(lines), height)]
}

// nothing says why the list is empty.
func (b *Browser) nothing() string {
	switch {
	case b.more > 0:
		return "nothing found yet"
	case len(b.all) == 0:
		return "there are no plans yet: /plan on starts one"
	}
	return "nothing found: Tab, Shift+Tab and Ctrl+T change the filters"
}

// fitting is the first text that fits, or the last.
func fitting(texts []string, width int) string {
	for _, s := range texts {
		if text.Width(s) <= width {
			return s
		}
	}
	return texts[len(texts)-1]
}

// Cursor is where the cursor stands in the last view.
func (b *Browser) Cursor() (x, y int, shown bool) {
	x, y = b.box.Cursor()
	return x, y + b.boxRow, true
}
