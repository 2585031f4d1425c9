package run

import (
	"context"
	"strings"

	"planmode/plan/pull"
)

// judged is everything that a payload is compared with.
type judged struct {
	brief   pull.Brief
	facts   pull.Context
	context pull.Context
	chunks  []pull.Chunk
	author  pull.Author
	sum     string
	from    Reading
	folder  *Folder
}

// file is the name of the payload in the run folder.
func (j judged) file() string {
	if j.brief.Role == pull.RoleChunk {
		return "chunk-" + j.brief.Dimension + ".txt"
	}
	return string(j.brief.Role) + ".txt"
}

// judge keeps what was handed over, reads it back and says what it is worth.
func judge(ctx context.Context, j judged, d Delivered) (pull.Payload, pull.Result) {
	if len(d.Text) > MaxPayload {
		return pull.Payload{}, pull.Result{Problems: []pull.Problem{{Path: "payload", Text: "is larger than a payload may be"}}}
	}
	if err := j.folder.Write(j.file(), d.Text); err != nil {
		return pull.Payload{}, pull.Result{Lost: true, Reason: err.Error()}
	}
	raw, err := j.folder.Read(j.file())
	if err != nil {
		return pull.Payload{}, pull.Result{Lost: true, Reason: err.Error()}
	}
	p, problems := pull.Read(j.brief.Role, raw)
	if len(problems) == 0 {
		problems = j.compare(ctx, p)
	}
	r := pull.Result{Status: p.Status, Problems: problems}
	switch {
	case len(problems) > 0:
	case p.Failure != nil:
		r.Reason, r.Next = p.Failure.Reason, p.Failure.NextStep
		if len(p.Failure.Missing) > 0 {
			r.Reason += " (missing: " + strings.Join(p.Failure.Missing, ", ") + ")"
		}
	case p.Context != nil:
		for _, dim := range p.Context.Dimensions {
			r.Dimensions = append(r.Dimensions, dim.Name)
		}
	case p.Verify != nil:
		r.Issues = p.Verify.Issues
	}
	return p, r
}

func (j judged) compare(ctx context.Context, p pull.Payload) []pull.Problem {
	c := &checker{from: j.from, facts: j.facts}
	switch {
	case p.Context != nil:
		c.context(*p.Context, j.brief.Focus)
	case p.Chunk != nil:
		for _, d := range j.context.Dimensions {
			if d.Name == j.brief.Dimension {
				c.chunk(ctx, d, *p.Chunk)
			}
		}
	case p.Author != nil:
		c.author(ctx, j.chunks, j.brief.Revision, *p.Author)
	case p.Verify != nil:
		c.verify(p.Status, j.author, j.sum, *p.Verify)
	}
	return c.problems
}
