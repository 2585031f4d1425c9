package session

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"planmode/plan/agent"
	"planmode/plan/tree"
)

// summarizer is a scripted agent that can also summarise.
type summarizer struct {
	*scriptAgent
	do func(ctx context.Context, messages []agent.Message, focus string) (string, error)
}

func (a summarizer) Summarize(ctx context.Context, m []agent.Message, focus string) (string, error) {
	return a.do(ctx, m, focus)
}

func (r *rig) compacted(focus string) {
	r.t.Helper()
	if err := r.Compact(context.Background(), focus); err != nil {
		r.t.Fatal(err)
	}
}

// toldTexts joins what the last turn was told.
func toldTexts(r *rig) string {
	turns := r.agent.told()
	var b strings.Builder
	for _, m := range turns[len(turns)-1].Messages {
		b.WriteString(string(m.Role) + ": " + m.Text + "\n")
	}
	return b.String()
}

func TestACompactionTellsTheRequestTheSummaryAndThePlans(t *testing.T) {
	r, ref := submitted(t)
	r.desk.set(func(d *scriptDesk) { d.review = noting(3, "say which login") })
	r.agent.turns = nil
	r.plan("review") // its notes start a turn, which does nothing
	before := r.View().State
	r.compacted("")
	if after := r.View().State; !reflect.DeepEqual(before, after) {
		t.Errorf("state before %+v, after %+v", before, after)
	}
	r.say("and now?")
	told := toldTexts(r)
	for _, want := range []string{
		"user: plan the login\n", "summary: This comes from planmode", "say which login", string(ref.Hash),
		planText("login"), "user: and now?\n",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("not told: %q\n%s", want, told)
		}
	}
	if n := strings.Count(told, "user: plan the login"); n != 1 {
		t.Errorf("the request is told %d times", n)
	}
	r.resume()
	r.say("still?")
	if !strings.Contains(toldTexts(r), "summary: ") {
		t.Error("a resume forgot the summary")
	}
}

func TestApprovedWorkIsHandedOverAgainAfterACompaction(t *testing.T) {
	r, ref := approved(t)
	r.say("go on")
	r.compacted("")
	r.say("go on")
	turns := r.agent.told()
	last := turns[len(turns)-1]
	handed := 0
	for _, m := range last.Messages {
		if m.Role == agent.RoleHandoff && m.Plan != nil && *m.Plan == ref && strings.Contains(m.Text, planText("login")) {
			handed++
		}
	}
	if handed != 1 || last.Work == nil || *last.Work != ref {
		t.Errorf("handed over %d times, work %v\n%s", handed, last.Work, toldTexts(r))
	}
}

func TestAModelWritesTheSummaryWhereItCan(t *testing.T) {
	r := newRig(t)
	r.say("one")
	var focus string
	r.opt.Agent = summarizer{r.agent, func(_ context.Context, m []agent.Message, f string) (string, error) {
		focus = f
		return "in short: " + m[0].Text, nil
	}}
	r.compacted("keep the names")
	c, err := tree.Decode[tree.Compaction](entryOf(t, r.Session, tree.KindCompaction))
	if err != nil || focus != "keep the names" || c.Summary != "in short: one" || c.By != "script" || c.Covers != 2 {
		t.Errorf("focus %q, %+v %v", focus, c, err)
	}
}

func TestAFailedCompactionLeavesNoTrace(t *testing.T) {
	for name, do := range map[string]func(context.Context, []agent.Message, string) (string, error){
		"the model fails":         func(context.Context, []agent.Message, string) (string, error) { return "", errors.New("overloaded") },
		"the summary is empty":    func(context.Context, []agent.Message, string) (string, error) { return " \n", nil },
		"the person interrupts":   nil,
		"nothing was said so far": func(context.Context, []agent.Message, string) (string, error) { return "x", nil },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			if name != "nothing was said so far" {
				r.say("one")
			}
			before := messages(r.Items(0), blind)
			if do == nil {
				do = func(ctx context.Context, _ []agent.Message, _ string) (string, error) {
					r.Interrupt()
					<-ctx.Done()
					return "", ctx.Err()
				}
			}
			r.opt.Agent = summarizer{r.agent, do}
			r.compacted("")
			all, _ := r.Tree()
			for _, e := range all {
				if e.Kind == tree.KindCompaction {
					t.Error("a compaction was recorded")
				}
			}
			if after := messages(r.Items(0), blind); !reflect.DeepEqual(before, after) {
				t.Errorf("the conversation changed: %v, %v", before, after)
			}
			if r.notices() == "" || r.View().Running {
				t.Errorf("said %q, running %v", r.notices(), r.View().Running)
			}
		})
	}
}

func TestANearlyFullContextIsShortenedBeforeTheNextTurn(t *testing.T) {
	for _, tc := range []struct {
		name   string
		used   int
		auto   bool
		shrunk bool
	}{
		{"at the limit", 85, true, true},
		{"below it", 84, true, false},
		{"turned off", 99, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.opt.Config.Compaction.Auto = tc.auto
			r.agent.then(func(_ context.Context, _ agent.Turn, h agent.Host) error {
				h.Emit(agent.Usage{ContextTokens: tc.used, Window: 100})
				h.Emit(agent.TextDelta{Text: "a long answer"})
				return nil
			})
			r.say("one")
			r.say("two")
			told := toldTexts(r)
			if strings.Contains(told, "summary: ") != tc.shrunk || !strings.HasSuffix(told, "user: two\n") {
				t.Errorf("told:\n%s", told)
			}
			if tc.shrunk && strings.Contains(told, "assistant: ") {
				t.Errorf("the old answer is still told:\n%s", told)
			}
			if share := r.View().Context; tc.shrunk && share >= fullAt {
				t.Errorf("%d%% of the context in use", share)
			}
		})
	}
}

func TestACleanContextTellsOnlyWhatFollows(t *testing.T) {
	r := newRig(t)
	r.say("one")
	if err := r.cleanContext(); err != nil {
		t.Fatal(err)
	}
	r.say("two")
	if told := toldTexts(r); told != "user: two\n" {
		t.Errorf("told:\n%s", told)
	}
	r.compacted("")
	r.say("three")
	told := toldTexts(r)
	if strings.Contains(told, "user: one") || !strings.Contains(told, "user: two\nsummary: ") {
		t.Errorf("told after a summary:\n%s", told)
	}
}

func TestGoingBackBeforeACompactionTellsAllAgain(t *testing.T) {
	r := newRig(t)
	r.say("one")
	answer := entryOf(t, r.Session, tree.KindAssistant).ID
	r.compacted("")
	r.move(answer)
	r.say("two")
	if told := toldTexts(r); strings.Contains(told, "summary: ") || !strings.Contains(told, "assistant: ") {
		t.Errorf("told:\n%s", told)
	}
}

func TestADraftThatChangedOnDiskIsNotToldAsItself(t *testing.T) {
	r, ref := submitted(t)
	path := r.store.RevisionPath(ref)
	if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, []byte("tampered text"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if told := r.plansTold(r.Items(0)); strings.Contains(told, "tampered text") || !strings.Contains(told, "cannot be trusted") {
		t.Errorf("told:\n%s", told)
	}
}
