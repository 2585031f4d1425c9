package pull

import "fmt"

// Validate says what can be known to be wrong with a payload from itself alone: its
// form, and what in it contradicts itself. That it agrees with the others and with the
// commits is for the Check functions.
func Validate(role Role, raw []byte) []Problem {
	p, problems := Read(role, raw)
	if len(problems) > 0 {
		return problems
	}
	c := &checks{}
	switch {
	case p.Context != nil:
		return CheckContext(*p.Context, *p.Context, "")
	case p.Chunk != nil:
		c.sources(p.Chunk.Sources)
		for i, k := range p.Chunk.Candidates {
			at := fmt.Sprintf("candidates[%d]", i)
			c.loc(at+".location", k.Location)
			if len(k.Evidence) == 0 {
				c.add(at+".evidence", "is missing")
			}
		}
	case p.Author != nil:
		c.alone(*p.Author)
	case p.Verify != nil:
		v := *p.Verify
		judged := Author{Revision: v.Revision, Pins: v.Pins, Decision: v.Decision}
		return CheckVerify(Payload{SHA256: v.AuthorSHA256, Author: &judged}, p.Status, v)
	}
	return c.problems
}

func (c *checks) alone(a Author) {
	for i, f := range a.Findings {
		at := fmt.Sprintf("findings[%d]", i)
		c.loc(at+".location", f.Location)
		if len(f.Evidence) == 0 {
			c.add(at+".evidence", "is missing")
		}
	}
	c.sources(a.Sources)
	c.body("summary", a.Summary)
	for i, k := range a.Comments {
		c.body(fmt.Sprintf("comments[%d].body", i), k.Body)
	}
	for i, r := range a.Replies {
		c.body(fmt.Sprintf("replies[%d].body", i), r.Body)
	}
}
