package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/brief"
)

// briefOf reads what a job tells the built-in reviewer.
func briefOf(t *testing.T, j *revdiff.Job) brief.Brief {
	t.Helper()
	for _, arg := range j.Args {
		if path, ok := strings.CutPrefix(arg, "--brief="); ok {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b, err := brief.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	t.Fatalf("no brief in %q", j.Args)
	return brief.Brief{}
}

// outcome writes how the built-in reviewer ends.
func outcome(t *testing.T, j *revdiff.Job, change func(*brief.Outcome)) {
	t.Helper()
	b := briefOf(t, j)
	o := brief.Outcome{Version: brief.Version, Review: b.Review, Hash: b.Ref.Hash}
	if change != nil {
		change(&o)
	}
	raw, err := json.Marshal(o)
	if err == nil {
		err = os.WriteFile(j.Outcome, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// drafting writes what the built-in reviewer had saved when it was killed.
func drafting(t *testing.T, j *revdiff.Job, text string, d brief.Draft) {
	t.Helper()
	sum := sha256.Sum256([]byte(text))
	d.Version, d.New = brief.DraftVersion, hex.EncodeToString(sum[:])
	raw, err := json.Marshal(d)
	if err == nil {
		err = os.WriteFile(filepath.Join(j.History, brief.DraftName(d.New)), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// jobs keeps every job that a review was asked for.
func jobs(review func(context.Context, *revdiff.Job) (revdiff.Exit, error)) (*[]brief.Brief, func(*testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error)) {
	var all []brief.Brief
	return &all, func(t *testing.T) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
		return func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			all = append(all, briefOf(t, j))
			return review(ctx, j)
		}
	}
}

func TestTheComparisonIsWithWhatThePersonLookedAtLast(t *testing.T) {
	seen, review := jobs(noting(1, "what about batches?"))
	r := submitUnder(t, review(t), row(RowKeep))
	id := r.View().State.Planning.Plan

	// r2 is never looked at: its review fails.
	r.desk.set(func(d *scriptDesk) {
		d.review = func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
			return revdiff.Exit{Err: os.ErrNotExist}, nil
		}
	})
	r.agent.then(submitting(id, "Login", planText("second")+"\n## "+document.AnswersHeading("en")+"\n\n1. In tens.\n"))
	r.say("go on")
	_, review2 := jobs(clean)
	r.desk.set(func(d *scriptDesk) { d.review = review2(t) })
	r.agent.then(submitting(id, "Login", planText("third")))
	var args []string
	var b brief.Brief
	r.desk.set(func(d *scriptDesk) {
		d.review = func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			args, b = j.Args, briefOf(t, j)
			return clean(ctx, j)
		}
	})
	r.say("once more")
	if !strings.Contains(strings.Join(args, " "), "plan-r1.md") || b.Base != 1 {
		t.Errorf("r3 is compared by %q", args)
	}
	if len(b.Revisions) != 3 || !b.Revisions[0].Looked || b.Revisions[1].Looked || b.Revisions[2].Looked {
		t.Errorf("revisions %+v", b.Revisions)
	}
	if len(b.Earlier) != 1 || b.Earlier[0].Note.Body != "what about batches?" || !b.Earlier[0].Sent || b.Earlier[0].Answer != "In tens." {
		t.Errorf("earlier notes %+v", b.Earlier)
	}
	if len((*seen)[0].Earlier) != 0 || (*seen)[0].Base != 0 {
		t.Errorf("the first review was told %+v", (*seen)[0])
	}
}

func TestSettledNotesStaySettled(t *testing.T) {
	r := submitUnder(t, noting(1, "why?"), row(RowKeep))
	id := r.View().State.Planning.Plan
	var second, third brief.Brief
	r.desk.set(func(d *scriptDesk) {
		d.review = func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			second = briefOf(t, j)
			outcome(t, j, func(o *brief.Outcome) { o.Marks = []brief.Mark{{ID: second.Earlier[0].ID, Settled: true}} })
			return clean(ctx, j)
		}
	})
	r.agent.then(submitting(id, "Login", planText("second")))
	r.say("go on")
	r.resume()
	r.desk.set(func(d *scriptDesk) {
		d.review = func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			third = briefOf(t, j)
			return clean(ctx, j)
		}
	})
	r.agent.then(submitting(id, "Login", planText("third")))
	r.say("once more")
	if len(third.Earlier) != 1 || !third.Earlier[0].Settled || second.Earlier[0].Settled {
		t.Errorf("second %+v, third %+v", second.Earlier, third.Earlier)
	}
}

func TestWhatWasHalfTypedIsGivenToTheNextReview(t *testing.T) {
	draft := brief.Draft{
		Key:   "plan-r1.md",
		Notes: []brief.Note{{Annotation: plan.Annotation{Line: 3, Body: "whole"}, Type: " "}},
		Typed: []brief.Note{{Annotation: plan.Annotation{Line: 5, Body: "hal"}, Type: " "}},
	}
	killed := func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		drafting(t, j, planText("login"), draft)
		if err := os.WriteFile(j.Edit, []byte("my own text\n"), 0o600); err != nil {
			return revdiff.Exit{}, err
		}
		return revdiff.Exit{Started: true, Code: -1, Signal: "SIGKILL"}, nil
	}
	r := submitUnder(t, killed, row(RowKeep))
	never(t, r)
	var got brief.Draft
	var edit string
	look := func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		paths, _ := filepath.Glob(filepath.Join(j.History, "autosave-*.json"))
		if len(paths) == 1 {
			raw, _ := os.ReadFile(paths[0])
			got, _ = brief.ParseDraft(raw)
			_ = os.Remove(paths[0])
		}
		raw, _ := os.ReadFile(j.Edit)
		edit = string(raw)
		_ = os.Remove(j.Edit)
		return clean(ctx, j)
	}
	r.resume()
	r.desk.set(func(d *scriptDesk) { d.review = look })
	r.plan("review")
	if len(got.Notes) != 1 || len(got.Typed) != 1 || got.Typed[0].Body != "hal" || edit != "my own text\n" {
		t.Fatalf("the next review goes on with %+v and %q", got, edit)
	}
	got, edit = brief.Draft{}, ""
	r.plan("review")
	if len(got.Notes)+len(got.Typed) != 0 || edit != "" {
		t.Errorf("after a clean end there is still %+v and %q", got, edit)
	}
}

func TestAnOutcomeThatCannotBeIsNotUsed(t *testing.T) {
	for name, change := range map[string]func(*brief.Outcome){
		"another review": func(o *brief.Outcome) { o.Review = "x" },
		"other bytes":    func(o *brief.Outcome) { o.Hash = plan.HashOf([]byte("x")) },
		"another format": func(o *brief.Outcome) { o.Version = 99 },
	} {
		t.Run(name, func(t *testing.T) {
			odd := func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
				outcome(t, j, func(o *brief.Outcome) {
					b := briefOf(t, j)
					v, _ := json.Marshal(Verdict{Review: b.Review, Hash: b.Ref.Hash, Row: RowApprove})
					o.Verdict = v
					change(o)
				})
				return clean(ctx, j)
			}
			r := submitUnder(t, odd, row(RowCancel))
			never(t, r)
			if cards := r.desk.shown(); len(cards) != 1 || !strings.Contains(cards[0].Outcome, "contradicts") {
				t.Errorf("cards %+v", cards)
			}
		})
	}
}

func TestMarksAreKeptInTheLog(t *testing.T) {
	e, err := tree.New("0123456789ab", "", plan.Time{}, tree.KindNoteMarks, tree.NoteMarks{Review: "r", Marks: []tree.NoteMark{{ID: "r-0", Settled: true}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := tree.Decode[tree.NoteMarks](e)
	if err != nil || len(got.Marks) != 1 || got.Marks[0].ID != "r-0" || !got.Marks[0].Settled {
		t.Errorf("read back as %+v, %v", got, err)
	}
}

func TestNotesOfAnotherSessionAreRememberedToo(t *testing.T) {
	a := submitUnder(t, noting(1, "what about batches?"), row(RowKeep))
	ref := *a.View().State.Planning
	a.agent.then(submitting(ref.Plan, "Login", planText("second")))
	said := func(_ context.Context, c Card) (Verdict, error) {
		return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: RowRequestChanges, Text: "shorter"}, nil
	}
	a.desk.set(func(d *scriptDesk) { d.review, d.decide = clean, said })
	a.say("go on")
	b := elsewhere(t, a)
	var told brief.Brief
	b.desk.set(func(d *scriptDesk) {
		d.confirm = yes
		d.review = func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			told = briefOf(t, j)
			return clean(ctx, j)
		}
	})
	if err := b.Adopt(context.Background(), ref.Plan); err != nil {
		t.Fatal(err)
	}
	b.agent.then(submitting(ref.Plan, "Login", planText("third")+"\n## "+document.AnswersHeading("en")+"\n\n1. It is.\n"))
	b.say("revise")
	if len(told.Earlier) != 2 {
		t.Fatalf("earlier notes %+v\n%s", told.Earlier, b.notices())
	}
	first, second := told.Earlier[0], told.Earlier[1]
	if first.Note.Body != "what about batches?" || first.Note.Quote == "" || first.Revision != 1 || !first.Sent {
		t.Errorf("the note of r1 is %+v", first)
	}
	if second.Note.Body != "shorter" || second.Note.Line != 0 || second.Revision != 2 || second.Answer != "It is." {
		t.Errorf("what was said about r2 is %+v", second)
	}
}
