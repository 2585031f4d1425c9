package transcript

import (
	"fmt"
	"strconv"

	"charm.land/lipgloss/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// node is one entry as it is shown; the result of a call is shown with the call.
type node struct {
	item   session.Item
	result *session.Item
	live   *session.LiveCall // while the call waits or runs
	change uint32            // grows when anything above does
	// quiet: a call that is still open tells the same, so the entry is not shown
	quiet bool
	// gap: the node before is of another nature, so a blank line is between them
	gap bool
	// parked: the draft that stays attached when planning is left; 0 for none
	parked int
	// planning: Plan Mode was on when the entry was made
	planning bool
	// called: it was made while a call of submit_plan or complete_plan ran
	called bool
}

// render draws the node without its gap; nil hides it.
func (n *node) render(p pen) []string {
	switch n.item.Kind {
	case tree.KindUser:
		return decoded(p, n.item, func(u tree.User) []string {
			return p.para(p.t.Prompt.Render(">")+" ", p.t.Strong, u.Text)
		})
	case tree.KindToolCall:
		return n.call(p)
	case tree.KindToolResult: // its call is not on the branch
		return decoded(p, n.item, func(r tree.ToolResult) []string {
			return toolLines(p, tool.Call{ID: r.Call, Name: r.Name}, &answer{r, n.item.At}, nil)
		})
	case tree.KindLeaf, tree.KindLabel, tree.KindTitle, tree.KindDecision, tree.KindAnswer: // answers: shown with their call
		return nil
	}
	if n.quiet {
		return nil
	}
	if draw, ok := entries[n.item.Kind]; ok {
		return draw(p, n)
	}
	if lines, ok := eventLines(p, n); ok {
		return lines
	}
	return p.note("unknown entry %q", n.item.Kind)
}

// entries draws the kinds that are neither messages, calls nor events.
var entries = map[plan.Kind]func(pen, *node) []string{
	tree.KindNotice:         func(p pen, n *node) []string { return decoded(p, n.item, p.notice) },
	tree.KindHandoff:        func(p pen, n *node) []string { return decoded(p, n.item, p.handoff) },
	tree.KindAnnotations:    func(p pen, n *node) []string { return decoded(p, n.item, p.batch) },
	tree.KindNoteMarks:      func(p pen, n *node) []string { return decoded(p, n.item, p.noteMarks) },
	tree.KindPermission:     func(p pen, n *node) []string { return decoded(p, n.item, p.permission) },
	tree.KindPermissionMode: func(p pen, n *node) []string { return decoded(p, n.item, p.permissionMode) },
	tree.KindModel: func(p pen, n *node) []string {
		return decoded(p, n.item, p.model)
	},
	tree.KindReminder:    func(p pen, n *node) []string { return decoded(p, n.item, p.reminder) },
	session.KindShell:    func(p pen, n *node) []string { return decoded(p, n.item, p.shell) },
	session.KindFeedback: func(p pen, n *node) []string { return decoded(p, n.item, p.feedback) },
	tree.KindCompaction:  func(p pen, n *node) []string { return decoded(p, n.item, p.compaction) },
}

// decoded draws the body of an entry, or says that it is damaged.
func decoded[T any](p pen, e session.Item, draw func(T) []string) []string {
	v, err := tree.Decode[T](e)
	if err != nil {
		return []string{p.line(p.t.Warning.Render(p.t.Glyphs.Bang + " " + text.Line("damaged entry "+string(e.Kind))))}
	}
	return draw(v)
}

func (n *node) call(p pen) []string {
	return decoded(p, n.item, func(c tree.ToolCall) []string {
		var res *answer
		if n.result != nil {
			r, err := tree.Decode[tree.ToolResult](*n.result)
			if err != nil {
				r = tree.ToolResult{Call: c.Call, Name: c.Name, Text: "damaged result", Error: true}
			}
			res = &answer{r, n.result.At}
		}
		return toolLines(p, tool.Call{ID: c.Call, Name: c.Name, Args: c.Args}, res, n.live)
	})
}

func (p pen) notice(n tree.Notice) []string {
	n.Text = p.t.Signs(n.Text)
	switch n.Level {
	case tree.Warning:
		return p.para(p.t.Warning.Render(p.t.Glyphs.Bang)+" ", p.t.Warning, n.Text)
	case tree.Failure:
		return p.para(p.t.Error.Render(p.t.Glyphs.Cross)+" ", p.t.Error, n.Text)
	}
	return p.para("", p.t.Muted, n.Text)
}

func (p pen) handoff(h tree.Handoff) []string {
	what := "Approved plan handed to the agent"
	if h.Auto {
		what = "Plan handed to the agent, " + plan.AutoApproved
	}
	if h.Again {
		what += " again"
	}
	out := []string{p.line(p.t.Muted.Render(p.t.Glyphs.Arrow + " " + p.join(what, h.Title, revision(h.Ref.Revision))))}
	if p.expanded {
		out = append(out, p.para("  ", p.t.Muted, h.Text)...)
	}
	return out
}

// compaction draws what the agent is told of what is above; all of that stays.
func (p pen) compaction(c tree.Compaction) []string {
	told := c.Told()
	if told == "" {
		return p.note("The agent goes on from here with a clean context")
	}
	what := "Summarised for the agent"
	if c.Reason == tree.Automatic {
		what += ", its context was nearly full"
	}
	entries := strconv.Itoa(c.Covers) + " entries"
	if c.Covers == 1 {
		entries = "1 entry"
	}
	head := p.join(what, entries, c.By)
	if !p.expanded {
		head = p.join(head, p.hint())
	}
	out := []string{p.line(p.t.Muted.Render(p.t.Glyphs.Arrow + " " + head))}
	if p.expanded {
		out = append(out, p.para("  ", p.t.Muted, told)...)
	}
	return out
}

func (p pen) batch(a tree.Annotations) []string {
	head := p.join(text.Count(len(a.Items), "annotation")+" on "+revision(a.Ref.Revision), a.Reviewer)
	if !p.expanded && len(a.Items) > 0 {
		head = p.join(head, p.hint())
	}
	out := []string{p.line(p.t.Muted.Render(p.t.Glyphs.Bullet + " " + head))}
	if p.expanded {
		out = append(out, annotationLines(p, a.Items)...)
	}
	return out
}

// feedback draws what no review before it has shown: a plan that was refused.
func (p pen) feedback(f session.Feedback) []string {
	if !f.Refused() {
		return nil
	}
	return []string{p.line(p.t.Error.Render(p.t.Glyphs.Cross + " " + p.join("Plan not accepted", f.Details.Reason)))}
}

func (p pen) noteMarks(m tree.NoteMarks) []string {
	settled := 0
	for _, mark := range m.Marks {
		if mark.Settled {
			settled++
		}
	}
	said := text.Count(settled, "earlier note") + " settled"
	if open := len(m.Marks) - settled; open > 0 {
		said = p.join(said, fmt.Sprintf("%d open again", open))
	}
	return p.note("%s", said)
}

func (p pen) permission(g tree.Permission) []string {
	word := map[string]string{
		string(session.GrantOnce):    "Allowed once",
		string(session.GrantSession): "Allowed for this session",
		string(session.GrantAlways):  "Allowed from now on",
		string(session.GrantDeny):    "Denied",
	}[g.Answer]
	if word == "" {
		word = "Answered " + g.Answer
	}
	out := p.note("%s", p.join(word, g.Tool, g.Subject))
	return append(out, p.field("Why", g.Reason)...)
}

// revision is "r2"; empty for none.
func revision(n int) string {
	if n <= 0 {
		return ""
	}
	return "r" + strconv.Itoa(n)
}

// labelled is a coloured label followed by details behind dots. When fewer than
// three cells remain after the label the details are left out.
func (p pen) labelled(style lipgloss.Style, label string, parts ...string) string {
	out := style.Render(label)
	rest := p.join(p.shorten(lipgloss.Width(label)+3, parts)...)
	if rest == "" {
		return p.line(out)
	}
	rest = " " + p.t.Glyphs.Dot + " " + rest
	if p.width-lipgloss.Width(label) < 3 {
		return p.line(out)
	}
	return p.line(out + p.t.Text.Render(rest))
}
