package demo

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"planmode/plan/agent"
	"planmode/plan/pull"
	"planmode/plan/tool"
)

// payloadTool is the tool that makes a turn a part of a review.
const payloadTool = "deliver_payload"

// maxReviewed is how many files of a dimension are read.
const maxReviewed = 400

// reviews says whether the turn is a part of a review, and which.
func reviews(turn agent.Turn) (pull.Brief, bool) {
	if len(turn.Messages) == 0 || !slices.ContainsFunc(turn.Tools, func(s tool.Spec) bool { return s.Name == payloadTool }) {
		return pull.Brief{}, false
	}
	return pull.ReadBrief(turn.Messages[0].Text)
}

// review plays one role. What it finds it finds by the few simple rules below; it never
// approves, because they are no judgement.
func (a *Agent) review(ctx context.Context, b pull.Brief, host agent.Host) error {
	if b.Context == nil {
		return fmt.Errorf("demo agent: role %s without a context", b.Role)
	}
	var text string
	switch b.Role {
	case pull.RoleContext:
		text = divide(b)
	case pull.RoleChunk:
		c, err := lookThrough(ctx, b, host)
		if err != nil {
			return err
		}
		text = pull.Encode(b.Role, pull.Pass, c)
	case pull.RoleAuthor:
		text = pull.Encode(b.Role, pull.Pass, writeReview(b))
	case pull.RoleVerify:
		text = judgeReview(b)
	}
	_, _, err := host.Batch(ctx, []tool.Call{{ID: "payload", Name: payloadTool, Args: tool.Marshal(map[string]string{"text": text})}})
	return err
}

// divide makes one dimension, or two for a change of many files.
func divide(b pull.Brief) string {
	c := *b.Context
	name := "correctness"
	if b.Focus != "" && b.Focus != "full" {
		name = b.Focus
	}
	var code, tests []string
	for _, f := range c.Files.Items {
		switch {
		case f.Patch != "full":
			c.Uncovered = append(c.Uncovered, pull.Uncovered{Path: f.Path, Why: "there is no change of text to read"})
		case len(code)+len(tests) >= maxReviewed:
			c.Uncovered = append(c.Uncovered, pull.Uncovered{Path: f.Path, Why: "the demo agent reads only so many files"})
		case isTest(f.Path):
			tests = append(tests, f.Path)
		default:
			code = append(code, f.Path)
		}
	}
	if len(code)+len(tests) <= 8 || len(code) == 0 || len(tests) == 0 || name != "correctness" {
		code, tests = append(code, tests...), nil
	}
	c.Dimensions = append(c.Dimensions, pull.Dimension{Name: name, Goal: "Find what breaks, and what was left behind by accident.", Files: listed(code)})
	if len(tests) > 0 {
		c.Dimensions = append(c.Dimensions, pull.Dimension{Name: "tests", Goal: "Find tests that cannot fail or were left unfinished.", Files: tests})
	}
	if strings.TrimSpace(c.PR.Title) == "" {
		c.PR.Title = "untitled"
	}
	c.Intent.Summary = "The change says of itself: " + short(c.PR.Title, 200)
	c.Limitations = append(c.Limitations, "The demo agent reviewed by a few simple rules; nobody understood the code.")
	return pull.Encode(b.Role, pull.Pass, c)
}

func listed(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

func isTest(path string) bool { return strings.Contains(strings.ToLower(path), "test") }

// lookThrough reads the patches of a dimension and notes what the rules find.
func lookThrough(ctx context.Context, b pull.Brief, host agent.Host) (pull.Chunk, error) {
	c := pull.Chunk{Schema: "review.chunk/1", Dimension: b.Dimension, Pins: b.Context.Pins, Coverage: []pull.Coverage{},
		Candidates: []pull.Candidate{}, Risks: []pull.Risk{}, Sources: []pull.Source{}, Limitations: []string{}}
	for _, d := range b.Context.Dimensions {
		if d.Name != b.Dimension {
			continue
		}
		for n, path := range d.Files {
			rs, stop, err := host.Batch(ctx, []tool.Call{{ID: "patch-" + strconv.Itoa(n), Name: "read_patch", Args: tool.Marshal(map[string]string{"path": path})}})
			if err != nil || stop {
				return c, fmt.Errorf("demo agent: read the change of %s: %w", path, err)
			}
			if len(rs) != 1 || rs[0].Error {
				note := "its change could not be read"
				c.Coverage = append(c.Coverage, pull.Coverage{Path: path, Extent: "none", Note: &note})
				continue
			}
			c.Coverage = append(c.Coverage, pull.Coverage{Path: path, Extent: "full"})
			c.Candidates = append(c.Candidates, inspect(b, path, rs[0].Text, len(c.Candidates))...)
		}
	}
	return c, nil
}

// smell is a rule about one added line.
type smell struct {
	re                              *regexp.Regexp
	severity, title, impact, remedy string
}

var smells = []smell{
	{regexp.MustCompile(`^(<{7}|>{7}) `), "blocking", "A conflict marker was left in the file",
		"The file does not hold what anybody meant; most languages do not even read it.", "Resolve the conflict and remove the markers."},
	{regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`), "nit", "Work is left open in a comment",
		"Nobody is told that this part is not finished.", "Finish it, or say in the description what is left."},
	{regexp.MustCompile(`^\s*(console\.log\(|debugger\b|fmt\.Print(ln|f)?\("(DEBUG|debug|here))`), "important", "Output for debugging was left in",
		"Users and logs get lines that were meant for one session at a desk.", "Remove the line."},
	{regexp.MustCompile(`^\s*(_ = \w+\.(Close|Write|Flush|Sync)\(|\} catch \(.*\) \{\s*\}|except:\s*pass)`), "important", "An error is thrown away",
		"When the call fails, everything goes on as if it had worked.", "Handle the error or return it."},
}

var hunkHead = regexp.MustCompile(`^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// inspect applies the rules to the added lines of a patch.
func inspect(b pull.Brief, path, patch string, before int) []pull.Candidate {
	var out []pull.Candidate
	line := int64(0)
	for text := range strings.SplitSeq(patch, "\n") {
		if m := hunkHead.FindStringSubmatch(text); m != nil {
			line, _ = strconv.ParseInt(m[1], 10, 64)
			continue
		}
		if line == 0 || text == "" || text[0] == '-' || text[0] == '\\' {
			continue
		}
		if text[0] == '+' {
			for _, s := range smells {
				if s.re.MatchString(text[1:]) {
					out = append(out, s.candidate(b, path, text[1:], line, before+len(out)+1))
					break
				}
			}
		}
		line++
	}
	return out
}

func (s smell) candidate(b pull.Brief, path, quote string, line int64, n int) pull.Candidate {
	side := "RIGHT"
	c := pull.Candidate{
		ID: fmt.Sprintf("%s-%d", b.Dimension, n), Title: s.title, Severity: s.severity, Confidence: "medium",
		Location: pull.Loc{Kind: "line", Path: &path, Side: &side, Line: &line},
		Evidence: []pull.Evidence{{Path: path, Revision: b.Context.Pins.HeadSHA, StartLine: line, EndLine: line, Quote: quote}},
		Scenario: "The line is reached as it stands in the change.", Impact: s.impact, Fix: s.remedy, Relation: "unclassified",
		Body: s.title + ". " + s.impact + " " + s.remedy,
	}
	if b.Context.History.Status == "complete" {
		c.Relation = "new"
	}
	for _, t := range b.Context.History.Threads {
		if t.Path == path && (t.Line != nil && *t.Line == line || t.Own && holds(b, t.RootID, s.title)) {
			c.Relation, c.RootID = "known", &t.RootID
		}
	}
	return c
}

// holds says that a discussion has these words in it.
func holds(b pull.Brief, root int64, words string) bool {
	for _, t := range b.Threads {
		if t.RootID == root {
			return strings.Contains(strings.Join(t.Words, "\n"), words)
		}
	}
	return false
}

// writeReview turns every candidate into a finding, except those that the verifier or
// the person named.
func writeReview(b pull.Brief) pull.Author {
	a := pull.Author{Schema: "review.author/1", Revision: b.Revision, Pins: b.Context.Pins, Decision: "COMMENT",
		Findings: []pull.Finding{}, Comments: []pull.Comment{}, Replies: []pull.Reply{}, Trace: []pull.Trace{},
		Risks: []pull.Risk{}, Sources: []pull.Source{}, Limitations: append([]string{}, b.Context.Limitations...)}
	answered := map[int64]bool{}
	for _, chunk := range b.Chunks {
		for _, c := range chunk.Candidates {
			if why := unwanted(b, c); why != "" {
				a.Trace = append(a.Trace, pull.Trace{CandidateID: c.ID, Disposition: "drop", Reason: why})
				continue
			}
			a.Trace = append(a.Trace, pull.Trace{CandidateID: c.ID, Disposition: "confirm", FindingID: &c.ID, Reason: "the line stands in the change"})
			place(b, &a, c, answered)
		}
	}
	a.Decision = decide(b, a)
	a.Summary = summary(b, a)
	return a
}

func unwanted(b pull.Brief, c pull.Candidate) string {
	for _, i := range b.Issues {
		if i.FindingID != nil && *i.FindingID == c.ID {
			return "the verifier: " + short(i.Problem, 200)
		}
	}
	if regexp.MustCompile(`\bdrop\b[^.;\n]*\b` + regexp.QuoteMeta(c.ID) + `\b`).MatchString(b.Wish) {
		return "the person who decides asked for it"
	}
	return ""
}

// stillSo begins an answer in a discussion that is there.
const stillSo = "This is still so. "

func place(b pull.Brief, a *pull.Author, c pull.Candidate, answered map[int64]bool) {
	f := pull.Finding{ID: c.ID, Title: c.Title, Severity: c.Severity, Confidence: c.Confidence, Evidence: c.Evidence, Scenario: c.Scenario,
		Impact: c.Impact, Fix: c.Fix, CandidateIDs: []string{c.ID}, Placement: "inline", Location: c.Location}
	switch {
	case c.RootID != nil && !answered[*c.RootID] && !holds(b, *c.RootID, stillSo+c.Body):
		answered[*c.RootID] = true
		f.Placement, f.RootID = "reply", c.RootID
		a.Replies = append(a.Replies, pull.Reply{FindingID: c.ID, RootID: *c.RootID, Body: stillSo + c.Body})
	case c.RootID != nil:
		f.Placement = "summary"
	default:
		a.Comments = append(a.Comments, pull.Comment{FindingID: c.ID, Path: *c.Location.Path, Side: *c.Location.Side, Line: *c.Location.Line, Body: c.Body})
	}
	a.Findings = append(a.Findings, f)
}

func decide(b pull.Brief, a pull.Author) string {
	blocking := slices.ContainsFunc(a.Findings, func(f pull.Finding) bool { return f.Severity == "blocking" })
	if own := b.Context.Viewer.IsAuthor; blocking && own != nil && !*own {
		return "REQUEST_CHANGES"
	}
	return "COMMENT"
}

func summary(b pull.Brief, a pull.Author) string {
	var s strings.Builder
	if len(a.Findings) == 0 {
		s.WriteString("The rules of the demo agent found nothing in this change.\n")
	} else {
		fmt.Fprintf(&s, "Found by the rules of the demo agent: %d.\n\n", len(a.Findings))
		for _, f := range a.Findings {
			fmt.Fprintf(&s, "- %s: %s (`%s`, line %d)\n", f.Severity, f.Title, *f.Location.Path, *f.Location.Line)
		}
	}
	code, tests := 0, 0
	for _, f := range b.Context.Files.Items {
		if isTest(f.Path) {
			tests++
		} else if f.Patch == "full" {
			code++
		}
	}
	if code > 0 && tests == 0 {
		s.WriteString("\nNo file that looks like a test is part of this change.\n")
	}
	s.WriteString("\nThese are simple rules about single lines. Nobody has read the change for what it means.\n")
	return s.String()
}

// judgeReview compares the review with what it was made from.
func judgeReview(b pull.Brief) string {
	if b.Author == nil {
		return pull.Encode(b.Role, pull.NeedsContext, pull.Failure{Schema: "review.verify/1", Reason: "there is no review to judge", NextStep: "start the review again", Missing: []string{"the review"}})
	}
	v := pull.Verify{Schema: "review.verify/1", AuthorSHA256: b.SHA256, Revision: b.Author.Revision, Pins: b.Author.Pins, Decision: b.Author.Decision,
		Observations: []string{"Every finding of the review is a candidate of a reviewer."}, PublicationReady: true,
		Limitations: []string{"The demo agent compares names and numbers; it does not understand the code."}, Issues: []pull.Issue{}}
	candidates := map[string]bool{}
	for _, chunk := range b.Chunks {
		for _, c := range chunk.Candidates {
			candidates[c.ID] = true
		}
	}
	for _, f := range b.Author.Findings {
		if !candidates[f.ID] {
			v.Issues = append(v.Issues, pull.Issue{FindingID: &f.ID, Field: "id", Problem: "no reviewer found this", Change: "drop it"})
		}
	}
	note := "not more than names and numbers were compared"
	for _, name := range pull.CheckNames {
		c := pull.VerifyCheck{Name: name, Result: "limited", Note: &note}
		if name == "identity" && len(v.Issues) > 0 {
			c.Result = "fail"
		}
		v.Checks = append(v.Checks, c)
	}
	if len(v.Issues) > 0 {
		v.PublicationReady = false
		return pull.Encode(b.Role, pull.Fail, v)
	}
	return pull.Encode(b.Role, pull.Pass, v)
}
