package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planmode/plan"
)

// Subject is what a gate reviewed, as the caller's agent calls it.
type Subject string

// The subjects.
const (
	SubjectFile    Subject = "file"
	SubjectFolder  Subject = "folder"
	SubjectMessage Subject = "message"
	SubjectPlan    Subject = "plan"
)

// Review is what a person said about one text.
type Review struct {
	Subject   Subject
	Path      string // named above the comments if there are several files; may be empty
	Converted bool   // lines count in a text that was converted, not in the source
	Notes     []plan.Annotation
}

// Feedback writes the notes as Markdown for an agent: numbered, in the order of the
// text, each with its line and the words it is about. It ends with a rule and a
// newline. Without notes it is empty: there is nothing to send.
func Feedback(r Review) string {
	if len(r.Notes) == 0 {
		return ""
	}
	subject := string(r.Subject)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s Feedback\n\n", strings.ToUpper(subject[:1])+subject[1:])
	if r.Path != "" {
		fmt.Fprintf(&b, "%s\n\n", code(r.Path))
	}
	if r.Converted {
		b.WriteString("> Note: line numbers refer to the converted Markdown, not to the source.\n\n")
	}
	pieces := "pieces"
	if len(r.Notes) == 1 {
		pieces = "piece"
	}
	fmt.Fprintf(&b, "I've reviewed this %s and have %d %s of feedback:\n\n", subject, len(r.Notes), pieces)
	for i, n := range inOrder(r.Notes) {
		b.WriteString("## " + strconv.Itoa(i+1) + ". ")
		writeNote(&b, n, subject)
		b.WriteString("\n")
	}
	b.WriteString("---\n")
	return b.String()
}

// inOrder sorts by place; what is about the whole comes last, in the order said.
func inOrder(notes []plan.Annotation) []plan.Annotation {
	out := slices.Clone(notes)
	slices.SortStableFunc(out, func(a, b plan.Annotation) int {
		switch {
		case a.Line < 1 && b.Line < 1:
			return 0
		case a.Line < 1:
			return 1
		case b.Line < 1:
			return -1
		}
		return a.Line - b.Line
	})
	return out
}

func writeNote(b *strings.Builder, n plan.Annotation, subject string) {
	if n.Line < 1 {
		fmt.Fprintf(b, "%sGeneral feedback about the %s\n", label(n), subject)
		quote(b, n.Body)
		return
	}
	if n.Side == "old" { // a line that is no longer there
		b.WriteString("[In diff content] ")
	}
	fmt.Fprintf(b, "(%s) %s", lines(n), label(n))
	switch {
	case n.Delete:
		b.WriteString("Remove this\n")
		fence(b, n.Quote)
		if n.Body == "" {
			fmt.Fprintf(b, "> I don't want this in the %s.\n", subject)
		}
	case n.Replacement != "":
		b.WriteString("Replace this\n")
		fence(b, n.Quote)
		b.WriteString("with\n")
		fence(b, n.Replacement)
	case n.Quote == "":
		b.WriteString("Feedback\n")
	case strings.Contains(n.Quote, "\n"):
		b.WriteString("Feedback on:\n")
		fence(b, n.Quote)
	default:
		fmt.Fprintf(b, "Feedback on: %q\n", n.Quote)
	}
	quote(b, n.Body)
}

func lines(n plan.Annotation) string {
	if n.End > n.Line {
		return fmt.Sprintf("lines %d–%d", n.Line, n.End)
	}
	return fmt.Sprintf("line %d", n.Line)
}

func label(n plan.Annotation) string {
	if n.Label == "" {
		return ""
	}
	return "[" + n.Label + "] "
}

// quote marks every line, so that nothing in a comment can look like a heading or
// the end of the feedback.
func quote(b *strings.Builder, body string) {
	if body == "" {
		return
	}
	for line := range strings.SplitSeq(strings.TrimRight(body, "\n"), "\n") {
		b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
}

// fence puts text into a code block whose fence is longer than any in it.
func fence(b *strings.Builder, s string) {
	mark := strings.Repeat("`", max(3, longestRun(s)+1))
	b.WriteString(mark + "\n" + strings.TrimRight(s, "\n") + "\n" + mark + "\n")
}

// code writes s between more backquotes than it has in a row.
func code(s string) string {
	mark := strings.Repeat("`", longestRun(s)+1)
	if len(mark) > 1 {
		return mark + " " + s + " " + mark
	}
	return mark + s + mark
}

func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
