package pull

import (
	"fmt"
	"strings"
)

// MaxQuote is how many lines one piece of evidence may quote.
const MaxQuote = 40

// Material is the pinned commits and the difference between them. An error of Lines
// means that there is no such file in that commit.
type Material interface {
	Lines(path, revision string) ([]string, error)
	Patch(path string) (Patch, bool)
}

// CheckEvidence proves a review against the pinned commits: every quote is there, every
// comment stands in the diff, every suggestion can be applied, and no text does more
// than to say something.
func CheckEvidence(m Material, ctx Context, got Author) []Problem {
	c := &checks{}
	for i, f := range got.Findings {
		c.quotes(m, ctx.Pins, fmt.Sprintf("findings[%d].evidence", i), f.Evidence)
		c.located(m, ctx.Pins, fmt.Sprintf("findings[%d].location", i), f.Location)
	}
	c.body("summary", got.Summary)
	for i, k := range got.Comments {
		at := fmt.Sprintf("comments[%d]", i)
		c.body(at+".body", k.Body)
		c.comment(m, at, k)
		c.repeated(at, ctx, got, k)
	}
	for i, r := range got.Replies {
		at := fmt.Sprintf("replies[%d].body", i)
		c.body(at, r.Body)
		if len(suggestions(r.Body)) > 0 {
			c.add(at, "a reply suggests no change")
		}
	}
	if len(suggestions(got.Summary)) > 0 {
		c.add("summary", "a summary suggests no change")
	}
	return c.problems
}

// CheckQuotes proves what one dimension quotes.
func CheckQuotes(m Material, got Chunk) []Problem {
	c := &checks{}
	for i, k := range got.Candidates {
		c.quotes(m, got.Pins, fmt.Sprintf("candidates[%d].evidence", i), k.Evidence)
		c.located(m, got.Pins, fmt.Sprintf("candidates[%d].location", i), k.Location)
	}
	return c.problems
}

func (c *checks) quotes(m Material, pins Pins, at string, list []Evidence) {
	for i, e := range list {
		at := fmt.Sprintf("%s[%d]", at, i)
		switch {
		case e.Revision != pins.BaseSHA && e.Revision != pins.HeadSHA:
			c.add(at+".revision", "is neither the base nor the head")
			continue
		case e.EndLine < e.StartLine || e.EndLine-e.StartLine >= MaxQuote:
			c.add(at+".end_line", "a quote has 1 to %d lines", MaxQuote)
			continue
		}
		lines, err := m.Lines(e.Path, e.Revision)
		if err != nil || e.EndLine > int64(len(lines)) {
			c.add(at, "%.80q has no lines %d to %d at %.8s", e.Path, e.StartLine, e.EndLine, e.Revision)
			continue
		}
		if want := strings.Join(lines[e.StartLine-1:e.EndLine], "\n"); e.Quote != want {
			c.add(at+".quote", "differs from the file, which has there: %.300q", want)
		}
	}
}

// comment checks that a comment can stand where it is put.
func (c *checks) comment(m Material, at string, k Comment) {
	p, ok := m.Patch(k.Path)
	if !ok || len(p.Hunks) == 0 {
		c.add(at+".path", "%.80q has no diff to comment on", k.Path)
		return
	}
	a := k.anchor()
	if why := p.CheckAnchor(a); why != "" {
		c.add(at+".line", "%s", why)
		return
	}
	for _, s := range suggestions(k.Body) {
		if why := p.CheckSuggestion(a, s); why != "" {
			c.add(at+".body", "%s", why)
		}
	}
}

// repeated says that the viewer has said the same there before.
func (c *checks) repeated(at string, ctx Context, got Author, k Comment) {
	title := ""
	for _, f := range got.Findings {
		if f.ID == k.FindingID {
			title = normal(f.Title)
		}
	}
	for _, t := range ctx.History.Threads {
		if t.Own && t.Path == k.Path && t.Line != nil && *t.Line == k.Line && title != "" && strings.Contains(normal(t.Digest), title) {
			c.add(at, "was said before; answer in discussion %d", t.RootID)
		}
	}
}

func normal(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// suggestions are the lines of each suggestion in a body.
func suggestions(body string) [][]string {
	var out [][]string
	var open string
	var lines []string
	mine := false
	for line := range strings.SplitSeq(body, "\n") {
		fence, info := fenceOf(line)
		switch {
		case open == "" && fence != "":
			open, lines, mine = fence, nil, strings.HasPrefix(info, "suggestion")
		case open != "" && fence != "" && fence[0] == open[0] && len(fence) >= len(open) && info == "":
			if mine {
				out = append(out, lines)
			}
			open = ""
		case open != "":
			lines = append(lines, strings.TrimSuffix(line, "\r"))
		}
	}
	if open != "" && mine {
		out = append(out, lines)
	}
	return out
}

// fenceOf gives the fence at the beginning of a line, and what follows it.
func fenceOf(line string) (fence, info string) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 || len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return "", ""
	}
	rest := strings.TrimLeft(s, s[:1])
	if fence = s[:len(s)-len(rest)]; len(fence) < 3 || fence[0] == '`' && strings.Contains(rest, "`") {
		return "", ""
	}
	return fence, strings.TrimSpace(rest)
}

// CheckSuggestion says why lines cannot take the place of those of an anchor; empty if
// they can.
func (p Patch) CheckSuggestion(a Anchor, lines []string) string {
	first := a.Line
	if a.StartLine != 0 {
		first = a.StartLine
	}
	if a.Side != Right || a.StartLine != 0 && a.StartSide != Right {
		return "a suggestion replaces lines of the right side only"
	}
	in, before, after := p.around(first, a.Line)
	switch {
	case int64(len(in)) != a.Line-first+1:
		return "a suggestion replaces lines that the diff does not show"
	case len(lines) == len(in) && strings.Join(lines, "\n") == strings.Join(in, "\n"):
		return "a suggestion changes nothing"
	case len(lines) == 0:
		return ""
	case before != nil && doubles(*before, lines[0], in[0]):
		return "a suggestion repeats the line above it"
	case after != nil && doubles(*after, lines[len(lines)-1], in[len(in)-1]):
		return "a suggestion repeats the line below it"
	}
	return ""
}

// doubles says that a new line is a copy of its neighbour where the old one was none.
// Lines without a word, as closing braces, may well repeat.
func doubles(neighbour, fresh, old string) bool {
	worded := strings.ContainsFunc(fresh, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f })
	return worded && neighbour == fresh && old != fresh
}
