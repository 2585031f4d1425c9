package transcript

import (
	"fmt"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/plan/text"
)

// reach says which files the plan named and which changed: in one line, and
// expanded in full.
func (p pen) reach(e plan.WorkCompleted) []string {
	if e.Touched == nil {
		return nil
	}
	r := archive.Compare(e.Named, *e.Touched)
	if !p.expanded {
		parts := []string{text.Count(len(r.Touched)+r.More, "file") + " changed"}
		if n := len(r.Named); n > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d planned", n-len(r.Untouched), n))
		}
		if n := len(r.Unplanned) + r.More; n > 0 {
			parts = append(parts, fmt.Sprintf("%d not in the plan", n))
		}
		return []string{p.under(p.t.Muted, p.join(append(parts, p.hint())...))}
	}
	out := p.field("Changed", archive.Files(r.Touched, r.More))
	out = append(out, p.field("Not in the plan", archive.Files(r.Unplanned, 0))...)
	return append(out, p.field("Planned, not changed", archive.Files(r.Untouched, 0))...)
}
