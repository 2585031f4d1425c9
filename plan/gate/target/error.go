package target

import (
	"fmt"
	"strings"
)

// Error is a target that cannot be reviewed. Text is for standard error as it is,
// except for a Handoff: that explains to an agent how to go on, and where an agent
// reads standard output as text it goes there.
type Error struct {
	Text    string
	Handoff bool
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

func failf(format string, args ...any) error { return &Error{Text: fmt.Sprintf(format, args...)} }

func notFound(word string) error { return failf("File not found: %s", word) }

// targets is how a target is written.
const targets = "<file.md | file.txt | file.html | https://... | folder/>"

// handoff tells an agent that none of its words is a target.
func handoff(words, flags []string) error {
	var b strings.Builder
	b.WriteString("Could not resolve the arguments below to a file, URL, or folder; nothing in them matches an existing path:\n\n")
	for _, w := range words {
		b.WriteString("  " + w + "\n")
	}
	again := strings.Join(append([]string{"planmode annotate", targets}, flags...), " ")
	b.WriteString("\nUsage: planmode annotate " + targets + "\n\n")
	b.WriteString("If you are an agent: work out from the words above which one file, URL or folder is meant, and run\n\n  " + again)
	return &Error{Text: b.String(), Handoff: true}
}

// ambiguousWords are several targets in one call.
func ambiguousWords(hits []hit) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Ambiguous annotate arguments: %d of them each resolve to an existing target.\n", len(hits))
	for _, h := range hits {
		fmt.Fprintf(&b, "  %s -> %s\n", h.word, h.place)
	}
	b.WriteString("Re-run with exactly one target: planmode annotate " + targets)
	return &Error{Text: b.String()}
}

// ambiguousName is a bare name that several files have.
func ambiguousName(word string, found []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Ambiguous filename %q — found %d matches:", word, len(found))
	for _, f := range found {
		b.WriteString("\n  " + f)
	}
	return &Error{Text: b.String()}
}
