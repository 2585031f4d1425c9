package run

import (
	"fmt"
	"strings"

	"planmode/plan/pull"
	"planmode/plan/text"
)

// draft is the review as a file for people. The same payloads give the same bytes.
func (e *engine) draft() []byte {
	var s strings.Builder
	c, a := e.context, e.author
	put := func(format string, args ...any) { fmt.Fprintf(&s, format, args...) }
	put("# Review of %s\n\n%s\n\n", text.Line(c.PR.URL), text.Line(c.PR.Title))
	put("- Base %s, parted at `%s`\n- Head `%s`\n- Decision: **%s**\n- Run %s, revision %d of the review\n\n", code(c.Pins.Base), c.Pins.BaseSHA, c.Pins.HeadSHA, a.Decision, e.folder.ID(), a.Revision)
	put("## Summary\n\n%s\n## Findings (%d)\n\n", fenced(a.Summary), len(a.Findings))
	if len(a.Findings) == 0 {
		put("None.\n\n")
	}
	for _, f := range a.Findings {
		put("### %s · %s · %s\n\nConfidence %s, placed: %s%s\n\n", text.Line(f.ID), f.Severity, text.Line(f.Title), f.Confidence, f.Placement, where(f))
		for _, q := range f.Evidence {
			put("%s lines %d to %d at `%.12s`:\n\n%s\n", code(q.Path), q.StartLine, q.EndLine, q.Revision, fenced(q.Quote))
		}
		put("- When: %s\n- What follows: %s\n- Fix: %s\n\n", text.Line(f.Scenario), text.Line(f.Impact), text.Line(f.Fix))
	}
	for i, m := range a.Comments {
		put("## Comment %d of %d\n\n%s, %s line %d\n\n%s\n", i+1, len(a.Comments), code(m.Path), m.Side, m.Line, fenced(m.Body))
	}
	for i, m := range a.Replies {
		put("## Reply %d of %d\n\nIn discussion %d\n\n%s\n", i+1, len(a.Replies), m.RootID, fenced(m.Body))
	}
	put("## What became of every candidate\n\n")
	for _, t := range a.Trace {
		put("- %s: %s, %s\n", text.Line(t.CandidateID), t.Disposition, text.Line(t.Reason))
	}
	e.coverage(put)
	e.posting(put)
	return []byte(s.String())
}

func (e *engine) coverage(put func(string, ...any)) {
	put("\n## What was read\n\n")
	for _, chunk := range e.chunks {
		for _, v := range chunk.Coverage {
			put("- %s for %s: %s\n", code(v.Path), chunk.Dimension, v.Extent)
		}
	}
	put("\n## What was not read\n\n")
	if len(e.context.Uncovered) == 0 && e.context.Files.Complete {
		put("Nothing.\n")
	}
	for _, u := range e.context.Uncovered {
		put("- %s: %s\n", code(u.Path), text.Line(u.Why))
	}
	if f := e.context.Files; !f.Complete {
		put("- %d of %d files could not be listed\n", f.Total-f.Listed, f.Total)
	}
	put("\n## Checks, risks and limits\n\n- CI as observed at %s: %s\n", e.context.CI.ObservedAt, e.context.CI.Overall)
	for _, r := range append(append([]pull.Risk{}, e.context.Risks...), e.author.Risks...) {
		put("- Risk: %s\n", text.Line(r.Text))
	}
	for _, l := range append(append([]string{}, e.author.Limitations...), e.verify.Limitations...) {
		put("- Limit: %s\n", text.Line(l))
	}
	for _, o := range e.verify.Observations {
		put("- Verified: %s\n", text.Line(o))
	}
}

func where(f pull.Finding) string {
	if f.Location.Path == nil {
		return ""
	}
	if f.Location.Line == nil {
		return ", " + code(*f.Location.Path)
	}
	return fmt.Sprintf(", %s line %d", code(*f.Location.Path), *f.Location.Line)
}

func fenced(s string) string {
	fence := pull.Fence(s)
	return fence + "\n" + strings.TrimSuffix(text.Clean(s), "\n") + "\n" + fence + "\n"
}

func code(s string) string {
	mark := strings.Repeat("`", 1+strings.Count(s, "`"))
	return mark + text.Line(s) + mark
}
