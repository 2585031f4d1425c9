package pull

import (
	"fmt"
	"strings"
)

// Preview is the exact text that is shown before anything is posted. Its last line is
// the hash that is approved. rootURL gives the address of a discussion.
func Preview(a Approval, rootURL func(id int64) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "PR %s\nBase %s merge-base %s head %s\nActor %s\nEvent %s\n", a.Ref().URL(), a.Base, a.BaseSHA, a.HeadSHA, a.Actor, a.Event)
	fmt.Fprintf(&b, "Summary %d bytes\n%s", len(a.Body), Fenced(a.Body))
	for i, c := range a.Comments {
		lines := fmt.Sprint(c.Line)
		if c.StartLine != 0 {
			lines = fmt.Sprintf("%d-%d", c.StartLine, c.Line)
			if c.StartSide != c.Side {
				lines = fmt.Sprintf("%s %d-%d", c.StartSide, c.StartLine, c.Line)
			}
		}
		fmt.Fprintf(&b, "Comment %d/%d %s %s %s\n%s", i+1, len(a.Comments), c.Path, c.Side, lines, Fenced(c.Body))
	}
	for i, r := range a.Replies {
		fmt.Fprintf(&b, "Reply %d/%d %s\n%s", i+1, len(a.Replies), rootURL(r.RootID), Fenced(r.Body))
	}
	fmt.Fprintf(&b, "approval-sha256: %s\n", a.Hash())
	return b.String()
}

// Fenced puts a text between two fences that are longer than any inside it, so that
// nothing in the text can end it.
func Fenced(text string) string {
	fence := Fence(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + "\n" + text + fence + "\n"
}
