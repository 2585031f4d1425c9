package target

import "planmode/plan"

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
