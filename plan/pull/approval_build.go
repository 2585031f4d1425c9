package pull

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// RunInfo is what an approval takes from the run and not from a role.
type RunInfo struct {
	RunID, APIBase string
}

// Refusal is a reason why a review cannot be posted at all.
type Refusal string

// Accepted is the payloads that passed, as they were read.
type Accepted struct {
	Context, Author, Verify Payload
}

// BuildApproval makes the document of what would be posted. With any refusal there is
// nothing to approve; every reason is given, not only the first.
func BuildApproval(run RunInfo, got Accepted) (Approval, []Refusal) {
	c, a, v := got.Context.Context, got.Author.Author, got.Verify.Verify
	if c == nil || a == nil || v == nil || got.Verify.Status != Pass {
		return Approval{}, []Refusal{"there is no verified review"}
	}
	out := Approval{
		APIBase: run.APIBase, RunID: run.RunID, Owner: c.PR.Owner, Repo: c.PR.Repo, Number: c.PR.Number,
		Base: a.Pins.Base, BaseSHA: a.Pins.BaseSHA, HeadSHA: a.Pins.HeadSHA,
		AuthorSHA256: got.Author.SHA256, VerifySHA256: got.Verify.SHA256, Event: a.Decision, Body: a.Summary,
	}
	if c.Viewer.Login != nil {
		out.Actor = *c.Viewer.Login
	}
	for _, m := range a.Comments {
		out.Comments = append(out.Comments, PostComment{Path: m.Path, Anchor: m.anchor(), Body: m.Body})
	}
	for _, r := range a.Replies {
		out.Replies = append(out.Replies, PostReply{RootID: r.RootID, Body: r.Body})
	}
	refusals := slices.Concat(refuseState(c), refuseBasis(got, out), refuseBodies(out))
	if len(refusals) > 0 {
		return Approval{}, refusals
	}
	return out, nil
}

func (m Comment) anchor() Anchor {
	a := Anchor{Side: m.Side, Line: m.Line}
	if m.StartLine != nil {
		a.StartLine = *m.StartLine
	}
	if m.StartSide != nil {
		a.StartSide = *m.StartSide
	}
	return a
}

func refuseState(c *Context) (out []Refusal) {
	if c.PR.State != "open" {
		out = append(out, Refusal("the pull request is "+c.PR.State))
	}
	if c.History.Status != "complete" {
		out = append(out, Refusal("what was said before is known only in part: "+c.History.Status))
	}
	if c.Viewer.Login == nil {
		out = append(out, "it is not known as whom the review would be posted")
	}
	return out
}

func refuseBasis(got Accepted, out Approval) (refusals []Refusal) {
	add := func(format string, args ...any) { refusals = append(refusals, Refusal(fmt.Sprintf(format, args...))) }
	c, a, v := got.Context.Context, got.Author.Author, got.Verify.Verify
	if v.AuthorSHA256 != got.Author.SHA256 || v.Revision != a.Revision || v.Decision != a.Decision {
		add("what was verified is another review")
	}
	if a.Pins != c.Pins || v.Pins != c.Pins {
		add("the parts of the review rest on different commits")
	}
	if !v.PublicationReady {
		add("the verifier does not call the review ready to be posted")
	}
	own := c.Viewer.IsAuthor
	if out.Event != "COMMENT" && (own == nil || *own) {
		add("%s needs an author other than the one who posts", out.Event)
	}
	if out.Event == "APPROVE" && !c.Files.Complete {
		add("not every changed file is known, so nothing can be approved")
	}
	for _, r := range slices.Concat(c.Risks, a.Risks) {
		if r.BlocksPosting {
			add("a risk forbids it: %.200s", r.Text)
		} else if r.BlocksApproval && out.Event == "APPROVE" {
			add("a risk forbids an approval: %.200s", r.Text)
		}
	}
	for _, f := range a.Findings {
		if f.Placement == "unknown" || f.Location.Kind == "unknown" && f.Placement == "inline" {
			add("the place of finding %.60s is unknown", f.ID)
		}
	}
	for _, r := range out.Replies {
		if !slices.ContainsFunc(c.History.Threads, func(t Thread) bool { return t.RootID == r.RootID }) {
			add("discussion %d is none that was collected", r.RootID)
		}
	}
	return refusals
}

func refuseBodies(a Approval) (out []Refusal) {
	check := func(name, body string) {
		if why := tooLong(body); why != "" {
			out = append(out, Refusal(name+" "+why))
		}
	}
	check("the summary", a.Body)
	for i, c := range a.Comments {
		check(fmt.Sprintf("comment %d", i+1), c.Body)
	}
	for i, r := range a.Replies {
		check(fmt.Sprintf("reply %d", i+1), r.Body)
	}
	return out
}

// tooLong counts characters as both sides may count them, and never cuts.
func tooLong(body string) string {
	n, units := utf8.RuneCountInString(body), 0
	for _, r := range body {
		units++
		if r > 0xffff {
			units++
		}
	}
	switch {
	case body == "":
		return "is empty"
	case max(n, units) > MaxBody:
		return fmt.Sprintf("has %d characters, more than %d", max(n, units), MaxBody)
	}
	return ""
}
