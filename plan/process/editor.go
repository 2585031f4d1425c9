package process

import "strings"

// Editor is the person's editor and its first arguments: EDITOR, else VISUAL,
// else vi, in the order of revdiff. It is split at blanks and never given to a shell.
func Editor(getenv func(string) string) []string {
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if words := strings.Fields(getenv(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}
