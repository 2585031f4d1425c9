package pull

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// maxNames is how many names of one review are looked for.
const maxNames = 40

// Names finds what a text names in the two commits. Known is false when that cannot be
// said.
type Names interface {
	HasFile(path string) (found, known bool)
	HasWord(word string) (found, known bool)
}

var (
	fileName = regexp.MustCompile(`^(?:[\w@+-][\w.@+-]*/)*[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,5}$`)
	callName = regexp.MustCompile(`^(?:[A-Za-z_]\w*(?:\.|::|->))*([A-Za-z_]\w{2,})(\(\))?$`)
	atLine   = regexp.MustCompile(`:\d+(?:[-:]\d+)?$`)
)

// Warnings names the files and functions of which a review speaks, between backticks,
// and which stand in neither commit: somebody may have made them up.
func Warnings(n Names, got Author) []string {
	var out []string
	seen := map[string]bool{}
	look := func(where, body string) {
		for _, span := range spans(body) {
			name := strings.TrimPrefix(atLine.ReplaceAllString(strings.TrimSpace(span), ""), "./")
			if seen[name] || len(seen) >= maxNames {
				continue
			}
			if what := missing(n, name, seen); what != "" {
				out = append(out, fmt.Sprintf("%s names the %s `%s`, which is in neither commit", where, what, name))
			}
		}
	}
	look("the summary", got.Summary)
	for _, m := range got.Comments {
		look("the comment of "+m.FindingID, m.Body)
	}
	for _, r := range got.Replies {
		look("the reply of "+r.FindingID, r.Body)
	}
	return out
}

// missing is what kind of name is not there; empty for one that is, or for no name.
func missing(n Names, name string, seen map[string]bool) string {
	if m := callName.FindStringSubmatch(name); m != nil {
		plain := m[2] == "" && strings.ToLower(name) == name && !strings.Contains(name, "_")
		if plain && !strings.Contains(name, ".") {
			return "" // a word, as true or nil
		}
		seen[name] = true
		if fileName.MatchString(name) {
			if found, known := n.HasFile(name); found || !known {
				return ""
			}
		}
		words := []string{m[1]}
		if first, _, dotted := strings.Cut(name, "."); dotted && strings.ToLower(first) == first {
			words = append(words, first) // a package of somebody else, used here
		}
		for _, w := range words {
			if found, known := n.HasWord(w); found || !known {
				return ""
			}
		}
		return "name"
	}
	if fileName.MatchString(name) {
		seen[name] = true
		if found, known := n.HasFile(name); !found && known {
			return "file"
		}
	}
	return ""
}

// spans are the code spans of the prose of a body.
func spans(body string) []string {
	var out []string
	for line := range strings.SplitSeq(outside(body), "\n") {
		walkSpans(line, func(_, code string) { out = append(out, code) })
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}
