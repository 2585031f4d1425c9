package transcript

import (
	"strings"

	"planmode/plan/proposal"
	"planmode/plan/text"
	"planmode/tui/theme"
)

// standing is what is known of the plans in a message of the agent besides their
// text.
type standing struct {
	planning bool // the message is of a planning turn, where a plan is a submission
	stopped  bool // the message did not end by itself
}

// message draws a message that may hold plans: each in a card, and the text
// around them. draw draws Markdown, or what stands in for it.
func message(p pen, s string, st standing, draw func(s string, width int) []string) []string {
	parts := proposal.Parts(s)
	last := 0
	for i, part := range parts {
		if part.Plan {
			last = i
		}
	}
	var out []string
	for i, part := range parts {
		switch {
		case part.Plan:
			out = apart(out, p.planCard(part, st, i == last, draw))
		case strings.TrimSpace(part.Text) != "":
			out = apart(out, draw(part.Text, p.width))
		}
	}
	return out
}

// apart adds lines behind a blank one.
func apart(out, lines []string) []string {
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	if len(out) > 0 && len(lines) > 0 {
		out = append(out, "")
	}
	return append(out, lines...)
}

// planCard draws a finished plan: whole, because a plan that is cut is approved
// unread. last says whether it is the one of its message that counts.
func (p pen) planCard(part proposal.Part, st standing, last bool, draw func(string, int) []string) []string {
	note := ""
	switch {
	case st.stopped:
		note = "unfinished, not submitted"
	case !last:
		note = "replaced by the plan below"
	case !st.planning:
		note = "not submitted"
	}
	out := []string{p.planHead("Plan", note)}
	for _, w := range warnings(part, st) {
		out = append(out, p.para("  "+p.t.Warning.Render(p.t.Glyphs.Bang)+" ", p.t.Warning, w)...)
	}
	gutter, width := p.gutter()
	body := []string{p.line(p.t.Dim.Italic(true).Render("(empty)"))}
	if strings.TrimSpace(part.Text) != "" {
		body = draw(part.Text, width)
	}
	for _, l := range body {
		out = append(out, strings.TrimRight(gutter+l, " "))
	}
	if last && !st.planning && !st.stopped {
		out = append(out, p.para("  ", p.t.Accent, "Plan Mode was off, so nobody was asked. /plan take turns it on and reviews this plan; nothing is approved by that.")...)
	}
	return out
}

func (p pen) planHead(label, note string) string {
	head := p.t.Accent.Render(p.t.Glyphs.Bullet) + " " + p.t.Strong.Render(label)
	if note != "" {
		head += p.t.Muted.Render(" " + p.t.Glyphs.Dot + " " + note)
	}
	return p.line(head)
}

// gutter is what stands before the lines of a plan, and the width left to them.
func (p pen) gutter() (string, int) {
	if p.width < 12 {
		return "", p.width
	}
	return p.t.Border.Render(p.t.Glyphs.VRule) + " ", p.width - 4
}

// warnings say why a plan may not be what the agent meant.
func warnings(part proposal.Part, st standing) []string {
	var out []string
	if part.Fenced {
		out = append(out, "It stands in a code fence and may be an example.")
	}
	if part.Torn {
		out = append(out, "Its last tag stands in a code fence, so the plan may be cut off.")
	}
	if part.Open && !st.stopped {
		out = append(out, "It has no closing tag, so its end may be missing.")
	}
	return out
}

// unstyled stands in for Markdown that is not rendered yet.
func unstyled(t *theme.Theme) func(string, int) []string {
	return func(s string, width int) []string { return t.Wrap(strings.Trim(text.Clean(s), "\n"), max(width, 1)) }
}

// rich draws Markdown, which may take long.
func rich(t *theme.Theme) func(string, int) []string {
	return func(s string, width int) []string { return Markdown(t, s, width) }
}

// arriving draws a message that grows at its end; a new piece costs what is new.
// What may still become a tag is not shown, so no half of one ever is.
type arriving struct {
	full  string // what was split so far
	split proposal.Splitter
	parts []*arrivingPart
}

type arrivingPart struct {
	plan bool
	text strings.Builder
	tail streaming
}

func (a *arriving) lines(p pen, full string) []string {
	if !strings.HasPrefix(full, a.full) {
		*a = arriving{}
	}
	for _, s := range a.split.Push(full[len(a.full):]) {
		a.take(s)
	}
	a.full = full
	gutter, width := p.gutter()
	var out []string
	for _, part := range a.parts {
		s := part.text.String()
		switch {
		case part.plan:
			inner := p
			inner.width = width
			out = apart(out, append([]string{p.planHead("Plan (streaming)", "")}, part.tail.lines(inner, s, gutter)...))
		case strings.TrimSpace(s) != "":
			out = apart(out, part.tail.lines(p, s, ""))
		}
	}
	return out
}

func (a *arriving) take(s proposal.Segment) {
	switch s.Kind {
	case proposal.Start:
		a.parts = append(a.parts, &arrivingPart{plan: true})
	case proposal.End:
		a.parts = append(a.parts, &arrivingPart{})
	default:
		if len(a.parts) == 0 {
			a.parts = append(a.parts, &arrivingPart{})
		}
		a.parts[len(a.parts)-1].text.WriteString(s.Text)
	}
}
