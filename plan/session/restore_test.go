package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/record"
	"planmode/store"
)

func TestAPlanningSessionComesBackPlanning(t *testing.T) {
	r, ref := submitted(t)
	before := len(r.Items(0))
	r.resume()
	st := r.View().State
	if !st.IsPlanning() || st.Planning == nil || *st.Planning != ref || len(r.Items(0)) < before {
		t.Errorf("state %+v", st)
	}
	if v := r.View().Draft; v == nil || v.Title != "Login" || len(v.Steps) != 2 {
		t.Errorf("summary %+v", v)
	}
	var got tool.Result
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) (err error) {
		got, _, err = call(ctx, h, "bash", map[string]string{"command": "true"})
		return err
	})
	r.say("go on")
	if !got.Error {
		t.Error("bash ran in a resumed planning session")
	}
}

func TestOpenWorkComesBackAndIsHandedOverAgain(t *testing.T) {
	r, ref := approved(t)
	r.resume()
	if w := r.View().State.OpenWork(); w == nil || w.Ref != ref {
		t.Fatalf("state %+v", r.View().State)
	}
	r.say("go on")
	turns := r.agent.told()
	found := 0
	for _, m := range turns[len(turns)-1].Messages {
		if m.Role == agent.RoleHandoff && strings.Contains(m.Text, planText("login")) {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d hand-offs; want the first and one after the resume", found)
	}
	r.say("and on")
	turns = r.agent.told()
	if got := len(turns[len(turns)-1].Messages); got > len(turns[len(turns)-2].Messages)+2 {
		t.Error("the plan was handed over a third time")
	}
}

// logs an approval that was recorded in the manifest only, as a crash between the
// two writes leaves it.
func TestAnApprovalSurvivesACrashBeforeItsEntry(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.decide = func(_ context.Context, c Card) (Verdict, error) {
			_, err := r.store.Decide(c.Ref.Plan, plan.Decision{
				Revision: 1, Kind: plan.DecidedApproved, By: plan.ByUser, At: plan.Stamp(r.clock.Now()), Hash: c.Ref.Hash,
				Session: r.opt.Session, Entry: "0123456789ab", Review: c.Review, Round: 1,
			})
			if err != nil {
				t.Error(err)
			}
			r.mu.Lock()
			r.closing = true // from here on nothing more is recorded, as after a kill
			r.mu.Unlock()
			return Verdict{}, errNoAnswer
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("go")
	if r.View().State.Review == nil {
		t.Fatal("the review was closed")
	}
	r.resume()
	st := r.View().State
	if st.Work == nil || st.Work.Status != plan.Unknown || !st.IsPlanning() || st.Review != nil || st.Planning != nil {
		t.Fatalf("state %+v\n%s", st, r.notices())
	}
	if !strings.Contains(r.notices(), "The approval is kept") {
		t.Errorf("said:\n%s", r.notices())
	}
	entries := len(r.Items(0))
	r.resume()
	if got := len(r.Items(0)); got != entries {
		t.Errorf("the second resume recorded %d more entries", got-entries)
	}
}

func TestACompletionSurvivesACrashBeforeItsEntry(t *testing.T) {
	r, ref := approved(t)
	_, err := r.store.Decide(ref.Plan, plan.Decision{
		Revision: 1, Kind: plan.DecidedCompleted, By: plan.ByUser, At: plan.Stamp(r.clock.Now()), Hash: ref.Hash,
		Session: r.opt.Session, Entry: "0123456789ab",
	})
	if err != nil {
		t.Fatal(err)
	}
	r.resume()
	if st := r.View().State; st.Work.Status != plan.Completed {
		t.Errorf("state %+v\n%s", st, r.notices())
	}
}

func TestASubmissionSurvivesACrashBeforeItsEntry(t *testing.T) {
	for _, first := range []bool{true, false} {
		name := "the second revision"
		if first {
			name = "the first revision"
		}
		t.Run(name, func(t *testing.T) {
			var r *rig
			sub := store.Submission{Title: "Login", Text: []byte(planText("new")), Author: plan.ByAgent, Steps: []string{"a"}}
			want := 1
			if first {
				r = newRig(t)
				r.plan("on")
			} else {
				var ref plan.Ref
				r, ref = submitted(t)
				sub.Plan, sub.BasedOn, want = ref.Plan, 1, 2
			}
			sub.Session, sub.Cwd = r.opt.Session, r.dir
			if _, _, err := r.store.Submit(sub); err != nil {
				t.Fatal(err)
			}
			r.resume()
			st := r.View().State
			if st.Planning == nil || st.Planning.Revision != want || st.Submission == "" {
				t.Errorf("state %+v\n%s", st, r.notices())
			}
		})
	}
}

// interrupted leaves a review open, with a note saved on the way.
func interrupted(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.plan("on")
	r.desk.set(func(d *scriptDesk) {
		d.review = func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			raw := record.Format([]record.Record{{Path: j.Copy, Line: 5, Type: record.Context, Body: "saved on the way"}})
			if err := os.WriteFile(j.Output, raw, 0o600); err != nil {
				t.Error(err)
			}
			r.mu.Lock()
			r.closing = true
			r.mu.Unlock()
			return revdiff.Exit{}, errors.New("killed")
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("go")
	if r.View().State.Review == nil {
		t.Fatal("no review is open")
	}
	r.desk.set(func(d *scriptDesk) { d.review = nil })
	r.resume()
	return r
}

func TestAReviewLeftOpenIsOfferedWithItsNotes(t *testing.T) {
	r := interrupted(t)
	r.desk.set(func(d *scriptDesk) { d.ask = chooseLabel("Send the saved notes to the agent") })
	r.Begin(context.Background(), false)
	settle(t, r.Session)
	turns := r.agent.told()
	last := turns[len(turns)-1].Messages
	m := last[len(last)-1]
	if m.Feedback == nil || !strings.Contains(m.Text, "saved on the way") || r.View().State.Review != nil {
		t.Errorf("the agent was told %+v\n%s", m, r.notices())
	}
}

func TestAReviewLeftOpenCanBeOpenedAgain(t *testing.T) {
	r := interrupted(t)
	var preloaded bool
	r.desk.set(func(d *scriptDesk) {
		d.ask = chooseLabel("Review it again")
		d.review = func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			preloaded = strings.Contains(strings.Join(j.Args, " "), "--annotations=")
			return revdiff.Exit{Started: true}, nil
		}
	})
	r.Begin(context.Background(), false)
	settle(t, r.Session)
	if !preloaded || r.View().State.Review != nil || !r.View().State.IsPlanning() {
		t.Errorf("preloaded %v, state %+v\n%s", preloaded, r.View().State, r.notices())
	}
}

func TestAReviewLeftOpenStaysOpenWhenNobodyAnswers(t *testing.T) {
	r := interrupted(t)
	r.desk.set(func(d *scriptDesk) { d.ask = func(context.Context, Question) (int, error) { return 0, errNoAnswer } })
	r.Begin(context.Background(), false)
	if r.View().State.Review == nil {
		t.Error("the review was closed without an answer")
	}
}

func TestADraftThatCannotBeTrustedIsLetGo(t *testing.T) {
	damage := map[string]func(t *testing.T, path string){
		"its text changed": func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("x\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"its manifest is no JSON": func(t *testing.T, path string) {
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), "..", "manifest.json"), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"its directory is gone": func(t *testing.T, path string) {
			if err := os.RemoveAll(filepath.Dir(filepath.Dir(path))); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, harm := range damage {
		t.Run(name, func(t *testing.T) {
			r, ref := submitted(t)
			harm(t, r.store.RevisionPath(ref))
			r.resume()
			if st := r.View().State; st.Planning != nil || !st.IsPlanning() {
				t.Errorf("state %+v", st)
			}
			if !strings.Contains(r.notices(), "was let go") {
				t.Errorf("said:\n%s", r.notices())
			}
		})
	}
}

func TestApprovedBytesThatChangedAreReportedOnResume(t *testing.T) {
	r, ref := approved(t)
	if err := os.WriteFile(r.store.RevisionPath(ref), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.resume()
	if !strings.Contains(r.notices(), "cannot be trusted") {
		t.Errorf("said:\n%s", r.notices())
	}
}

func TestAnUnfinishedMessageIsRecovered(t *testing.T) {
	r := newRig(t)
	r.say("hello")
	if err := r.opt.Log.SaveStreaming("half an ans"); err != nil {
		t.Fatal(err)
	}
	r.resume()
	items := r.Items(0)
	last, _ := tree.Decode[tree.Assistant](items[len(items)-1])
	if last.Text != "half an ans" || last.Stopped != "interrupted" {
		t.Errorf("last entry %+v", last)
	}
	n := len(items)
	r.resume()
	if len(r.Items(0)) != n {
		t.Error("it was recovered twice")
	}
}

func TestLostLinesTurnTheGateOn(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	path := r.opt.Log.Path()
	r.say("hello")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := strings.Replace(string(b), `"kind":"planning_entered"`, `"kind":"planning_entexxd"`, 1)
	if damaged == string(b) {
		t.Fatal("nothing to damage")
	}
	if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	r.resume()
	if !r.View().State.IsPlanning() || !strings.Contains(r.notices(), "To be safe") {
		t.Errorf("state %+v\n%s", r.View().State, r.notices())
	}
}

func TestOpenWorkWhosePlanIsGoneIsLetGo(t *testing.T) {
	damage := map[string]func(t *testing.T, dir string){
		"missing": func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		},
		"damaged": func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, harm := range damage {
		t.Run(name, func(t *testing.T) {
			r, ref := approved(t)
			harm(t, filepath.Dir(filepath.Dir(r.store.RevisionPath(ref))))
			r.resume()
			if w := r.View().State.OpenWork(); w != nil {
				t.Errorf("work is still open: %+v", w)
			}
			said := r.notices()
			if !strings.Contains(said, `"Login" r1 was let go`) || !strings.Contains(said, string(ref.Plan)) {
				t.Errorf("said:\n%s", said)
			}
			asked := len(r.desk.asked)
			r.plan("on")
			if len(r.desk.asked) != asked || !r.View().State.IsPlanning() {
				t.Errorf("a question about work that is gone: %+v", r.desk.asked)
			}
			r.plan("off")
			entries := len(r.Items(0))
			r.resume()
			if got := len(r.Items(0)); got != entries {
				t.Errorf("the next resume recorded %d more entries:\n%s", got-entries, r.notices())
			}
		})
	}
}
