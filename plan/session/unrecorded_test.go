package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/brief"
)

// dying is a review that ends with a decision of which planmode does not hear.
func dying(t *testing.T, body string, change func(*Verdict)) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
	return func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		if _, err := inside(t, body, change)(ctx, j); err != nil {
			return revdiff.Exit{}, err
		}
		return revdiff.Exit{}, errNoAnswer
	}
}

func TestADecisionThatWasNotRecordedIsToldAndAskedForAgain(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		change func(*Verdict)
		row    string
		card   brief.Typed
	}{
		"an approval":                    {"", answers(RowApprove), "Approve Plan", brief.Typed{}},
		"an approval with notes":         {"", func(v *Verdict) { v.Row, v.Text = RowApprove, "mind the cache" }, "Approve Plan", brief.Typed{Notes: "mind the cache"}},
		"changes in words, and a note":   {"why?", func(v *Verdict) { v.Row, v.Text = RowRequestChanges, "shorter" }, "Request changes", brief.Typed{Changes: "shorter"}},
		"leaving with a note left aside": {"why?", answers(RowLeave), "Leave Plan Mode", brief.Typed{}},
	} {
		t.Run(name, func(t *testing.T) {
			r := submitUnder(t, dying(t, c.body, c.change), row(RowCancel))
			if r.View().State.Review == nil {
				t.Fatalf("no review is open\n%s", r.notices())
			}
			r.resume()
			r.Begin(context.Background(), false)
			settle(t, r.Session)
			never(t, r)
			if q := r.desk.asked; len(q) != 1 || !strings.Contains(q[0].Body, `"`+c.row+`"`) || strings.Contains(q[0].Body, "1 saved note") != (c.body != "") {
				t.Fatalf("asked %+v", q)
			}
			if !strings.Contains(r.notices(), `You had chosen "`+c.row+`" for r1`) {
				t.Errorf("said\n%s", r.notices())
			}
			notes := 0
			var draft brief.Draft
			r.desk.set(func(d *scriptDesk) {
				d.review = func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
					if paths, _ := filepath.Glob(filepath.Join(j.History, "autosave-*.json")); len(paths) == 1 {
						raw, _ := os.ReadFile(paths[0])
						draft, _ = brief.ParseDraft(raw)
						notes = len(draft.Notes)
					} else if c.body != "" && strings.Contains(strings.Join(j.Args, " "), "--annotations") {
						notes = 1
					}
					return clean(ctx, j)
				}
			})
			r.plan("review")
			if draft.Card != c.card || (notes == 1) != (c.body != "") {
				t.Errorf("the next review goes on with %+v and %d notes", draft, notes)
			}
		})
	}
}

func TestNotesThatAreFoundTwiceAreRecordedOnce(t *testing.T) {
	r := submitUnder(t, noting(1, "why?"), row(RowKeep))
	a := r.batches(plan.Ref{Plan: r.View().State.Planning.Plan, Revision: 1, Hash: r.View().State.Planning.Hash})
	sh := &showing{id: a[0].Review, ref: a[0].Ref, round: a[0].Round, result: revdiff.Result{Notes: a[0].Items}}
	if err := r.keepNotes(sh); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindAnnotations {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d batches", n)
	}
}
