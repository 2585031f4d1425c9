package pull

import (
	"fmt"
	"slices"
	"strings"

	"planmode/plan/text"
)

// Drafted is what a review file is made of. Receipts is nil as long as nothing was sent;
// Undecided says that it may be sent yet.
type Drafted struct {
	RunID     string
	Context   Context
	Chunks    []Chunk
	Author    Author
	Verify    Verify
	Warnings  []string
	Receipts  *Receipts
	Undecided bool
}

// severities, the worst first.
var severities = []string{"blocking", "important", "nit", "suggestion"}

// sheet is a review file that is being written.
type sheet struct {
	strings.Builder
	d Drafted
}

func (s *sheet) put(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// Draft is the review as a file for people: first what a reader needs to decide, then
// every text exactly as it would be posted, then what the review rests on. The same
// payloads give the same bytes. What looks like a secret is left out.
func Draft(d Drafted) []byte {
	s := &sheet{d: d}
	s.head()
	s.put("## Summary\n\n%s\n", block("markdown", d.Author.Summary))
	s.findings()
	s.candidates()
	s.coverage()
	s.basis()
	s.posting()
	return []byte(secrets.ReplaceAllString(s.String(), masked))
}

func (s *sheet) head() {
	c, a := s.d.Context, s.d.Author
	name := fmt.Sprintf("%s/%s#%d", c.PR.Owner, c.PR.Repo, c.PR.Number)
	if strings.HasPrefix(c.PR.URL, "local:") {
		name = strings.TrimPrefix(c.PR.URL, "local:")
	}
	s.put("# Review of %s\n\n", inline(name))
	if c.PR.Title != "" {
		s.put("**%s**\n\n", strings.ReplaceAll(inline(c.PR.Title), "*", "\\*"))
	}
	s.put("**%s**: %s\n\n", a.Decision, s.tally())
	if strings.HasPrefix(c.PR.URL, "https://") {
		s.put("- Pull request: %s (%s)\n", text.Line(c.PR.URL), s.state())
	}
	s.put("- Head `%.12s` against %s; they parted at `%.12s`\n", c.Pins.HeadSHA, codeSpan(c.Pins.Base), c.Pins.BaseSHA)
	s.put("- Read: %s\n", s.reach())
	s.put("- Run %s, revision %d of the review\n\n", s.d.RunID, a.Revision)
}

// state is what the pull request was when it was looked at.
func (s *sheet) state() string {
	words := []string{s.d.Context.PR.State}
	for _, w := range []struct {
		is   bool
		word string
	}{{s.d.Context.PR.Draft, "a draft"}, {s.d.Context.PR.Locked, "locked"}, {s.d.Context.PR.CrossRepo, "from a fork"}} {
		if w.is {
			words = append(words, w.word)
		}
	}
	if a := s.d.Context.PR.Author; a != nil {
		words = append(words, "by "+inline(*a))
	}
	return strings.Join(words, ", ")
}

// tally counts the findings by their severity.
func (s *sheet) tally() string {
	if len(s.d.Author.Findings) == 0 {
		return "no findings"
	}
	var out []string
	for _, name := range severities {
		n := 0
		for _, f := range s.d.Author.Findings {
			if f.Severity == name {
				n++
			}
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, name))
		}
	}
	return strings.Join(out, ", ")
}

// findings shows the worst first, and in the order of the review among equals.
func (s *sheet) findings() {
	a := s.d.Author
	s.put("## Findings\n\n")
	if len(a.Findings) == 0 {
		s.put("None.\n\n")
	}
	list := slices.Clone(a.Findings)
	slices.SortStableFunc(list, func(x, y Finding) int {
		return slices.Index(severities, x.Severity) - slices.Index(severities, y.Severity)
	})
	for i, f := range list {
		s.put("### %d. %s: %s\n\n", i+1, f.Severity, inline(f.Title))
		s.put("%s · confidence %s · %s\n\n", place(f.Location), f.Confidence, text.Line(f.ID))
		s.put("- When: %s\n- What follows: %s\n- Fix: %s\n\n", inline(f.Scenario), inline(f.Impact), inline(f.Fix))
		for _, e := range f.Evidence {
			s.put("%s, %s at `%.12s`:\n\n%s\n", codeSpan(e.Path), lines(e.StartLine, e.EndLine), e.Revision, block(languageOf(e.Path), Mask(e.Quote)))
		}
		s.words(f)
	}
}

// words is what a finding says on GitHub, byte for byte.
func (s *sheet) words(f Finding) {
	for _, m := range s.d.Author.Comments {
		if m.FindingID == f.ID {
			s.put("Comment at %s:\n\n%s\n", place(f.Location), block("markdown", m.Body))
		}
	}
	for _, r := range s.d.Author.Replies {
		if r.FindingID == f.ID {
			s.put("Reply in %s:\n\n%s\n", s.thread(r.RootID), block("markdown", r.Body))
		}
	}
	switch f.Placement {
	case "summary":
		s.put("This has no line in the diff to stand at; it is told in the summary.\n\n")
	case "unknown":
		s.put("Its place is not known, so the review cannot be posted.\n\n")
	}
}

// RootURL is the address of a discussion.
func RootURL(r Ref, root int64) string { return fmt.Sprintf("%s#discussion_r%d", r.URL(), root) }

func (s *sheet) thread(root int64) string {
	pr := s.d.Context.PR
	return "the discussion " + RootURL(Ref{Owner: pr.Owner, Repo: pr.Repo, Number: int(pr.Number)}, root)
}

func place(l Loc) string {
	switch {
	case l.Path == nil && l.Why != nil:
		return "place unknown: " + inline(*l.Why)
	case l.Path == nil:
		return "place unknown"
	case l.Line == nil:
		return codeSpan(*l.Path)
	}
	out := codeSpan(*l.Path) + ", "
	if l.StartLine != nil {
		out += lines(*l.StartLine, *l.Line)
	} else {
		out += lines(*l.Line, *l.Line)
	}
	if l.Side != nil && *l.Side == Left {
		out += " of the base"
	}
	return out
}

func lines(first, last int64) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}
