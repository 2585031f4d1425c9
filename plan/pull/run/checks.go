package run

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"planmode/plan/pull"
)

// checker compares payloads with what is known: a payload of the right form still
// means nothing until it agrees with the facts and the two commits.
type checker struct {
	from     Reading
	facts    pull.Context
	problems []pull.Problem
}

func (c *checker) wrong(at, format string, args ...any) {
	if len(c.problems) < pull.MaxProblems {
		c.problems = append(c.problems, pull.Problem{Path: at, Text: fmt.Sprintf(format, args...)})
	}
}

// context says whether the facts came back unchanged and every file has a place.
func (c *checker) context(got pull.Context, focus string) {
	for _, f := range []struct {
		name     string
		was, got any
	}{
		{"pr", c.facts.PR, got.PR}, {"pins", c.facts.Pins, got.Pins}, {"viewer", c.facts.Viewer, got.Viewer},
		{"history", c.facts.History, got.History}, {"ci", c.facts.CI, got.CI}, {"files", c.facts.Files, got.Files},
	} {
		if !reflect.DeepEqual(f.was, f.got) {
			c.wrong(f.name, "is not what was collected: give it back unchanged")
		}
	}
	if n := len(got.Dimensions); n < 1 || n > 6 {
		c.wrong("dimensions", "there are %d, there have to be one to six", n)
	}
	placed, names := map[string]bool{}, map[string]bool{}
	for _, d := range got.Dimensions {
		if names[d.Name] {
			c.wrong("dimensions", "%s stands there twice", d.Name)
		}
		names[d.Name] = true
		if focus != "" && focus != "full" && d.Name != focus && !strings.HasPrefix(d.Name, focus+"-") {
			c.wrong("dimensions", "%s is not part of the focus %s", d.Name, focus)
		}
		for _, p := range d.Files {
			placed[p] = true
		}
	}
	for _, u := range got.Uncovered {
		placed[u.Path] = true
	}
	for _, f := range c.facts.Files.Items {
		if !placed[f.Path] {
			c.wrong("dimensions", "%.200q is in no dimension and not uncovered", f.Path)
		}
		delete(placed, f.Path)
	}
	for p := range placed {
		c.wrong("dimensions", "%.200q is no file of the change", p)
	}
	for _, g := range got.Guidance {
		if g.Revision != c.facts.Pins.BaseSHA {
			c.wrong("guidance", "only what the base says is guidance")
		}
	}
}

// chunk says whether a dimension reports on exactly its files, with true quotes.
func (c *checker) chunk(ctx context.Context, d pull.Dimension, got pull.Chunk) {
	if got.Dimension != d.Name || got.Pins != c.facts.Pins {
		c.wrong("pins", "dimension and pins have to be those of this dispatch")
	}
	same := len(got.Coverage) == len(d.Files)
	for i := range got.Coverage {
		same = same && got.Coverage[i].Path == d.Files[i]
		if (got.Coverage[i].Note == nil) != (got.Coverage[i].Extent == "full") {
			c.wrong(fmt.Sprintf("coverage[%d].note", i), "is set exactly unless the extent is full")
		}
	}
	if !same {
		c.wrong("coverage", "has to name exactly the files of the dimension, in order")
	}
	ids := map[string]bool{}
	for i, f := range got.Candidates {
		at := fmt.Sprintf("candidates[%d]", i)
		if ids[f.ID] || !strings.HasPrefix(f.ID, d.Name+"-") {
			c.wrong(at+".id", "has to be one of its own that begins with %s-", d.Name)
		}
		ids[f.ID] = true
		c.quotes(ctx, at, f.Evidence)
	}
}

// author says whether the review accounts for every candidate and what it would post
// stands where it says.
func (c *checker) author(ctx context.Context, chunks []pull.Chunk, revision int64, got pull.Author) {
	if got.Pins != c.facts.Pins || got.Revision != revision {
		c.wrong("pins", "pins and revision have to be those of this dispatch (revision %d)", revision)
	}
	open := map[string]bool{}
	for _, chunk := range chunks {
		for _, f := range chunk.Candidates {
			open[f.ID] = true
		}
	}
	found := map[string]bool{}
	for i, f := range got.Findings {
		if found[f.ID] || len(f.CandidateIDs) == 0 {
			c.wrong(fmt.Sprintf("findings[%d]", i), "needs an id of its own and a candidate that it comes from")
		}
		found[f.ID] = true
		c.quotes(ctx, fmt.Sprintf("findings[%d]", i), f.Evidence)
	}
	for i, t := range got.Trace {
		at := fmt.Sprintf("trace[%d]", i)
		if !open[t.CandidateID] {
			c.wrong(at, "%.80q is no candidate, or was traced before", t.CandidateID)
		}
		delete(open, t.CandidateID)
		if (t.Disposition == "drop") != (t.FindingID == nil) || t.FindingID != nil && !found[*t.FindingID] {
			c.wrong(at, "names a finding of this review exactly unless it drops the candidate")
		}
	}
	for id := range open {
		c.wrong("trace", "the candidate %.80q has none", id)
	}
	c.placement(got)
	c.decision(got)
	for i, m := range got.Comments {
		c.anchor(ctx, fmt.Sprintf("comments[%d]", i), m)
	}
}

func (c *checker) placement(got pull.Author) {
	comments, replies := map[string]int{}, map[string]int{}
	for _, m := range got.Comments {
		comments[m.FindingID]++
	}
	roots := map[int64]bool{}
	for _, t := range c.facts.History.Threads {
		roots[t.RootID] = true
	}
	for i, r := range got.Replies {
		replies[r.FindingID]++
		if !roots[r.RootID] {
			c.wrong(fmt.Sprintf("replies[%d].root_id", i), "is no discussion that was collected, or was answered before")
		}
		delete(roots, r.RootID)
	}
	for i, f := range got.Findings {
		inline, reply := 0, 0
		switch f.Placement {
		case "inline":
			inline = 1
		case "reply":
			reply = 1
		}
		if comments[f.ID] != inline || replies[f.ID] != reply {
			c.wrong(fmt.Sprintf("findings[%d].placement", i), "%s does not agree with the comments and replies", f.Placement)
		}
		delete(comments, f.ID)
		delete(replies, f.ID)
	}
	if len(comments)+len(replies) > 0 {
		c.wrong("comments", "one belongs to no finding")
	}
}

func (c *checker) decision(got pull.Author) {
	own := c.facts.Viewer.IsAuthor
	worst := ""
	for _, f := range got.Findings {
		if f.Severity == "blocking" || worst == "" && f.Severity == "important" {
			worst = f.Severity
		}
	}
	stranger := own != nil && !*own
	switch got.Decision {
	case "APPROVE":
		if !stranger || worst != "" || c.facts.History.Status != "complete" || !c.facts.Files.Complete {
			c.wrong("decision", "this review cannot approve")
		}
		for _, r := range got.Risks {
			if r.BlocksApproval {
				c.wrong("decision", "the risk %.80q blocks an approval", r.ID)
			}
		}
	case "REQUEST_CHANGES":
		if !stranger || worst != "blocking" {
			c.wrong("decision", "changes are requested only of others and for a blocking finding")
		}
	}
}

// anchor says whether a comment stands at a line of the diff.
func (c *checker) anchor(ctx context.Context, at string, m pull.Comment) {
	text, err := c.from.Patch(ctx, m.Path)
	if err == nil && text == "" {
		err = fmt.Errorf("%.200q has no change of text", m.Path)
	}
	var patch pull.Patch
	if err == nil {
		patch, err = pull.ParsePatch(text)
	}
	if err != nil {
		c.wrong(at, "%v", err)
		return
	}
	a := pull.Anchor{Side: m.Side, Line: m.Line}
	if m.StartLine != nil && m.StartSide != nil {
		a.StartLine, a.StartSide = *m.StartLine, *m.StartSide
	} else if (m.StartLine == nil) != (m.StartSide == nil) {
		c.wrong(at, "start_line and start_side are both set or both null")
	}
	if bad := patch.CheckAnchor(a); bad != "" {
		c.wrong(at, "%s", bad)
	}
}

// quotes compares every quote with the lines of its commit, byte for byte.
func (c *checker) quotes(ctx context.Context, at string, evidence []pull.Evidence) {
	if len(evidence) == 0 {
		c.wrong(at+".evidence", "there is none")
	}
	for i, e := range evidence {
		where := fmt.Sprintf("%s.evidence[%d]", at, i)
		data, err := c.from.File(ctx, e.Path, e.Revision)
		if err != nil {
			c.wrong(where, "%v", err)
			continue
		}
		lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		if e.EndLine < e.StartLine || e.EndLine-e.StartLine >= 40 || e.EndLine > int64(len(lines)) {
			c.wrong(where, "lines %d to %d are not there, or more than 40", e.StartLine, e.EndLine)
			continue
		}
		if strings.Join(lines[e.StartLine-1:e.EndLine], "\n") != e.Quote {
			c.wrong(where+".quote", "is not what lines %d to %d of %.200q hold", e.StartLine, e.EndLine, e.Path)
		}
	}
}

// verify says whether the judgement is about the review that was given.
func (c *checker) verify(status pull.Status, a pull.Author, sum string, got pull.Verify) {
	if got.AuthorSHA256 != sum || got.Revision != a.Revision || got.Pins != a.Pins || got.Decision != a.Decision {
		c.wrong("author_sha256", "hash, revision, pins and decision have to be those of the review that was given")
	}
	seen, failed := map[string]bool{}, false
	for _, k := range got.Checks {
		if seen[k.Name] {
			c.wrong("checks", "%s stands there twice", k.Name)
		}
		seen[k.Name] = true
		failed = failed || k.Result == "fail"
	}
	if len(seen) != len(pull.CheckNames) {
		c.wrong("checks", "each of the %d checks is named once", len(pull.CheckNames))
	}
	bad := failed || len(got.Issues) > 0
	if status == pull.Pass && bad || status == pull.Fail && (len(got.Issues) == 0 || got.PublicationReady) {
		c.wrong("issues", "PASS has neither an issue nor a failed check; FAIL has an issue and is not ready")
	}
}
