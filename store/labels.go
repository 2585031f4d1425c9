package store

import (
	"fmt"
	"strings"
	"unicode"
)

const (
	maxLabels     = 9 // a digit gives each
	maxLabelRunes = 30
)

// labels checks quick labels: they are written in brackets before a note, and
// separated by commas on a command line.
func labels(list []string) error {
	if len(list) > maxLabels {
		return fmt.Errorf("there are %d, and at most %d have a key", len(list), maxLabels)
	}
	for _, l := range list {
		bad := func(r rune) bool { return strings.ContainsRune("[],", r) || unicode.IsControl(r) }
		if l == "" || strings.TrimSpace(l) != l || strings.ContainsFunc(l, bad) || len([]rune(l)) > maxLabelRunes {
			return fmt.Errorf("%q cannot be a label: it needs 1 to %d letters, without commas and brackets", l, maxLabelRunes)
		}
	}
	return nil
}
