package transcript

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"planmode/plan/text"
	"planmode/tui/theme"
)

// pen draws one node: what it needs to know of the screen, and the few shapes
// that nodes are made of. Text given to it may be hostile; it cleans it.
type pen struct {
	t        *theme.Theme
	width    int
	expanded bool
	key      string // the key that expands, in words; may be empty
}

// minTitle is what is left of a title in the least room.
const minTitle = 8

// line is one cut line of clean, styled parts.
func (p pen) line(s string) string { return p.t.Cut(s, p.width) }

// note is one short muted line.
func (p pen) note(format string, args ...any) []string {
	return []string{p.line(p.t.Muted.Render(text.Line(fmt.Sprintf(format, args...))))}
}

// para wraps text with first before its first line and blanks of the same width
// before the others. Both first and the text are drawn in their own style.
func (p pen) para(first string, style lipgloss.Style, s string) []string {
	indent := theme.Width(first)
	room := p.width - indent
	if room < 4 {
		first, indent, room = "", 0, p.width
	}
	var out []string
	for i, l := range p.t.Wrap(strings.TrimRight(text.Clean(s), "\n"), room) {
		lead := first
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		if l != "" {
			l = style.Render(l)
		}
		out = append(out, strings.TrimRight(lead, " ")+strings.Repeat(" ", trailing(lead))+l)
	}
	return out
}

// trailing counts the blanks at the end of s.
func trailing(s string) int { return len(s) - len(strings.TrimRight(s, " ")) }

// join puts the non-empty parts on one line, with dots between them.
func (p pen) join(parts ...string) string {
	kept := parts[:0:0]
	for _, s := range parts {
		if s = text.Line(s); s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " "+p.t.Glyphs.Dot+" ")
}

// entitled is one line of a sign, a label, a title and what is known of it. In
// little room the title is shortened, not the revision behind it.
func (p pen) entitled(sign string, style lipgloss.Style, label, title string, more ...string) string {
	used := theme.Width(sign + " " + p.join(label, "x"))
	parts := append([]string{label}, p.shorten(used-1, append([]string{title}, more...))...)
	return p.line(sign + " " + style.Render(p.join(parts...)))
}

// shorten cuts the first of parts, the title, so that they all fit beside used
// cells when they are joined.
func (p pen) shorten(used int, parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	rest := theme.Width(p.join(append([]string{"x"}, parts[1:]...)...)) - 1
	title := p.t.Cut(text.Line(parts[0]), max(p.width-used-rest, minTitle))
	return append([]string{title}, parts[1:]...)
}

// under is a cut line below a node, behind the elbow.
func (p pen) under(style lipgloss.Style, s string) string {
	return p.line(p.t.Dim.Render("  "+p.t.Glyphs.Elbow+" ") + style.Render(text.Line(s)))
}

// field is a wrapped "Label: text" below an expanded node; nil when text is empty.
func (p pen) field(label, s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return p.para("  "+p.t.Muted.Render(label+":")+" ", p.t.Text, s)
}

// limit keeps at most n lines and says how many there are more.
func (p pen) limit(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	more := p.t.Muted.Render(fmt.Sprintf("  %s +%d more lines", p.t.Glyphs.Ellipsis, len(lines)-n))
	return append(lines[:n:n], p.line(more))
}

// listing shows the first n lines of s, each in its own style, not wrapped.
func (p pen) listing(s string, n int, style func(line string) lipgloss.Style) []string {
	raw := strings.Split(strings.TrimRight(text.Clean(s), "\n"), "\n")
	var out []string
	for _, l := range raw[:min(n, len(raw))] {
		out = append(out, p.line("    "+style(l).Render(l)))
	}
	if more := len(raw) - n; more > 0 {
		out = append(out, p.line(p.t.Muted.Render(fmt.Sprintf("    %s +%d more lines", p.t.Glyphs.Ellipsis, more))))
	}
	return out
}

// hint says how to expand, or nothing when no key is bound.
func (p pen) hint() string {
	if p.key == "" {
		return ""
	}
	return p.key + " expand"
}
