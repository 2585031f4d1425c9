package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"planmode/plan/agent/demo"
	"planmode/plan/pull"
)

func TestWhatTheViewerSaidBeforeIsNotSaidTwice(t *testing.T) {
	line := func(n int64) *int64 { return &n }
	thread := func(own, outdated bool, at *int64) pull.Context {
		return pull.Context{History: pull.History{Threads: []pull.Thread{{RootID: 7, Path: "a.go", Line: at, Own: own, Outdated: outdated}}}}
	}
	said := []pull.Exchange{{RootID: 7, Words: []string{"**The lock is never released.** Long.", "Still so."}}}
	comment := pull.Author{Findings: []pull.Finding{{ID: "a-1", Title: "The lock is never released"}},
		Comments: []pull.Comment{{FindingID: "a-1", Path: "a.go", Side: "RIGHT", Line: 3, Body: "b"}}}
	other := comment
	other.Findings = []pull.Finding{{ID: "a-1", Title: "An error is thrown away"}}
	reply := func(body string) pull.Author {
		return pull.Author{Replies: []pull.Reply{{FindingID: "a-1", RootID: 7, Body: body}}}
	}
	for name, c := range map[string]struct {
		ctx    pull.Context
		review pull.Author
		bad    bool
	}{
		"at the same line":                            {thread(true, false, line(3)), other, true},
		"at another line under the same title":        {thread(true, false, line(40)), comment, true},
		"at a line that is gone under the same title": {thread(true, true, nil), comment, true},
		"something else at another line":              {thread(true, false, line(40)), other, false},
		"what somebody else said":                     {thread(false, false, line(3)), comment, false},
		"an answer with the same words":               {thread(true, false, line(3)), reply("still so"), true},
		"an answer with other words":                  {thread(true, false, line(3)), reply("still so, now twice"), false},
	} {
		if got := repeated(c.ctx, said, c.review); len(got) > 0 != c.bad {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// reader is a hub that holds what a test says.
type reader struct {
	got  Collected
	live func(n int) (Live, error)
	file func(path, revision string) ([]byte, error)
	n    int
}

func (r *reader) Collect(context.Context, pull.Ref, time.Time) (Collected, error) { return r.got, nil }
func (r *reader) Live(context.Context, pull.Ref) (Live, error) {
	r.n++
	if r.live != nil {
		return r.live(r.n)
	}
	p := r.got.Context.Pins
	return Live{State: r.got.Context.PR.State, Base: p.Base, BaseSHA: p.BaseSHA, HeadSHA: p.HeadSHA}, nil
}
func (r *reader) File(_ context.Context, _ pull.Ref, path, revision string) ([]byte, error) {
	if r.file == nil {
		return nil, errors.New("no network in this test")
	}
	return r.file(path, revision)
}

var somePull = pull.Ref{Owner: "o", Repo: "r", Number: 1}

// collected is the change of the repository as a pull request would give it.
func collected(t *testing.T, w *Workspace) Collected {
	t.Helper()
	r, err := w.Range(t.Context(), "main..topic")
	if err != nil {
		t.Fatal(err)
	}
	c, description, err := r.Facts(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	me, own := "me", false
	c.PR.URL, c.PR.Owner, c.PR.Repo, c.PR.Number, c.PR.Author = somePull.URL(), "o", "r", 1, &me
	c.Viewer, c.History.Status, c.History.Reason = pull.Viewer{Login: &me, IsAuthor: &own}, "complete", nil
	got := Collected{Context: c, Description: description, Patches: map[string]string{}}
	for _, f := range c.Files.Items {
		if got.Patches[f.Path], err = r.Patch(t.Context(), f.Path); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

func reviewedPull(t *testing.T, dir string, hub *reader) pull.Block {
	t.Helper()
	w := open(t, dir)
	if hub.got.Context.Schema == "" {
		hub.got = collected(t, w)
	}
	return Review(t.Context(), Options{Workspace: w, Source: w.Pull(somePull, hub), Output: "r.md", Focus: "full", Agent: demo.New(demo.Options{}), Now: time.Now})
}

func TestAPullRequestIsReviewedFromTheCommitsThatAreHere(t *testing.T) {
	if b := reviewedPull(t, hostile(t), &reader{}); b.Review != pull.DraftSaved || b.Comments != 1 {
		t.Errorf("%+v", b)
	}
}

func TestAPullRequestIsReviewedOverTheNetworkWhenItsCommitsAreNotHere(t *testing.T) {
	origin := hostile(t)
	from := open(t, origin)
	r, err := from.Range(t.Context(), "main..topic")
	if err != nil {
		t.Fatal(err)
	}
	hub := &reader{got: collected(t, from), file: func(path, revision string) ([]byte, error) { return r.File(t.Context(), path, revision) }}
	if b := reviewedPull(t, newRepo(t, true), hub); b.Review != pull.DraftSaved || b.Comments != 1 {
		t.Errorf("%+v", b)
	}
}

func TestAReviewThatIsDoneAgainAnswersItsOwnRemark(t *testing.T) {
	dir := hostile(t)
	first := collected(t, open(t, dir))
	own, at, side := "me", int64(3), "RIGHT"
	first.Context.History.Threads = []pull.Thread{{RootID: 9, CommentIDs: []int64{9}, Author: &own, Path: "a.go", Line: &at, Side: &side, OriginalLine: &at,
		Subject: "line", Resolution: "open", Own: true, Digest: "d"}}
	first.Discussions = []pull.Exchange{{RootID: 9, Words: []string{"Work is left open in a comment. Nobody is told."}}}
	b := reviewedPull(t, dir, &reader{got: first})
	if b.Review != pull.DraftSaved || b.Comments != 0 || b.Replies != 1 {
		t.Fatalf("the second time: %+v", b)
	}
	text := readFile(t, dir, "r.md")
	if !strings.Contains(text, "This is still so.") {
		t.Errorf("no reply in\n%s", text)
	}
	runGit(t, dir, "clean", "-qf", "r.md")
	first.Discussions[0].Words = append(first.Discussions[0].Words, "This is still so. Work is left open in a comment. Nobody is told that this part is not finished. Finish it, or say in the description what is left.")
	if b := reviewedPull(t, dir, &reader{got: first}); b.Review != pull.DraftSaved || b.Comments+b.Replies != 0 || b.Findings != 1 {
		t.Errorf("the third time: %+v", b)
	}
}

func TestAPullRequestThatMovesOnVoidsTheReview(t *testing.T) {
	for name, change := range map[string]func(*Live) error{
		"a push":                   func(l *Live) error { l.HeadSHA = strings.Repeat("a", 40); return nil },
		"another base":             func(l *Live) error { l.Base = "next"; return nil },
		"a base that moved on":     func(l *Live) error { l.BaseSHA = strings.Repeat("a", 40); return nil },
		"a merge":                  func(l *Live) error { l.State = "merged"; return nil },
		"a look that did not work": func(*Live) error { return errors.New("no answer") },
	} {
		dir := hostile(t)
		hub := &reader{}
		hub.live = func(n int) (Live, error) {
			p := hub.got.Context.Pins
			l := Live{State: "open", Base: p.Base, BaseSHA: p.BaseSHA, HeadSHA: p.HeadSHA}
			if n < 2 {
				return l, nil
			}
			err := change(&l)
			return l, err
		}
		if b := reviewedPull(t, dir, hub); b.Review != pull.WantsContext || b.ReviewFile != "" {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestAPullRequestUnderAnotherNameIsNotReviewed(t *testing.T) {
	dir := hostile(t)
	got := collected(t, open(t, dir))
	got.Context.PR.Repo = "renamed"
	if b := reviewedPull(t, dir, &reader{got: got}); b.Review != pull.ReviewError || !strings.Contains(b.Reason, "renamed") {
		t.Errorf("%+v", b)
	}
}
