package document

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"planmode/plan"
	"planmode/plan/text"
)

var (
	errEmptyPlan  = errors.New("the plan is empty; write the whole plan as Markdown")
	errEmptyTitle = errors.New("the title is empty; give one line of 1 to 160 characters")
	errLongTitle  = errors.New("the title has a line break; write it on one line")
)

// Normalise turns raw text into the one form in which a plan is kept: CRLF
// becomes LF and exactly one newline ends it. Text that is empty, too long or
// not plain visible UTF-8 is refused, with an error that names each place.
// Normalising what it returned changes nothing.
func Normalise(raw []byte) ([]byte, error) {
	b := bytes.TrimRight(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), "\n")
	b = append(b[:len(b):len(b)], '\n')
	if over := len(b) - plan.MaxPlanBytes; over > 0 {
		return nil, fmt.Errorf("the plan has %d bytes and at most %d are allowed; shorten it by %d", len(b), plan.MaxPlanBytes, over)
	}
	if err := text.Valid(b); err != nil {
		return nil, fmt.Errorf("the plan holds characters that cannot be kept: %w", err)
	}
	if text.Line(string(b)) == "" {
		return nil, errEmptyPlan
	}
	return b, nil
}

// CleanTitle trims a title and turns runs of blanks into one space. A title that
// is empty, longer than a line or the limit, or not plain visible text is
// refused, with an error that says why.
func CleanTitle(s string) (string, error) {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "\r\n") {
		return "", errLongTitle
	}
	if err := text.Valid([]byte(s)); err != nil {
		return "", fmt.Errorf("the title holds characters that cannot be kept: %w", err)
	}
	s = strings.Join(strings.Fields(s), " ")
	if text.Line(s) == "" {
		return "", errEmptyTitle
	}
	if n := utf8.RuneCountInString(s); n > plan.MaxTitleChars {
		return "", fmt.Errorf("the title has %d characters and at most %d are allowed; shorten it", n, plan.MaxTitleChars)
	}
	return s, nil
}
