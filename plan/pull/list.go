package pull

import "strings"

// ListedFinding is a finding as a program reads it: with its place, what it rests on,
// and the words that are or would be posted.
type ListedFinding struct {
	ID         string     `json:"id"`
	Severity   string     `json:"severity"`
	Confidence string     `json:"confidence"`
	Title      string     `json:"title"`
	Placement  string     `json:"placement"`
	Path       *string    `json:"path"`
	Side       *string    `json:"side"`
	StartLine  *int64     `json:"start_line"`
	Line       *int64     `json:"line"`
	RootID     *int64     `json:"root_id"`
	Evidence   []Evidence `json:"evidence"`
	Scenario   string     `json:"scenario"`
	Impact     string     `json:"impact"`
	Fix        string     `json:"fix"`
	Body       *string    `json:"body"`       // of its comment or reply
	Suggestion *string    `json:"suggestion"` // the lines that take the place of those of the comment
}

// List gives the findings of a review in its order. What looks like a secret is left out.
func List(a Author) []ListedFinding {
	out := make([]ListedFinding, 0, len(a.Findings))
	for _, f := range a.Findings {
		l := ListedFinding{ID: f.ID, Severity: f.Severity, Confidence: f.Confidence, Title: Mask(f.Title), Placement: f.Placement,
			Path: f.Location.Path, Side: f.Location.Side, StartLine: f.Location.StartLine, Line: f.Location.Line, RootID: f.RootID,
			Evidence: []Evidence{}, Scenario: Mask(f.Scenario), Impact: Mask(f.Impact), Fix: Mask(f.Fix)}
		for _, e := range f.Evidence {
			e.Quote = Mask(e.Quote)
			l.Evidence = append(l.Evidence, e)
		}
		for _, m := range a.Comments {
			if m.FindingID == f.ID {
				l.Body = &m.Body
				if s := suggestions(m.Body); len(s) > 0 {
					joined := strings.Join(s[0], "\n")
					l.Suggestion = &joined
				}
			}
		}
		for _, r := range a.Replies {
			if r.FindingID == f.ID {
				l.Body = &r.Body
			}
		}
		out = append(out, l)
	}
	return out
}
