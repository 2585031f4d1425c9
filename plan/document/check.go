package document

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Check says whether the document is complete: the nine sections, in the
// language of the setting (auto, en, zh-CN), and at least one execution step.
// The error lists all that is missing, and headings that were probably meant.
func (d *Document) Check(contentLanguage string) error {
	language := d.wanted(contentLanguage)
	missing := d.Missing(language)
	var wrong []string
	if len(missing) > 0 {
		meant := d.nearMisses(missing)
		list := make([]string, len(missing))
		for i, name := range missing {
			list[i] = "`## " + name + "`"
			if h, ok := meant[name]; ok {
				list[i] += fmt.Sprintf(" (found `%s %s` on line %d, expected `## %s`)", strings.Repeat("#", h.Level), h.Text, h.Line, name)
			}
		}
		wrong = append(wrong, "missing sections: "+strings.Join(list, ", "))
	}
	if len(d.steps) == 0 {
		name := Names(language)[5]
		wrong = append(wrong, fmt.Sprintf("no execution steps: list them as `1.`, `2.`, … directly under `## %s`, outside code fences", name))
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("the plan is incomplete: %s; submit the whole plan again", strings.Join(wrong, "; "))
}

// maxCandidates and maxHeadingRunes bound the search for near misses in a
// document with a great many headings.
const (
	maxCandidates   = 300
	maxHeadingRunes = 60
)

// nearMisses pairs missing sections with unknown headings that resemble them,
// or that name the same section in the other language.
func (d *Document) nearMisses(missing []string) map[string]Heading {
	meant := map[string]Heading{}
	used := map[int]bool{}
	for _, least := range []float64{1, 0.8, 0.5} { // the surest pairs first
		for _, name := range missing {
			if _, ok := meant[name]; ok {
				continue
			}
			for i, h := range d.headings[:min(len(d.headings), maxCandidates)] {
				if !used[i] && resemblance(name, h.Text) >= least {
					meant[name], used[i] = h, true
					break
				}
			}
		}
	}
	return meant
}

// resemblance is 1 for the same section in the other language, 0 for another
// section, else how alike the names are.
func resemblance(name, heading string) float64 {
	k, want := key(heading), key(name)
	if utf8.RuneCountInString(k) > maxHeadingRunes || k == "" {
		return 0
	}
	if s, ok := sectionKeys[k]; ok {
		if s.Name == sectionKeys[want].Name {
			return 1
		}
		return 0
	}
	if strings.Contains(k, want) || strings.Contains(want, k) && len(k) > 3 {
		return 0.8
	}
	a, b := []rune(k), []rune(want)
	return 1 - float64(distance(a, b))/float64(max(len(a), len(b)))
}

// distance is the number of single-character edits between a and b.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := diagonal
			if x != y {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
