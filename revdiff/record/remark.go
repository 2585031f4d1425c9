package record

import (
	"regexp"
	"strings"
)

// Remark is what the body of a record says, taken apart. The grammar has only
// one text for a note, so a label stands in brackets at its beginning, and a
// suggestion in a fence at its end:
//
//	[nit] Name the version.
//
//	```suggestion
//	2. Implement it on Redis 7
//	```
//
// An empty fence suggests to delete the lines. Any reader of the notes
// understands both without knowing of them.
type Remark struct {
	Label       string
	Text        string
	Suggests    bool   // Replacement is meant; empty, it deletes
	Replacement string // lines without the last line end
}

const suggestionInfo = "suggestion"

// Body is the remark as the body of a record.
func (r Remark) Body() string {
	var parts []string
	first := r.Text
	if r.Label != "" {
		first = strings.TrimRight("["+r.Label+"] "+r.Text, " ")
	}
	if first != "" {
		parts = append(parts, first)
	}
	if r.Suggests {
		fence := strings.Repeat("`", max(3, longestRun(r.Replacement)+1))
		block := fence + suggestionInfo + "\n"
		if r.Replacement != "" {
			block += r.Replacement + "\n"
		}
		parts = append(parts, block+fence)
	}
	return strings.Join(parts, "\n\n")
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

var labelled = regexp.MustCompile(`^\[([^\[\]\n]{1,40})\](?:[ \t]+|\n|$)`)

// Split takes a body apart. A word in brackets is a label only if known says so,
// since a note may well begin with a link or a task item.
func Split(body string, known func(label string) bool) Remark {
	r := Remark{Text: body}
	if m := labelled.FindStringSubmatch(body); m != nil && known(m[1]) {
		r.Label, r.Text = m[1], body[len(m[0]):]
	}
	lines := strings.Split(strings.TrimRight(r.Text, " \t\n"), "\n")
	last := len(lines) - 1
	fence := lines[last]
	if len(fence) < 3 || strings.Trim(fence, "`") != "" {
		return r
	}
	for i := last - 1; i >= 0 && lines[i] != fence; i-- {
		if lines[i] == fence+suggestionInfo {
			r.Suggests, r.Replacement = true, strings.Join(lines[i+1:last], "\n")
			r.Text = strings.TrimRight(strings.Join(lines[:i], "\n"), " \t\n")
			break
		}
	}
	return r
}
