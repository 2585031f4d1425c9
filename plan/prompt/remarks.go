package prompt

import (
	"strings"

	"planmode/plan"
	"planmode/plan/text"
)

// Remarks writes notes that go along with an approval, each with its place: the
// plan is approved as it is, and they are for the work.
func Remarks(notes []plan.Annotation) string {
	var b strings.Builder
	for _, n := range notes {
		where := n.Where()
		if k := len(n.Headings); k > 0 {
			where += " (" + text.Line(n.Headings[k-1]) + ")"
		}
		b.WriteString("- On the " + where)
		if quote := text.Line(n.Quote); quote != "" {
			b.WriteString(", “" + text.Truncate(quote, 80) + "”")
		}
		if n.Label != "" {
			b.WriteString(", [" + text.Line(n.Label) + "]")
		}
		b.WriteString(": " + strings.ReplaceAll(text.Clean(n.Body), "\n", "\n  "))
		switch {
		case n.Delete:
			b.WriteString(" (leave this out)")
		case n.Replacement != "":
			b.WriteString(" Read instead:\n  " + strings.ReplaceAll(text.Clean(n.Replacement), "\n", "\n  "))
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
