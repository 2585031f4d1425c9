package session

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/document"
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

func TestAnEditInTheReviewerIsTheNextRevision(t *testing.T) {
	mine := strings.Replace(planText("login"), "2. Test login", "2. Test login twice", 1)
	var second brief.Brief
	var args, preload string
	reviews := 0
	review := func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		if reviews++; reviews == 1 {
			exit, err := inside(t, "why?", answers(RowUseEdits))(ctx, j)
			if err == nil {
				err = os.WriteFile(j.Edit, []byte(mine), 0o600)
			}
			return exit, err
		}
		second, args = briefOf(t, j), strings.Join(j.Args, " ")
		for _, a := range j.Args {
			if path, ok := strings.CutPrefix(a, "--annotations="); ok {
				raw, _ := os.ReadFile(path)
				preload = string(raw)
			}
		}
		return inside(t, "", answers(RowApprove))(ctx, j)
	}
	r := submitUnder(t, review, row(RowCancel))
	w := r.View().State.Work
	if w == nil || w.Ref.Revision != 2 || len(r.desk.shown()) != 0 {
		t.Fatalf("state %+v\n%s", r.View().State, r.notices())
	}
	m, err := r.store.Manifest(w.Ref.Plan)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := r.store.Revision(w.Ref)
	if m.Revisions[1].Author != plan.ByUser || m.Revisions[1].BasedOn != 1 || string(text) != mine {
		t.Errorf("r2 is %+v", m.Revisions[1])
	}
	if second.Base != 1 || !strings.Contains(args, "--compare-old=") || !strings.Contains(preload, "why?") {
		t.Errorf("r2 was shown by %s with %q", args, preload)
	}
	if draft, _ := r.store.ReviewDraft(plan.Ref{Plan: w.Ref.Plan, Revision: 1}, "edit.md"); draft != nil {
		t.Errorf("the draft is still there: %q", draft)
	}
}

func TestAnEditThatCannotBeARevisionIsKept(t *testing.T) {
	review := func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		exit, err := inside(t, "", answers(RowUseEdits))(ctx, j)
		if err == nil {
			err = os.WriteFile(j.Edit, []byte("# Plan\x1b[31m\n"), 0o600)
		}
		return exit, err
	}
	r := submitUnder(t, review, row(RowApprove))
	never(t, r)
	ref := *r.View().State.Planning
	if draft, _ := r.store.ReviewDraft(ref, "edit.md"); !strings.Contains(string(draft), "Plan") {
		t.Errorf("the draft is %q\n%s", draft, r.notices())
	}
	if !strings.Contains(r.notices(), "They are kept") {
		t.Errorf("the person is told\n%s", r.notices())
	}
}

func TestNotesGoAlongWithAnEdit(t *testing.T) {
	was := planText("login")
	anchored := func(line int, body string) plan.Annotation {
		return document.Anchor(document.Parse([]byte(was)), plan.Annotation{Line: line, Body: body})
	}
	got := movedAlong([]plan.Annotation{anchored(5, "five"), anchored(1, "one"), {Body: "all"}}, []byte("# Other\n\n## Goal\n\nNew.\n\nAbout login.\n"))
	if len(got) != 2 || got[0].Body != "five\n\none" || got[0].Line != 7 || got[1].Line != 0 || got[1].Body != "all" {
		t.Errorf("notes %+v", got)
	}
}
