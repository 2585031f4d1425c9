package branches

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/tui/rows"
)

const (
	hint        = "Enter go on from here · f fork · / search · Tab filter · ←→ fold · L label · Space read · Esc close"
	hintShort   = "Enter go · f fork · / find · Tab filter · Esc close"
	hintSearch  = "Enter keep · Esc clear"
	hintLabel   = "Enter save, empty removes · Esc back"
	hintReading = "Up and Down scroll · any other key closes"

	previewFrom = 16 // height from which the selected entry is shown below the list
	previewRows = 4
	mostIndent  = 12 // forks drawn; deeper ones are told as a number
)

// listed is the browser as the source of its list: its own Key is for the keyboard.
type listed struct{ *Browser }

// Len implements rows.Source.
func (l listed) Len() int { return len(l.out.rows) }

// Key implements rows.Source.
func (l listed) Key(i int) rows.Key {
	return rows.Key{ID: strconv.Itoa(i), Version: l.version}
}

// View draws exactly height lines of width cells.
func (b *Browser) View(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	lines := []string{b.title(width)}
	foot := b.foot(width)
	room := height - 1 - len(foot)
	if b.reading {
		lines = append(lines, b.read(width, max(room, 1))...)
	} else {
		lines = append(lines, b.body(width, max(room, 1))...)
	}
	b.boxRow = len(lines)
	lines = append(lines, foot...)
	if extra := len(lines) - height; extra > 0 {
		lines = lines[extra:]
		b.boxRow -= extra
	}
	return lines
}

func (b *Browser) title(width int) string {
	title := fmt.Sprintf("Tree: %s (%d)", b.filter, len(b.out.rows))
	if b.query != "" {
		title += " with \"" + text.Line(b.query) + "\""
	}
	return b.th.Rule(title, width)
}

func (b *Browser) foot(width int) []string {
	say := hint
	switch {
	case b.box != nil && b.typing == labelling:
		say = hintLabel
	case b.box != nil:
		say = hintSearch
		if b.hay == nil {
			say = "reading the session " + b.th.Glyphs.Ellipsis
		}
	case b.reading:
		say = hintReading
	case ansi.StringWidth(hint) > width:
		say = hintShort
	}
	var lines []string
	if b.box != nil {
		lines = b.box.View(width, 1)
	}
	return append(lines, b.th.Fit(b.th.Dim.Render(b.th.Signs(say)), width))
}

// body is the list and, where there is room, a preview of what is selected.
func (b *Browser) body(width, room int) []string {
	preview := 0
	if room >= previewFrom {
		preview = previewRows
	}
	b.height = room
	if preview > 0 {
		b.height = room - preview - 1
	}
	at := b.list.Selected()
	b.list.Resize(width, b.height)
	b.list.Select(at) // the size may have put it out of sight
	lines := b.list.View(width, b.height)
	if len(b.out.rows) == 0 && len(lines) > 0 {
		lines[0] = b.th.Fit(b.th.Muted.Render("  nothing to show"), width)
	}
	if preview == 0 {
		return lines
	}
	lines = append(lines, b.th.Rule("", width))
	return append(lines, b.preview(width, preview, 0)...)
}

func (b *Browser) read(width, room int) []string {
	b.height = room
	return b.preview(width, room, b.scrolled)
}

// preview is the selected entry, from a line on.
func (b *Browser) preview(width, room, from int) []string {
	at := b.selected()
	if at < 0 {
		return b.th.Block(nil, width, room)
	}
	lines := b.th.Wrap(strings.TrimSpace(whole(b.source.entries[at])), width)
	if from = max(min(from, len(lines)-room), 0); b.reading {
		b.scrolled = from
	}
	lines = lines[from:]
	for i := range lines {
		lines[i] = b.th.Muted.Render(lines[i])
	}
	return b.th.Block(lines, width, room)
}

// Render implements rows.Source.
func (l listed) Render(i, width int) []string {
	b := l.Browser
	r := b.out.rows[i]
	e := b.source.entries[r.entry]
	who, what := line(e)
	style := b.th.Muted
	if b.source.active[r.entry] {
		style = b.th.Text
	}
	var s strings.Builder
	s.WriteString(b.th.Border.Render(b.stem(i)))
	s.WriteString(b.mark(int(r.entry)))
	if label := b.source.labels[e.ID]; label != "" {
		s.WriteString(b.th.Accent.Render("["+text.Line(label)+"]") + " ")
	}
	s.WriteString(b.colour(e.Kind, style).Render(who))
	if what != "" {
		s.WriteString(" " + style.Render(what))
	}
	left := s.String()
	right := age(b.now, e.At.Time)
	if r.under > 0 {
		right = "+" + strconv.Itoa(int(r.under)) + "  " + right
	}
	return []string{b.th.Spread(" "+left, b.th.Dim.Render(right), width)}
}

// mark is the sign of the path in use, and of its end.
func (b *Browser) mark(entry int) string {
	switch {
	case entry == b.source.leaf || b.source.active[entry] && b.endsHere(entry):
		return b.th.Success.Render(b.th.Glyphs.Bullet) + " "
	case b.source.active[entry]:
		return b.th.Accent.Render(b.th.Glyphs.Dot) + " "
	}
	return "  "
}

// endsHere says whether an entry stands for the leaf, which the filter hides.
func (b *Browser) endsHere(entry int) bool {
	if b.source.leaf < 0 {
		return false
	}
	at := b.source.nearest(&b.out, b.source.leaf)
	return at >= 0 && int(b.out.rows[at].entry) == entry
}

// colour is that of the name of a kind.
func (b *Browser) colour(k plan.Kind, otherwise lipgloss.Style) lipgloss.Style {
	switch k {
	case tree.KindUser:
		return b.th.Prompt
	case plan.KindPlanApproved, plan.KindWorkCompleted, plan.KindWorkAdopted:
		return b.th.Success
	case plan.KindWorkAbandoned, plan.KindChangesRequested, plan.KindWorkRecovered:
		return b.th.Warning
	case plan.KindRevisionSubmitted, plan.KindPlanningEntered, plan.KindRevisionAttached:
		return b.th.Accent
	}
	return otherwise
}

// stem draws the branches that a row stands on.
func (b *Browser) stem(i int) string {
	r := b.out.rows[i]
	if r.head < 0 {
		return ""
	}
	bar, elbow, tee := b.th.Glyphs.VRule+" ", "└ ", "├ "
	if b.th.ASCII {
		elbow, tee = "`-", "|-"
	}
	var parts []string
	for at := r.head; at >= 0 && len(parts) < mostIndent; at = b.out.rows[at].up {
		h := b.out.rows[at]
		switch {
		case int(at) == i && h.last:
			parts = append(parts, elbow)
		case int(at) == i:
			parts = append(parts, tee)
		case h.last:
			parts = append(parts, "  ")
		default:
			parts = append(parts, bar)
		}
	}
	var s strings.Builder
	if extra := int(r.depth) - len(parts); extra > 0 {
		fmt.Fprintf(&s, "%d%s ", extra, b.th.Glyphs.Ellipsis)
	}
	for j := len(parts) - 1; j >= 0; j-- {
		s.WriteString(parts[j])
	}
	return s.String()
}

// decorate marks the selected row.
func (b *Browser) decorate(item, _ int, s string) string {
	if item != b.list.Selected() {
		return s
	}
	return b.th.Selection.Render(b.th.Glyphs.Pointer + strings.TrimPrefix(ansi.Strip(s), " "))
}

// age is how long ago something was.
func age(now, then time.Time) string {
	d := now.Sub(then)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + "d"
}
