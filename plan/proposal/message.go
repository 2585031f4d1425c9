package proposal

import "strings"

// Split cuts a whole message; equal neighbours are joined.
func Split(message string) []Segment {
	var s Splitter
	return Join(append(s.Push(message), s.Finish()...))
}

// Join makes one segment of neighbours of the same kind.
func Join(segments []Segment) []Segment {
	var out []Segment
	for i := 0; i < len(segments); {
		end := i + 1
		if k := segments[i].Kind; k == Text || k == Delta {
			for end < len(segments) && segments[end].Kind == k {
				end++
			}
		}
		out = append(out, merged(segments[i:end]))
		i = end
	}
	return out
}

func merged(same []Segment) Segment {
	if len(same) == 1 {
		return same[0]
	}
	var b strings.Builder
	for _, s := range same {
		b.WriteString(s.Text)
	}
	return Segment{same[0].Kind, b.String()}
}

// Mentions says, in little time, whether a message may hold a block at all.
func Mentions(message string) bool { return strings.Contains(message, OpenTag) }

// Visible is the text of a message outside of its blocks.
func Visible(message string) string {
	if !Mentions(message) {
		return message
	}
	var b strings.Builder
	for _, s := range Split(message) {
		if s.Kind == Text {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// Extract is the text of the last block of a message; found is true for an empty
// one, too.
func Extract(message string) (text string, found bool) {
	for _, p := range Parts(message) {
		if p.Plan {
			text, found = p.Text, true
		}
	}
	return text, found
}

// Untagged is a message as it reads without the lines of the tags.
func Untagged(message string) string {
	if !Mentions(message) {
		return message
	}
	var b strings.Builder
	for _, s := range Split(message) {
		b.WriteString(s.Text)
	}
	return b.String()
}
