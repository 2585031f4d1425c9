package transcript

import (
	"encoding/json"
	"fmt"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// questionLines draws the questions of an agent with what the person answered,
// which stays in sight: it is what the plan rests on.
func questionLines(p pen, c tool.Call, res *answer, live *session.LiveCall) []string {
	if res == nil {
		var args tool.QuestionArgs
		// Arguments that cannot be read leave the count out.
		_ = json.Unmarshal(c.Args, &args)
		style, word := p.t.Accent, "Asking you"
		if live == nil {
			style, word = p.t.Warning, "Questions not finished"
		}
		return []string{p.line(style.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render(p.join(word, text.Count(len(args.Questions), "question"))))}
	}
	var d tool.QuestionDetails
	if json.Unmarshal(res.Details, &d) != nil || len(d.Questions) == 0 {
		return talkFailed(p, "Questions not asked", *res)
	}
	given := 0
	for _, q := range d.Questions {
		if q.Answered {
			given++
		}
	}
	style, how := p.t.Success, ""
	switch {
	case d.Kind == tool.DetailUnavailable:
		style, how = p.t.Muted, "not asked in auto mode"
	case d.Kind == tool.DetailInterrupted:
		style, how = p.t.Warning, "interrupted"
	case given < len(d.Questions):
		style = p.t.Warning
	}
	head := p.join(fmt.Sprintf("Questions: %d of %d answered", given, len(d.Questions)), how)
	out := []string{p.line(style.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render(head))}
	for _, q := range d.Questions {
		out = append(out, answerLines(p, q)...)
	}
	return out
}

func answerLines(p pen, q tool.Answered) []string {
	out := p.para("  ", p.t.Muted, text.Line(q.Question))
	mark := "    " + p.t.Glyphs.Arrow + " "
	switch {
	case q.Choice != "":
		out = append(out, p.para(mark, p.t.Text, text.Line(q.Choice))...)
	case q.Text != "":
		out = append(out, p.para(mark, p.t.Text, q.Text)...)
	default:
		out = append(out, p.para(mark, p.t.Warning, "unanswered")...)
	}
	if q.Note != "" {
		out = append(out, p.para("      ", p.t.Muted, "note: "+q.Note)...)
	}
	return out
}

// checklistLines draws an update_plan call: the step at hand, expanded the whole
// list.
func checklistLines(p pen, res *answer, live *session.LiveCall) []string {
	if res == nil {
		return []string{p.line(p.t.Accent.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render(p.join("Checklist", running(live))))}
	}
	var d tool.ChecklistDetails
	if res.Error || json.Unmarshal(res.Details, &d) != nil || len(d.Checklist) == 0 {
		return talkFailed(p, "Checklist refused", *res)
	}
	done, current := d.Progress()
	head := fmt.Sprintf("Checklist %d/%d", done, len(d.Checklist))
	step := ""
	if current >= 0 {
		step = d.Checklist[current].Step
	}
	out := []string{p.line(p.t.Success.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render(p.join(head, step)))}
	if !p.expanded {
		return out
	}
	out = append(out, p.field("Why", d.Explanation)...)
	for _, s := range d.Checklist {
		out = append(out, p.para("  "+p.t.Glyphs.Step(s.Status)+" ", p.t.Text, text.Line(s.Step))...)
	}
	return out
}

// enterLines draws a proposal to plan first.
func enterLines(p pen, c tool.Call, res *answer, live *session.LiveCall) []string {
	var args tool.EnterArgs
	// Arguments that cannot be read leave the reason out.
	_ = json.Unmarshal(c.Args, &args)
	const label = "Proposal to plan first"
	if res == nil {
		return []string{p.line(p.t.Accent.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render(p.join(label, running(live))))}
	}
	var d tool.EnterDetails
	if json.Unmarshal(res.Details, &d) != nil || d.Kind != tool.DetailAccepted && d.Kind != tool.DetailDeclined {
		return talkFailed(p, label, *res)
	}
	style := p.t.Success
	if d.Kind == tool.DetailDeclined {
		style = p.t.Muted
	}
	return []string{p.line(style.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render(p.join(label, string(d.Kind), args.Reason)))}
}

// reminder draws what planmode told the agent between messages; only expanded,
// since it tells the person nothing new.
func (p pen) reminder(r tree.Reminder) []string {
	if !p.expanded {
		return nil
	}
	out := []string{p.line(p.t.Muted.Render(p.t.Glyphs.Arrow + " " + p.join("Told the agent", r.Form)))}
	return append(out, p.para("  ", p.t.Dim, r.Text)...)
}

func talkFailed(p pen, label string, r answer) []string {
	out := []string{p.line(p.t.Error.Render(p.t.Glyphs.Cross+" ") + p.t.Error.Render(label))}
	if p.expanded {
		return append(out, p.para("  ", p.t.Error, r.Text)...)
	}
	return append(out, p.under(p.t.Error, firstLine(r.Text)))
}
