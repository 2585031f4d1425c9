package document

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"planmode/plan"
	"planmode/plan/text"
)

// The limits of one option, in characters.
const (
	MaxLabelChars       = 80
	MaxDescriptionChars = 1000
)

// reserved are labels that would read like a row of the decision card, or like an
// answer to it. A person must never mistake an approach for a decision.
var reserved = []string{
	"approve", "reject", "reject and exit", "revise", "cancel", "leave", "keep", "discard",
	"approve plan", "approve with notes", "request changes", "keep planning", "cancel review",
	"leave plan mode", "use the edited text as the next revision", "review again",
}

// CheckOptions applies the rules for the approaches that a plan offers: one to
// three, with labels that differ, say something and are no row of the decision
// card, all of it plain visible text, and at most one recommended. Labels are
// counted in characters as they are written, and compared without blanks around
// them, however they are cased or composed; they are kept as they are. No options
// at all are fine. The error says which option to change, and how.
func CheckOptions(options []plan.Option) error {
	if len(options) > plan.MaxOptions {
		return fmt.Errorf("%d options are given and at most %d are allowed; leave out the weakest", len(options), plan.MaxOptions)
	}
	recommended := 0
	for i, o := range options {
		if err := checkOption(o); err != nil {
			return fmt.Errorf("options[%d]: %w", i, err)
		}
		for j, other := range options[:i] {
			if sameLabel(o.Label, other.Label) {
				return fmt.Errorf("options[%d] has the label of options[%d], %q; give each option its own", i, j, text.Line(o.Label))
			}
		}
		if o.Recommended {
			recommended++
		}
	}
	if recommended > 1 {
		return fmt.Errorf("%d options are recommended; recommend one at most", recommended)
	}
	return nil
}

func checkOption(o plan.Option) error {
	switch n := utf8.RuneCountInString(o.Label); {
	case n > MaxLabelChars:
		return fmt.Errorf("the label has %d characters and at most %d are allowed; say the rest in the description", n, MaxLabelChars)
	case trim(o.Label) == "" || text.Line(o.Label) == "":
		return fmt.Errorf("the label is empty; name the approach in a few words")
	case strings.ContainsAny(o.Label, "\n\t"):
		return fmt.Errorf("the label has a line break or a tab; write it on one line")
	}
	if err := text.Valid([]byte(o.Label)); err != nil {
		return fmt.Errorf("the label holds characters that cannot be kept: %w", err)
	}
	if IsReserved(o.Label) {
		return fmt.Errorf("the label %q is reserved for a decision of the person; name the approach instead", text.Line(o.Label))
	}
	if n := utf8.RuneCountInString(o.Description); n > MaxDescriptionChars {
		return fmt.Errorf("the description has %d characters and at most %d are allowed; the plan itself says the rest", n, MaxDescriptionChars)
	}
	if err := text.Valid([]byte(o.Description)); err != nil {
		return fmt.Errorf("the description holds characters that cannot be kept: %w", err)
	}
	return nil
}

// IsReserved says whether a label could be taken for a decision of the person.
func IsReserved(label string) bool {
	for _, word := range reserved {
		if sameLabel(label, word) {
			return true
		}
	}
	return false
}

// sameLabel compares as the stricter of two ways to fold does: mapped to lower
// case, and by simple case folding, which differ in a few letters.
func sameLabel(a, b string) bool {
	a, b = canonical(a), canonical(b)
	lowerA, lowerB := strings.ToLower(a), strings.ToLower(b)
	return lowerA == lowerB || strings.EqualFold(a, b)
}

// canonical brings compatible characters to one form and blanks to one space.
func canonical(label string) string {
	return strings.Join(strings.FieldsFunc(norm.NFKC.String(label), isBlank), " ")
}

func trim(s string) string { return strings.TrimFunc(s, isBlank) }

// isBlank is the union of what different languages trim: the byte order mark is
// no white space in Go, and the next-line character is none elsewhere.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == 0xfeff }
