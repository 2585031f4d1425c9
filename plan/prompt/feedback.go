package prompt

import (
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
)

// maxQuoteLines is how much of a quoted passage is repeated to the model, which
// wrote it and can look it up.
const maxQuoteLines = 12

// Feedback hands the outcome of a review to the model: what the person asked
// for in general, and each note with the place it belongs to.
func Feedback(r Reference, request string, notes []plan.Annotation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The person reviewed %s (%s) and requests changes", r.Ref, text.Line(r.Title))
	if len(notes) > 0 {
		fmt.Fprintf(&b, ", with %s", text.Count(len(notes), "annotation"))
	}
	fmt.Fprintf(&b, ". It is not approved. Address every annotation and request, then submit the whole plan again with planId %q.\n", r.Ref.Plan)
	if len(notes) > 0 {
		fmt.Fprintf(&b, "In the plan, answer them in a last section \"## %s\" (in a Chinese plan \"## %s\"): one numbered item for each annotation, in this order, saying what you changed, or why you did not.\n",
			document.AnswersHeading(document.English), document.AnswersHeading(document.Chinese))
	}
	if request = strings.TrimSpace(request); request != "" {
		b.WriteString("\nRequest for the whole plan:\n\n" + quote(request) + "\n")
	}
	for i, a := range notes {
		fmt.Fprintf(&b, "\n## Annotation %d of %d: %s\n", i+1, len(notes), place(r, a))
		if passage := strings.TrimSpace(a.Quote); passage != "" {
			b.WriteString("\nThe passage:\n\n" + quote(firstLines(a.Quote, maxQuoteLines)) + "\n")
		}
		if label := text.Line(a.Label); label != "" {
			b.WriteString("\nKind: " + label + "\n")
		}
		if a.Body != "" || !a.Suggests() {
			b.WriteString("\nThe person's comment:\n\n" + quote(a.Body) + "\n")
		}
		switch {
		case a.Delete:
			b.WriteString("\nThe person suggests to delete the passage.\n")
		case a.Replacement != "":
			b.WriteString("\nThe text the person suggests instead:\n\n" + quote(a.Replacement) + "\n")
		}
	}
	return b.String()
}

// place says where a note belongs, from the section down to the line.
func place(shown Reference, a plan.Annotation) string {
	where := a.Where()
	if n := len(a.Headings); n > 0 {
		where = fmt.Sprintf("section %q, %s", text.Line(a.Headings[n-1]), where)
	}
	switch {
	case a.Side == "old" && shown.Compared > 0:
		return fmt.Sprintf("%s of r%d, the earlier revision", where, shown.Compared)
	case a.Side == "old":
		return where + " of the earlier revision it was compared with"
	}
	return fmt.Sprintf("%s of r%d", where, shown.Ref.Revision)
}

func firstLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if len(lines) <= n {
		return strings.Join(lines, "\n")
	}
	return strings.Join(lines[:n], "\n") + fmt.Sprintf("\n… (%s more)", text.Count(len(lines)-n, "line"))
}
