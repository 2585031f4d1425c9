package transcript

import (
	"encoding/json"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tool"
)

// maxAnnotations is how many lines of annotations an expanded node shows.
const maxAnnotations = 12

// submitLines draws a submit_plan call; success is hidden until expanded, since
// the approval has a line of its own.
func submitLines(p pen, c tool.Call, res *answer, live *session.LiveCall) []string {
	var args tool.SubmitArgs
	// Arguments that cannot be read leave the title empty.
	_ = json.Unmarshal(c.Args, &args)
	if res == nil && live == nil {
		return []string{p.entitled(p.t.Warning.Render(p.t.Glyphs.Bullet), p.t.Warning, "Plan review not finished", args.Title, "")}
	}
	if res == nil {
		return []string{p.line(p.t.Accent.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render("Reviewing Plan: "+text.Line(args.Title)+p.t.Glyphs.Ellipsis))}
	}
	d := details(*res)
	if d.Title == "" {
		d.Title = args.Title
	}
	if res.Error {
		return failed(p, "Plan submission failed", *res, d)
	}
	switch d.Kind {
	case tool.DetailChangesRequested:
		return changesLines(p, d)
	case tool.DetailApproved:
		if !p.expanded {
			return nil
		}
		return append([]string{p.entitled(p.t.Success.Render(p.t.Glyphs.Check), p.t.Text, "Submit Plan", d.Title, revision(d.Revision))}, audit(p, d)...)
	case tool.DetailAutoApproved:
		return ended(p, p.t.Warning, "Plan "+plan.AutoApproved, d)
	case tool.DetailKeepPlanning:
		return ended(p, p.t.Muted, "Plan review kept as draft", d)
	case tool.DetailLeft:
		return ended(p, p.t.Muted, "Plan Mode left, plan kept as draft", d)
	case tool.DetailUnchanged:
		return ended(p, p.t.Muted, "Plan unchanged", d)
	case tool.DetailInterrupted:
		return ended(p, p.t.Warning, "Plan review interrupted", d)
	case tool.DetailCancelled:
		return ended(p, p.t.Warning, "Plan review cancelled", d)
	}
	return failed(p, "Plan submission failed", *res, d)
}

func details(r answer) tool.PlanDetails {
	var d tool.PlanDetails
	// Details that cannot be read leave the kind empty, which is drawn as a failure.
	_ = json.Unmarshal(r.Details, &d)
	return d
}

func changesLines(p pen, d tool.PlanDetails) []string {
	out := []string{p.entitled(p.t.Warning.Render(p.t.Glyphs.Bullet), p.t.Text, "Plan changes requested", d.Title, revision(d.Revision))}
	if p.expanded {
		if len(d.Annotations) > 0 {
			out = append(out, p.line("  "+p.t.Muted.Render("Annotations")))
			out = append(out, annotationLines(p, d.Annotations)...)
		}
		out = append(out, p.field("Request", d.Request)...)
		return append(out, audit(p, d)...)
	}
	switch n := len(d.Annotations); {
	case n > 0:
		return append(out, p.under(p.t.Muted, p.join(text.Count(n, "annotation"), p.hint())))
	case d.Request != "":
		return append(out, p.under(p.t.Muted, p.join(firstLine(d.Request))))
	}
	return append(out, p.under(p.t.Muted, "Review annotations available"))
}

// annotationLines lists comments with the line and heading they belong to.
func annotationLines(p pen, items []plan.Annotation) []string {
	var out []string
	for _, a := range items {
		where := a.Where()
		if n := len(a.Headings); n > 0 {
			where += " (" + a.Headings[n-1] + ")"
		}
		if a.Label != "" {
			where += " [" + a.Label + "]"
		}
		said := text.Clean(a.Body)
		switch {
		case a.Delete:
			said = strings.TrimSpace(said + " (suggests to delete this)")
		case a.Replacement != "":
			said = strings.TrimSpace(said + "\nsuggests:\n" + text.Clean(a.Replacement))
		}
		out = append(out, p.para("  - ", p.t.Text, text.Line(where)+": "+said)...)
	}
	return p.limit(out, maxAnnotations)
}

func ended(p pen, style lipgloss.Style, label string, d tool.PlanDetails) []string {
	out := []string{p.entitled(style.Render(p.t.Glyphs.Bullet), style, label, d.Title, revision(d.Revision))}
	if !p.expanded {
		return out
	}
	out = append(out, p.field("Reason", d.Reason)...)
	return append(out, audit(p, d)...)
}

// failed shows the reason after the first colon of the result's first line.
func failed(p pen, label string, r answer, d tool.PlanDetails) []string {
	reason := firstLine(r.Text)
	if _, after, ok := strings.Cut(reason, ":"); ok && strings.TrimSpace(after) != "" {
		reason = after
	}
	out := []string{p.line(p.t.Error.Render(p.t.Glyphs.Cross) + " " + p.t.Error.Render(p.join(label, reason)))}
	if !p.expanded {
		return out
	}
	out = append(out, p.para("  ", p.t.Error, r.Text)...)
	return append(out, audit(p, d)...)
}

func audit(p pen, d tool.PlanDetails) []string {
	hash := "Hash"
	if d.Kind == tool.DetailApproved || d.Kind == tool.DetailAutoApproved || d.Kind == tool.DetailCompleted {
		hash = "Approved hash"
	}
	out := p.field("Plan ID", string(d.Plan))
	out = append(out, p.field("Plan", d.Path)...)
	return append(out, p.field(hash, string(d.Hash))...)
}

// completeLines draws a complete_plan call; like an approval, success is hidden
// until expanded.
func completeLines(p pen, c tool.Call, res *answer, live *session.LiveCall) []string {
	var args tool.CompleteArgs
	// Arguments that cannot be read leave the revision out.
	_ = json.Unmarshal(c.Args, &args)
	if res == nil && live == nil {
		return []string{p.line(p.t.Warning.Render(p.t.Glyphs.Bullet + " " + p.join("Plan completion not finished", revision(args.Revision))))}
	}
	if res == nil {
		return []string{p.line(p.t.Accent.Render(p.t.Glyphs.Bullet) + " " + p.t.Text.Render(p.join("Completing Plan", revision(args.Revision))))}
	}
	d := details(*res)
	if res.Error || d.Kind != tool.DetailCompleted {
		return failed(p, "Plan completion failed", *res, d)
	}
	if !p.expanded {
		return nil
	}
	out := []string{p.line(p.t.Success.Render(p.t.Glyphs.Check) + " " + p.join("Complete Plan", revision(d.Revision)))}
	out = append(out, p.field("Summary", d.Summary)...)
	for _, v := range d.Verification {
		out = append(out, p.field("Verified", v)...)
	}
	out = append(out, audit(p, d)...)
	return append(out, p.field("Completed", res.at.UTC().Format(time.RFC3339))...)
}
