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
	raw, err := j.folder.Read(j.file()) // which is an error if it is not what was written
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
	case p.Author != nil:
		r.Warnings = warnings(ctx, j.from, j.context, *p.Author)
	case p.Verify != nil:
		r.Issues = p.Verify.Issues
	}
	return p, r
}

func (j judged) compare(ctx context.Context, p pull.Payload) []pull.Problem {
	m := material{ctx, j.from}
	var out []pull.Problem
	switch {
	case p.Context != nil:
		out = append(pull.CheckContext(j.facts, *p.Context, j.brief.Focus), pull.CheckGuidance(m, *p.Context)...)
	case p.Chunk != nil:
		out = append(pull.CheckChunk(j.context, j.brief.Dimension, *p.Chunk), pull.CheckQuotes(m, *p.Chunk)...)
	case p.Author != nil:
		if p.Author.Revision != j.brief.Revision {
			out = append(out, pull.Problem{Path: "revision", Text: "is not that of this dispatch"})
		}
		out = append(out, pull.CheckAuthor(j.context, j.chunks, *p.Author)...)
		out = append(out, repeated(j.context, j.brief.Threads, *p.Author)...)
		out = append(out, pull.CheckEvidence(m, j.context, *p.Author)...)
	case p.Verify != nil:
		author := pull.Payload{Role: pull.RoleAuthor, Status: pull.Pass, SHA256: j.sum, Author: &j.author}
		return pull.CheckVerify(author, p.Status, *p.Verify)
	}
	return out[:min(len(out), pull.MaxProblems)]
}
