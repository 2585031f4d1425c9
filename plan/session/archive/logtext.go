package archive

import (
	"fmt"
	"strconv"
	"strings"

	"planmode/plan"
	"planmode/plan/text"
)

// logTime is how the log writes a time, which is the person's own.
const logTime = "2006-01-02 15:04:05"

// LogText tells who decided what, when, on which hash, in which session: a
// paragraph for every revision and decision, in the order of the revisions.
func LogText(m plan.Manifest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", text.Line(m.Title), m.PlanID)
	for _, r := range m.Revisions {
		fmt.Fprintf(&b, "\n%s  r%d  submitted by %s\n", r.CreatedAt.Local().Format(logTime), r.Revision, text.Line(string(r.Author)))
		fmt.Fprintf(&b, "  hash      %s\n  chain     %s\n", r.Hash, r.Chain)
		for _, d := range m.Decisions {
			if d.Revision == r.Revision {
				decisionText(&b, d)
			}
		}
	}
	return b.String()
}

func decisionText(b *strings.Builder, d plan.Decision) {
	fmt.Fprintf(b, "\n%s  r%d  %s by %s\n", d.At.Local().Format(logTime), d.Revision, Words(d.Kind), text.Line(string(d.By)))
	row := func(name, value string) {
		if value = text.Line(value); value != "" {
			fmt.Fprintf(b, "  %-9s %s\n", name, value)
		}
	}
	row("hash", string(d.Hash))
	row("session", d.Session)
	row("entry", string(d.Entry))
	if d.Round > 0 {
		row("review", fmt.Sprintf("%s, round %d", d.Review, d.Round))
	}
	row("reviewer", d.Reviewer)
	if d.Option != nil {
		row("option", strconv.Itoa(*d.Option+1))
	}
	row("head", d.Head)
	row("notes", d.Notes)
	if len(d.Named) > 0 {
		row("named", Files(Compare(d.Named, plan.Touched{}).Named, 0))
	}
	if d.Touched != nil {
		row("changed", Files(d.Touched.Files, d.Touched.More))
	}
	row("digest", string(d.Digest))
}
