package run

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"planmode/plan/pull"
)

// Bounds of what roles are told of the discussions.
const (
	maxWord  = 8 << 10 // of one remark
	maxWords = 256 << 10
)

// minTitle is how many letters a title has at least before it alone tells that a remark
// was made before.
const minTitle = 12

// discussing is a source that knows what was said.
type discussing interface{ Discussions() []pull.Exchange }

// discussions is what was said so far, cut to what a role can read.
func (e *engine) discussions() []pull.Exchange {
	d, ok := e.Source.(discussing)
	if !ok {
		return nil
	}
	var out []pull.Exchange
	left := maxWords
	for _, x := range d.Discussions() {
		var words []string
		for _, w := range x.Words {
			if len(w) > maxWord {
				w = strings.ToValidUTF8(w[:maxWord], "") + " [cut]"
			}
			if left -= len(w); left < 0 {
				w = "[left out]"
			}
			words = append(words, w)
		}
		out = append(out, pull.Exchange{RootID: x.RootID, Words: words})
	}
	return out
}

// repeated finds in a review what the same viewer said before: at the same place, or in
// the same file under the same title. That is answered there and not begun again, and
// not answered with words that stand there already.
func repeated(ctx pull.Context, said []pull.Exchange, a pull.Author) []pull.Problem {
	words := map[int64][]string{}
	for _, x := range said {
		words[x.RootID] = x.Words
	}
	var out []pull.Problem
	for i, c := range a.Comments {
		for _, t := range ctx.History.Threads {
			if t.Own && t.Path == c.Path && (standsAt(t, c) || entitled(words[t.RootID], titleOf(a, c.FindingID))) {
				out = append(out, pull.Problem{Path: fmt.Sprintf("comments[%d]", i), Text: fmt.Sprintf("the viewer said this before in discussion %d: place it there as a reply, or in the summary", t.RootID)})
				break
			}
		}
	}
	for i, r := range a.Replies {
		if slices.ContainsFunc(words[r.RootID], func(w string) bool { return plain(w) == plain(r.Body) }) {
			out = append(out, pull.Problem{Path: fmt.Sprintf("replies[%d].body", i), Text: "stands in this discussion already: say what is new, or place the finding in the summary"})
		}
	}
	return out
}

func titleOf(a pull.Author, id string) string {
	for _, f := range a.Findings {
		if f.ID == id {
			return f.Title
		}
	}
	return ""
}

// entitled says that the first remark of a discussion holds a title.
func entitled(words []string, title string) bool {
	title = plain(title)
	return len(words) > 0 && len(title) >= minTitle && strings.Contains(plain(words[0]), title)
}

// plain is a text in small letters and digits, so that a change of marks is none.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// standsAt says that a discussion is at the line of a comment still.
func standsAt(t pull.Thread, c pull.Comment) bool {
	return !t.Outdated && t.Line != nil && *t.Line == c.Line && (t.Side == nil || *t.Side == c.Side)
}
