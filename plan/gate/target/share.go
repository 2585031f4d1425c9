package target

import (
	"planmode/plan"
	"planmode/plan/gate"
)

// Share gives each note of a folder to the file that it is about, with the line in
// that file; rest are those about none of them.
func (t Text) Share(notes []plan.Annotation) (byPart [][]plan.Annotation, rest []plan.Annotation) {
	byPart = make([][]plan.Annotation, len(t.Parts))
next:
	for _, n := range notes {
		for i, p := range t.Parts {
			if n.Side == "old" || n.Line < p.Line || n.Line >= p.Line+p.Size {
				continue
			}
			if n.Line -= p.Line - 1; n.End > 0 {
				n.End = min(n.End-p.Line+1, p.Size)
			}
			byPart[i] = append(byPart[i], n)
			continue next
		}
		n.Line, n.End = 0, 0
		rest = append(rest, n)
	}
	return byPart, rest
}

// Feedback writes notes on the text as Markdown for an agent, those on a folder file
// by file.
func (t Text) Feedback(notes []plan.Annotation) string {
	if len(t.Parts) == 0 {
		return gate.Feedback(gate.Review{Subject: t.Subject, Converted: t.Converted, Notes: notes})
	}
	out := ""
	byPart, rest := t.Share(notes)
	for i, part := range t.Parts {
		out += gate.Feedback(gate.Review{Subject: t.Subject, Path: part.Path, Converted: t.Converted, Notes: byPart[i]})
	}
	return out + gate.Feedback(gate.Review{Subject: t.Subject, Notes: rest})
}
