package pull

import (
	"fmt"
	"slices"
)

// CheckAuthor checks the canonical review: that nothing a dimension found is lost, that
// everything stands in one place, and that the decision is one that may be taken.
func CheckAuthor(ctx Context, chunks []Chunk, got Author) []Problem {
	c := &checks{}
	c.pins(got.Pins, ctx.Pins)
	known := map[string]Candidate{}
	var ids []string
	for _, ch := range chunks {
		for _, k := range ch.Candidates {
			known[k.ID] = k
			ids = append(ids, k.ID)
		}
	}
	c.trace(ids, got)
	seen := map[string]bool{}
	for i, f := range got.Findings {
		at := fmt.Sprintf("findings[%d]", i)
		if seen[f.ID] {
			c.add(at+".id", "stands there twice")
		}
		seen[f.ID] = true
		c.finding(at, ctx, got, known, f)
	}
	c.targets(ctx, got, seen)
	c.sources(got.Sources)
	c.kept(chunks, got)
	c.decision(ctx, chunks, got)
	return c.problems
}

// trace checks that every candidate has exactly one fate.
func (c *checks) trace(ids []string, got Author) {
	count := map[string]int{}
	survivors := map[string][]string{}
	for i, t := range got.Trace {
		at := fmt.Sprintf("trace[%d]", i)
		count[t.CandidateID]++
		if !slices.Contains(ids, t.CandidateID) {
			c.add(at, "%.60q is no candidate", t.CandidateID)
		}
		if (t.Disposition == "drop") != (t.FindingID == nil) {
			c.add(at+".finding_id", "is given for everything but what is dropped")
		} else if t.FindingID != nil {
			survivors[*t.FindingID] = append(survivors[*t.FindingID], t.CandidateID)
		}
	}
	for _, id := range ids {
		if count[id] != 1 {
			c.add("trace", "%s has %d entries, needs one", id, count[id])
		}
	}
	for i, f := range got.Findings {
		mine := survivors[f.ID]
		delete(survivors, f.ID)
		if !slices.Equal(slices.Sorted(slices.Values(mine)), slices.Sorted(slices.Values(f.CandidateIDs))) {
			c.add(fmt.Sprintf("findings[%d].candidate_ids", i), "differ from the trace")
		}
		first := slices.IndexFunc(ids, func(id string) bool { return slices.Contains(mine, id) })
		if first < 0 || ids[first] != f.ID {
			c.add(fmt.Sprintf("findings[%d].id", i), "has to be the earliest of its candidates")
		}
	}
	for id := range survivors {
		c.add("trace", "names a finding %.60q that is not there", id)
	}
}

func (c *checks) finding(at string, ctx Context, got Author, known map[string]Candidate, f Finding) {
	c.loc(at+".location", f.Location)
	if len(f.Evidence) == 0 {
		c.add(at+".evidence", "is missing")
	}
	comments, replies := 0, 0
	for i, m := range got.Comments {
		if m.FindingID == f.ID {
			comments++
			if !m.at(f.Location) {
				c.add(fmt.Sprintf("comments[%d]", i), "stands elsewhere than its finding")
			}
		}
	}
	for i, r := range got.Replies {
		if r.FindingID == f.ID {
			replies++
			if f.RootID == nil || *f.RootID != r.RootID {
				c.add(fmt.Sprintf("replies[%d].root_id", i), "differs from its finding")
			}
		}
	}
	want := map[string][2]int{"inline": {1, 0}, "reply": {0, 1}}[f.Placement]
	if comments != want[0] || replies != want[1] {
		c.add(at+".placement", "%s has %d comments and %d replies", f.Placement, comments, replies)
	}
	if f.Placement == "unknown" && f.Location.Kind != "unknown" {
		c.add(at+".placement", "the place is known")
	}
	for _, id := range f.CandidateIDs {
		if k, ok := known[id]; ok && k.Relation == "known" && f.Placement == "inline" {
			c.add(at+".placement", "what is known goes into its discussion, not into a second comment")
		}
	}
	if f.RootID != nil && !ctx.hasThread(*f.RootID) {
		c.add(at+".root_id", "is no discussion that was collected")
	}
}

func (m Comment) at(l Loc) bool {
	eq := func(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	es := func(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return l.Kind == "line" && es(l.Path, &m.Path) && es(l.Side, &m.Side) && eq(l.Line, &m.Line) &&
		es(l.StartSide, m.StartSide) && eq(l.StartLine, m.StartLine)
}

// targets checks that what is posted belongs to a finding, and no root is used twice.
func (c *checks) targets(ctx Context, got Author, findings map[string]bool) {
	roots := map[int64]bool{}
	for i, m := range got.Comments {
		if !findings[m.FindingID] {
			c.add(fmt.Sprintf("comments[%d].finding_id", i), "is no finding")
		}
	}
	for i, r := range got.Replies {
		at := fmt.Sprintf("replies[%d]", i)
		if !findings[r.FindingID] {
			c.add(at+".finding_id", "is no finding")
		}
		if roots[r.RootID] {
			c.add(at+".root_id", "has a second reply")
		}
		roots[r.RootID] = true
		if !ctx.hasThread(r.RootID) {
			c.add(at+".root_id", "is the root of no discussion that was collected")
		}
	}
}

func (c *checks) decision(ctx Context, chunks []Chunk, got Author) {
	if got.Decision == "COMMENT" {
		return
	}
	if own := ctx.Viewer.IsAuthor; own == nil || *own {
		c.add("decision", "%s needs an author other than the viewer", got.Decision)
	}
	worst := map[string]bool{}
	for _, f := range got.Findings {
		worst[f.Severity] = true
	}
	if got.Decision == "REQUEST_CHANGES" {
		if !worst["blocking"] {
			c.add("decision", "REQUEST_CHANGES needs a finding that blocks")
		}
		return
	}
	risks := slices.Concat(ctx.Risks, got.Risks)
	for _, ch := range chunks {
		risks = append(risks, ch.Risks...)
	}
	switch {
	case worst["blocking"] || worst["important"]:
		c.add("decision", "APPROVE does not fit a finding that blocks or is important")
	case ctx.History.Status != "complete":
		c.add("decision", "APPROVE needs the whole history")
	case !ctx.Files.Complete:
		c.add("decision", "APPROVE needs every changed file to be known")
	case slices.ContainsFunc(risks, func(r Risk) bool { return r.BlocksApproval }):
		c.add("decision", "APPROVE does not fit a risk that blocks it")
	}
}
