package proposal

import "strings"

// Part is one stretch of a message: a block, or the text between blocks.
type Part struct {
	Plan bool
	Text string

	Fenced bool // a block whose first tag stands in a code fence: perhaps an example
	Torn   bool // a block whose last tag stands in a code fence of the plan: perhaps cut
	Open   bool // a block that the end of the message ended
}

// Parts cuts a whole message into text and blocks, in order. A block without
// text is a part, text without any is not.
func Parts(message string) []Part {
	if !Mentions(message) {
		if message == "" {
			return nil
		}
		return []Part{{Text: message}}
	}
	var s Splitter
	segments := s.Push(message)
	rest, open := s.finishLine()
	var out []Part
	fence := "" // that is open in the text around the blocks
	for _, seg := range Join(append(segments, rest...)) {
		switch seg.Kind {
		case Text:
			fence = fenceAfter(fence, seg.Text)
			out = append(out, Part{Text: seg.Text})
		case Start:
			out = append(out, Part{Plan: true, Fenced: fence != ""})
		case Delta:
			out[len(out)-1].Text = seg.Text
		case End:
			last := &out[len(out)-1]
			if inner := fenceAfter("", last.Text); inner != "" {
				last.Torn, fence = true, inner
			}
		}
	}
	if open {
		out[len(out)-1].Open = true
	}
	return out
}

// fenceAfter is the code fence that is open behind text which begins in fence.
func fenceAfter(fence, text string) string {
	for line := range strings.Lines(text) {
		mark := fenceMark(line)
		switch {
		case mark == "":
		case fence == "":
			if mark[0] != '`' || !strings.Contains(strings.TrimLeft(line, " `"), "`") {
				fence = mark
			}
		case mark[0] == fence[0] && len(mark) >= len(fence) && strings.TrimSpace(strings.TrimLeft(line, " ")[len(mark):]) == "":
			fence = ""
		}
	}
	return fence
}

// fenceMark is the run of fence characters that a line begins with, if it may be
// a fence.
func fenceMark(line string) string {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return ""
	}
	n := 0
	for n < len(rest) && rest[n] == rest[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return rest[:n]
}
