package session

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/revdiff"
	"planmode/revdiff/brief"
	"planmode/revdiff/record"
)

// inside is a review that ends with a decision, and with a note if body is not
// empty.
func inside(t *testing.T, body string, change func(*Verdict)) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
	return func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		outcome(t, j, func(o *brief.Outcome) {
			v := Verdict{Review: o.Review, Hash: o.Hash, Row: RowKeep}
			change(&v)
			raw, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			o.Verdict = raw
		})
		if body == "" {
			return revdiff.Exit{Started: true}, nil
		}
		raw := record.Format([]record.Record{{Path: j.Copy, Line: 1, Type: record.Context, Body: body}})
		return revdiff.Exit{Started: true, Code: 10}, os.WriteFile(j.Output, raw, 0o600)
	}
}

func answers(r Row) func(*Verdict) { return func(v *Verdict) { v.Row = r } }

func TestADecisionInTheReviewerCountsAsOneOnTheCard(t *testing.T) {
	cases := []struct {
		name   string
		body   string
		change func(*Verdict)
		want   tool.DetailKind
	}{
		{"keep", "", answers(RowKeep), tool.DetailKeepPlanning},
		{"cancel", "", answers(RowCancel), tool.DetailCancelled},
		{"leave", "", answers(RowLeave), tool.DetailLeft},
		{"changes in words", "", func(v *Verdict) { v.Row, v.Text = RowRequestChanges, "shorter" }, tool.DetailChangesRequested},
		{"changes with notes", "why?", answers(RowRequestChanges), tool.DetailChangesRequested},
		{"keep with notes", "why?", answers(RowKeep), tool.DetailKeepPlanning},
		{"an approval that forgets the notes", "why?", answers(RowApprove), tool.DetailKeepPlanning},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := submitUnder(t, inside(t, c.body, c.change), row(RowApprove))
			if cards := r.desk.shown(); len(cards) != 0 {
				t.Errorf("the card was shown again: %+v", cards)
			}
			never(t, r)
			all := r.results()
			if len(all) == 0 || all[0].Kind != c.want {
				t.Errorf("results %+v\n%s", all, r.notices())
			}
		})
	}
}

func TestAnApprovalInTheReviewer(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		pending Pending
		told    bool
	}{
		"without notes":           {"", "", false},
		"with the notes along":    {"mind the cache", PendingSend, true},
		"with the notes left out": {"mind the cache", PendingDiscard, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := submitUnder(t, inside(t, c.body, func(v *Verdict) { v.Row, v.Pending = RowApprove, c.pending }), row(RowCancel))
			w := r.View().State.Work
			if w == nil || len(r.desk.shown()) != 0 {
				t.Fatalf("state %+v\n%s", r.View().State, r.notices())
			}
			m, err := r.store.Manifest(w.Ref.Plan)
			if err != nil {
				t.Fatal(err)
			}
			a := m.Approval(1)
			if a == nil || a.Hash != w.Ref.Hash || a.By != plan.ByUser || a.Reviewer != revdiff.BuiltinName || strings.Contains(a.Notes, "mind the cache") != c.told {
				t.Errorf("the approval is %+v", a)
			}
			turns := r.agent.told()
			handoff := ""
			for _, msg := range turns[len(turns)-1].Messages {
				handoff += msg.Text
			}
			if strings.Contains(handoff, "mind the cache") != c.told {
				t.Errorf("the agent was told %q", handoff)
			}
			if left := r.unsent(w.Ref); len(left) != 0 {
				t.Errorf("notes that come up again: %+v", left)
			}
		})
	}
}

func TestAnOddDecisionInTheReviewerLeadsToTheCard(t *testing.T) {
	cases := map[string]struct {
		review func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error)
	}{
		"about other bytes": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return inside(t, "", func(v *Verdict) { v.Row, v.Hash = RowApprove, plan.HashOf([]byte("x")) })
		}},
		"of another review": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return inside(t, "", func(v *Verdict) { v.Row, v.Review = RowApprove, "x" })
		}},
		"with a row that is none": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return inside(t, "", answers("approve_all"))
		}},
		"to use edits that are not there": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return inside(t, "", answers(RowUseEdits))
		}},
		"of a reviewer that was killed then": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
				_, err := inside(t, "", answers(RowApprove))(ctx, j)
				return revdiff.Exit{Started: true, Code: -1, Signal: "SIGKILL"}, err
			}
		}},
		"of a reviewer that failed": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
				_, err := inside(t, "", answers(RowApprove))(ctx, j)
				return revdiff.Exit{Started: true, Code: 10}, err
			}
		}},
		"half a file": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
				return revdiff.Exit{Started: true}, os.WriteFile(j.Outcome, []byte(`{"version":1,`), 0o600)
			}
		}},
		"a link in its place": {func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
				if _, err := inside(t, "", answers(RowApprove))(ctx, j); err != nil {
					return revdiff.Exit{}, err
				}
				if err := os.Rename(j.Outcome, j.Outcome+".real"); err != nil {
					return revdiff.Exit{}, err
				}
				return revdiff.Exit{Started: true}, os.Symlink(j.Outcome+".real", j.Outcome)
			}
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := submitUnder(t, c.review(t), row(RowCancel))
			never(t, r)
			if cards := r.desk.shown(); len(cards) != 1 {
				t.Errorf("%d cards\n%s", len(cards), r.notices())
			}
		})
	}
}
