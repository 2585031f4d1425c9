// Package planbar draws what the screen says about plans besides the transcript:
// the summary above the composer, the mode strip below it, and the status line.
//
// Everything here is a pure function of its input. No line is ever wider than
// the width given, at any width; a width of zero or less draws nothing. Text
// that came from a model or a file is cleaned before it is drawn.
package planbar

import (
	"fmt"
	"path/filepath"
	"strings"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/theme"
)

// Summary is the plan summary above the composer.
type Summary struct {
	State    plan.State
	Draft    *session.PlanView
	Work     *session.PlanView
	Stale    []string // what changed since the approval of the open work
	Expanded bool
	Rows     int    // rows of the terminal; they limit the steps shown
	Home     string // home directory, shown as "~"; empty if there is none
	Key      string // the key that expands and collapses, in words; may be empty
}

// Lines draws the summary; nil when there is nothing to show. A draft is shown
// in any mode. Work alone is not shown while planning, where it would look like
// the plan at hand; beside a draft, open work always gets a line of its own.
func (s Summary) Lines(t *theme.Theme, width int) []string {
	if width <= 0 {
		return nil
	}
	d := drawing{t: t, width: width, Summary: s}
	switch {
	case s.Draft != nil:
		return d.lines(*s.Draft, documentStatus(s.Draft.Status))
	case s.Work != nil && s.State.Work != nil && !s.State.IsPlanning():
		return d.lines(*s.Work, workStatus(s.State.Work.Status))
	}
	return nil
}

// maxSteps is how many steps an expanded summary shows on a terminal of rows
// rows: three tenths of them, between 3 and 10.
func maxSteps(rows int) int { return min(max(rows*3/10, 3), 10) }

type drawing struct {
	Summary
	t     *theme.Theme
	width int
}

func (d drawing) lines(p session.PlanView, st status) []string {
	out := []string{d.head(p, st)}
	if !d.Expanded {
		return append(out, d.second(p))
	}
	out = append(out, d.audit(p)...)
	out = append(out, d.steps(p.Steps)...)
	if also := d.also(); also != "" {
		out = append(out, d.cut(also))
	}
	for _, line := range d.stale() {
		out = append(out, d.cut(line))
	}
	return append(out, d.right(d.hint("collapse")))
}

func (d drawing) head(p session.PlanView, st status) string {
	g := d.t.Glyphs
	left := d.t.Accent.Render(g.Bar+" PLAN") + "  " + d.t.Text.Bold(true).Render(text.Line(p.Title))
	right := st.style(d.t).Render(fmt.Sprintf("%s %s r%d", st.label, g.Dot, p.Ref.Revision))
	return d.t.Spread(left, right, d.width)
}

// second is the second collapsed line: the number of steps, or the open work
// that a draft would otherwise hide.
func (d drawing) second(p session.PlanView) string {
	left := d.also()
	if left == "" {
		left = d.t.Muted.Render(text.Count(len(p.Steps), "step")) + d.unreviewed(p)
		if stale := d.stale(); len(stale) > 0 {
			left += d.t.Muted.Render(" "+d.t.Glyphs.Dot+" ") + stale[0]
		}
	}
	return d.t.Spread(left, d.hint("expand"), d.width)
}

// stale are the warnings about the work tree of the work that is shown.
func (d drawing) stale() []string {
	if d.Draft != nil || d.State.OpenWork() == nil {
		return nil
	}
	var out []string
	for _, line := range d.Stale {
		out = append(out, d.t.Warning.Render(d.t.Glyphs.Bang+" "+text.Line(line)))
	}
	return out
}

func (d drawing) also() string {
	if d.Draft == nil || d.Work == nil || d.State.OpenWork() == nil {
		return ""
	}
	st := workStatus(d.State.Work.Status)
	dot := " " + d.t.Glyphs.Dot + " "
	return d.t.Muted.Render("also ") + st.style(d.t).Render(st.label) +
		d.t.Muted.Render(dot+text.Line(d.Work.Title)+dot+fmt.Sprintf("r%d", d.Work.Ref.Revision)) + d.unreviewed(*d.Work)
}

// audit names the file, and for closed or unknown work what was approved.
func (d drawing) audit(p session.PlanView) []string {
	var out []string
	if p.Path != "" {
		out = append(out, d.cut(d.t.Muted.Render(shorten(text.Line(p.Path), d.Home))))
	}
	if d.Draft == nil && d.State.Work != nil && d.State.Work.Status != plan.Unknown {
		out = append(out,
			d.cut(d.t.Muted.Render("Document: APPROVED")+d.unreviewed(p)),
			d.cut(d.t.Muted.Render("Approved hash: "+text.Line(string(p.Ref.Hash)))))
	}
	return out
}

func (d drawing) steps(steps []string) []string {
	if len(steps) == 0 {
		return []string{d.cut(d.t.Muted.Render("  No execution steps"))}
	}
	shown := min(len(steps), maxSteps(d.Rows))
	var out []string
	for i, s := range steps[:shown] {
		out = append(out, d.cut(d.t.Text.Render(fmt.Sprintf("  %d. %s", i+1, text.Line(s)))))
	}
	if more := len(steps) - shown; more > 0 {
		out = append(out, d.cut(d.t.Muted.Render(fmt.Sprintf("  %s +%d more", d.t.Glyphs.Ellipsis, more))))
	}
	return out
}

func (d drawing) hint(what string) string {
	if d.Key == "" {
		return d.t.Dim.Render("/plan steps " + what + "s")
	}
	return d.t.Dim.Render(d.Key + " " + what)
}

func (d drawing) cut(s string) string { return d.t.Cut(s, d.width) }

// right puts s at the right edge, or leaves it out when it does not fit.
func (d drawing) right(s string) string {
	room := d.width - theme.Width(s)
	if room < 0 {
		return ""
	}
	return strings.Repeat(" ", room) + s
}

// shorten writes path with "~" when it is home or inside it, by whole segments.
func shorten(path, home string) string {
	if home == "" || home == string(filepath.Separator) {
		return path
	}
	rest, ok := strings.CutPrefix(path, strings.TrimRight(home, string(filepath.Separator)))
	if !ok || rest != "" && rest[0] != filepath.Separator {
		return path
	}
	return "~" + rest
}
