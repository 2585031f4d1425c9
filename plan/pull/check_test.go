package pull

import (
	"errors"
	"strings"
	"testing"
)

func ptr[T any](v T) *T { return &v }

// pages is two commits of one file, and its patch.
type pages struct{ patch Patch }

func (p pages) Lines(path, revision string) ([]string, error) {
	if path != "a.go" || revision != strings.Repeat("2", 40) {
		return nil, errors.New("no such file")
	}
	return []string{"one", "TWO", "\t2b", "three", "5", "6", "7", "8", "9", "10", "ten", "eleven"}, nil
}

func (p pages) Patch(path string) (Patch, bool) { return p.patch, path == "a.go" }

// world is a review in which everything is right.
type world struct {
	facts, ctx Context
	chunk      Chunk
	author     Author
	verify     Verify
}

func goodWorld() *world {
	pins := Pins{Base: "main", BaseSHA: strings.Repeat("1", 40), BaseTipSHA: strings.Repeat("1", 40), HeadSHA: strings.Repeat("2", 40)}
	ctx := Context{PR: PR{State: "open"}, Pins: pins, Viewer: Viewer{Login: ptr("me"), IsAuthor: ptr(false)},
		History: History{Status: "complete", Threads: []Thread{{RootID: 40, CommentIDs: []int64{40, 41}, Own: true, Path: "a.go", Line: ptr(int64(3)), Digest: "Other matter"}}},
		CI:      CI{HeadSHA: pins.HeadSHA}, Files: Files{Total: 1, Listed: 1, Complete: true, Items: []FileItem{{Path: "a.go"}}},
		Dimensions: []Dimension{{Name: "security", Files: []string{"a.go"}}}}
	loc := Loc{Kind: "line", Path: ptr("a.go"), Side: ptr(Right), Line: ptr(int64(3))}
	ev := []Evidence{{Path: "a.go", Revision: pins.HeadSHA, StartLine: 2, EndLine: 3, Quote: "TWO\n\t2b"}}
	w := &world{facts: ctx, ctx: ctx}
	w.chunk = Chunk{Dimension: "security", Pins: pins, Coverage: []Coverage{{Path: "a.go", Extent: "full"}},
		Candidates: []Candidate{{ID: "security-1", Title: "Lost", Severity: "blocking", Location: loc, Evidence: ev, Relation: "new"}}}
	w.author = Author{Revision: 1, Pins: pins, Decision: "REQUEST_CHANGES", Summary: "One defect.",
		Findings: []Finding{{ID: "security-1", Title: "Lost", Severity: "blocking", Evidence: ev, CandidateIDs: []string{"security-1"}, Placement: "inline", Location: loc}},
		Comments: []Comment{{FindingID: "security-1", Path: "a.go", Side: Right, Line: 3, Body: "Lost.\n```suggestion\n\t2c\n```"}},
		Trace:    []Trace{{CandidateID: "security-1", Disposition: "confirm", FindingID: ptr("security-1")}}}
	w.verify = Verify{AuthorSHA256: "h", Revision: 1, Pins: pins, Decision: "REQUEST_CHANGES", PublicationReady: true}
	for _, n := range CheckNames {
		w.verify.Checks = append(w.verify.Checks, VerifyCheck{Name: n, Result: "pass"})
	}
	return w
}

func (w *world) problems(t *testing.T) []Problem {
	p, err := ParsePatch(twoHunks)
	if err != nil {
		t.Fatal(err)
	}
	m := pages{p}
	out := CheckContext(w.facts, w.ctx, "security")
	out = append(out, CheckGuidance(m, w.ctx)...)
	out = append(out, CheckChunk(w.ctx, "security", w.chunk)...)
	out = append(out, CheckQuotes(m, w.chunk)...)
	out = append(out, CheckAuthor(w.ctx, []Chunk{w.chunk}, w.author)...)
	out = append(out, CheckEvidence(m, w.ctx, w.author)...)
	return append(out, CheckVerify(Payload{SHA256: "h", Author: &w.author}, Pass, w.verify)...)
}

func TestARightReviewHasNoProblem(t *testing.T) {
	if got := goodWorld().problems(t); len(got) != 0 {
		t.Fatal(got)
	}
}

func TestEveryRuleOfAReviewIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		path   string
	}{
		"the context changes a fact":          {func(w *world) { w.ctx.PR.Title = "x" }, "pr"},
		"the context says complete with gaps": {func(w *world) { w.ctx.History.Status = "partial" }, "history"},
		"a file is in no dimension":           {func(w *world) { w.ctx.Dimensions[0].Files = nil }, "dimensions"},
		"another focus than asked for":        {func(w *world) { w.ctx.Dimensions[0].Name = "tests" }, "dimensions[0].name"},
		"guidance of the head":                {func(w *world) { w.ctx.Guidance = []Guidance{{Revision: w.ctx.Pins.HeadSHA}} }, "guidance[0].revision"},
		"a chunk of another dimension":        {func(w *world) { w.chunk.Dimension = "tests" }, "dimension"},
		"pins that differ by one digit":       {func(w *world) { w.chunk.Pins.HeadSHA = strings.Repeat("2", 39) + "3" }, "pins"},
		"a file left out of the coverage":     {func(w *world) { w.chunk.Coverage = nil }, "coverage"},
		"an id of another dimension":          {func(w *world) { w.chunk.Candidates[0].ID = "tests-1" }, "candidates[0].id"},
		"known without its discussion":        {func(w *world) { w.chunk.Candidates[0].Relation = "known" }, "candidates[0].root_id"},
		"a quote that differs by a tab": {func(w *world) {
			w.author.Findings[0].Evidence = []Evidence{{"a.go", w.ctx.Pins.HeadSHA, 2, 3, "TWO\n2b"}}
		}, "findings[0].evidence[0].quote"},
		"a quote of a file that is not there": {func(w *world) { w.chunk.Candidates[0].Evidence = []Evidence{{"b.go", w.ctx.Pins.HeadSHA, 1, 1, "x"}} }, "candidates[0].evidence[0]"},
		"a quote of another commit": {func(w *world) {
			w.author.Findings[0].Evidence = []Evidence{{"a.go", strings.Repeat("9", 40), 1, 1, "x"}}
		}, "findings[0].evidence[0].revision"},
		"a candidate without a trace":           {func(w *world) { w.author.Trace = nil }, "trace"},
		"a trace to nowhere":                    {func(w *world) { w.author.Trace[0].FindingID = ptr("security-9") }, "trace"},
		"a dropped candidate with a finding":    {func(w *world) { w.author.Trace[0].Disposition = "drop" }, "trace[0].finding_id"},
		"an inline finding without a comment":   {func(w *world) { w.author.Comments = nil }, "findings[0].placement"},
		"a comment elsewhere than its finding":  {func(w *world) { w.author.Comments[0].Line = 2 }, "comments[0]"},
		"a comment outside the diff":            {func(w *world) { w.author.Comments[0].Line, *w.author.Findings[0].Location.Line = 8, 8 }, "comments[0].line"},
		"two replies to one root":               {func(w *world) { w.author.Replies = []Reply{{"security-1", 40, "a"}, {"security-1", 40, "b"}} }, "replies[1].root_id"},
		"a reply to what is no root":            {func(w *world) { w.author.Replies = []Reply{{"security-1", 41, "a"}} }, "replies[0].root_id"},
		"something known as a second comment":   {func(w *world) { w.chunk.Candidates[0].Relation, w.chunk.Candidates[0].RootID = "known", ptr(int64(40)) }, "findings[0].placement"},
		"the same said at the same line before": {func(w *world) { w.ctx.History.Threads[0].Digest = "LOST  value"; w.facts = w.ctx }, "comments[0]"},
		"approval of a finding that blocks":     {func(w *world) { w.author.Decision = "APPROVE" }, "decision"},
		"changes asked of oneself":              {func(w *world) { w.ctx.Viewer.IsAuthor = ptr(true); w.facts = w.ctx }, "decision"},
		"changes asked without a reason":        {func(w *world) { w.author.Findings[0].Severity = "nit" }, "decision"},
		"a suggestion that repeats a neighbour": {func(w *world) { w.author.Comments[0].Body = "x\n```suggestion\n\t2c\nthree\n```" }, "comments[0].body"},
		"a suggestion that changes nothing":     {func(w *world) { w.author.Comments[0].Body = "x\n```suggestion\n2b\n```" }, "comments[0].body"},
		"a suggestion in the summary":           {func(w *world) { w.author.Summary = "x\n```suggestion\ny\n```" }, "summary"},
		"a call to a team":                      {func(w *world) { w.author.Summary = "ask @org/team" }, "summary"},
		"a secret":                              {func(w *world) { w.author.Comments[0].Body = "ghp_" + strings.Repeat("a", 36) }, "comments[0].body"},
		"an HTML comment in a body":             {func(w *world) { w.author.Comments[0].Body = "x <!-- approve --> y" }, "comments[0].body"},
		"a source without an address":           {func(w *world) { w.author.Sources = []Source{{"c", nil, "confirmed"}} }, "sources[0].url"},
		"a source that is no link":              {func(w *world) { w.chunk.Sources = []Source{{"c", ptr("http://x"), "refuted"}} }, "sources[0].url"},
		"a line that the file does not have":    {func(w *world) { *w.chunk.Candidates[0].Location.Line = 99 }, "candidates[0].location.line"},
		"a finding in a file that is not there": {func(w *world) {
			w.author.Findings[0].Placement, w.author.Findings[0].Location, w.author.Comments = "summary", Loc{Kind: "file", Path: ptr("b.go")}, nil
		}, "findings[0].location.path"},
		"a risk that blocks posting is lost": {func(w *world) { w.chunk.Risks = []Risk{{ID: "r", BlocksPosting: true}} }, "risks"},
		"a risk that blocks approval is made weaker": {func(w *world) {
			w.chunk.Risks, w.author.Risks = []Risk{{ID: "r", BlocksApproval: true}}, []Risk{{ID: "r"}}
		}, "risks"},
		"guidance that only the change brings": {func(w *world) { w.ctx.Guidance = []Guidance{{"AGENTS.md", w.ctx.Pins.BaseSHA, "n"}} }, "guidance[0].path"},
		"a judgement of another text":          {func(w *world) { w.verify.AuthorSHA256 = "x" }, "author_sha256"},
		"a judgement without all checks":       {func(w *world) { w.verify.Checks = w.verify.Checks[1:] }, "checks"},
		"a pass with an issue":                 {func(w *world) { w.verify.Issues = []Issue{{}} }, "issues"},
	} {
		w := goodWorld()
		c.change(w)
		found := false
		for _, p := range w.problems(t) {
			found = found || strings.HasPrefix(p.Path, c.path)
		}
		if !found {
			t.Errorf("%s: nothing at %s in %v", name, c.path, w.problems(t))
		}
	}
}

func TestApproveNeedsAllThatIsToKnow(t *testing.T) {
	for name, change := range map[string]func(*Context, *Author){
		"a partial history":        func(c *Context, _ *Author) { c.History.Status = "partial" },
		"files that are not known": func(c *Context, _ *Author) { c.Files.Complete = false },
		"a risk":                   func(_ *Context, a *Author) { a.Risks = []Risk{{BlocksApproval: true}} },
		"an unknown viewer":        func(c *Context, _ *Author) { c.Viewer.IsAuthor = nil },
	} {
		w := goodWorld()
		a := Author{Pins: w.ctx.Pins, Decision: "APPROVE", Summary: "Good."}
		if got := CheckAuthor(w.ctx, nil, a); len(got) != 0 {
			t.Fatal(got)
		}
		change(&w.ctx, &a)
		if got := CheckAuthor(w.ctx, nil, a); len(got) != 1 || got[0].Path != "decision" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestASuggestionReplacesOnlyShownLinesOfTheRightSide(t *testing.T) {
	p := parsed(t, twoHunks)
	for name, c := range map[string]struct {
		anchor Anchor
		want   bool
	}{
		"one line": {Anchor{Side: Right, Line: 2}, true}, "a range": {Anchor{Right, 3, Right, 2}, true},
		"the left side": {Anchor{Side: Left, Line: 2}, false}, "from the left side": {Anchor{Right, 3, Left, 2}, false},
		"lines that are not shown": {Anchor{Right, 11, Right, 4}, false},
	} {
		if got := p.CheckSuggestion(c.anchor, []string{"new"}); (got == "") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestHazards(t *testing.T) {
	for _, body := range []string{"a `@team` b", "```\n@team fixes #1\n```", "mail a@b.c", "fixes the bug", "``a ` @b``", "x\tü\n", "```\n<!-- a -->\n```", "a `<!--` b", strings.Repeat("x", 59_999), strings.Repeat("😀", 30_000)} {
		if got := Hazards(body); len(got) != 0 {
			t.Errorf("%q: %v", body, got)
		}
	}
	for _, body := range []string{"@team", "(@a/b)", "Fixes #1", "closes: o/r#2", "resolved https://github.com/o/r/issues/3", "`a` @b `c`", "`open @b", "a\u202eb", "a\x1b[0m", "\\`@a`",
		"AKIAABCDEFGHIJKLMNOP", "-----BEGIN RSA PRIVATE KEY-----", strings.Repeat("😀", 30_001), strings.Repeat("x", 60_001), "a <!-- b -->", "npm_" + strings.Repeat("a1", 18), ""} {
		if len(Hazards(body)) == 0 {
			t.Errorf("%.40q was passed", body)
		}
	}
}

func FuzzHazards(f *testing.F) {
	f.Add("a `b` ``c` @d\n~~~\n@e")
	f.Fuzz(func(t *testing.T, s string) {
		Hazards(s)
		suggestions(s)
		if !strings.Contains(s, "`") && !strings.Contains(s, "~") && prose(s) != s+"\n" {
			t.Fatalf("%q lost something", s)
		}
	})
}
