package tool

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"planmode/plan"
)

// talker notes what reaches the session.
type talker struct{ asked []string }

func (k *talker) note(call Call) Result {
	k.asked = append(k.asked, call.Name)
	return answer(call, "reached")
}

func (k *talker) AskPerson(_ context.Context, c Call, _ QuestionArgs) Result        { return k.note(c) }
func (k *talker) ProposePlanning(_ context.Context, c Call, _ EnterArgs) Result     { return k.note(c) }
func (k *talker) UpdateChecklist(_ context.Context, c Call, _ ChecklistArgs) Result { return k.note(c) }

func TestTheLimitsOfQuestionsAndChecklists(t *testing.T) {
	option := func(labels ...string) string {
		var out []string
		for _, l := range labels {
			out = append(out, fmt.Sprintf(`{"label":%q}`, l))
		}
		return strings.Join(out, ",")
	}
	question := func(text, options string) string { return fmt.Sprintf(`{"question":%q,"options":[%s]}`, text, options) }
	asks := func(questions ...string) string { return `{"questions":[` + strings.Join(questions, ",") + `]}` }
	ab := option("a", "b")
	for _, c := range []struct{ name, tool, args, fault string }{
		{"one question with two answers", AskName, asks(question("Where?", ab)), ""},
		{"four questions with four answers", AskName, asks(question("1", option("a", "b", "c", "d")), question("2", ab), question("3", ab), question("4", ab)), ""},
		{"no question", AskName, asks(), `"questions" must not be empty`},
		{"five questions", AskName, asks(question("1", ab), question("2", ab), question("3", ab), question("4", ab), question("5", ab)), "at most 4"},
		{"one answer", AskName, asks(question("1", option("a"))), `"questions[0].options" must be at least 2`},
		{"five answers", AskName, asks(question("1", option("a", "b", "c", "d", "e"))), "at most 4"},
		{"no answers at all", AskName, `{"questions":[{"question":"1"}]}`, `"questions[0].options" is missing`},
		{"the same question twice", AskName, asks(question("Where?", ab), question(" where? ", ab)), `"questions[1].question" asks the same`},
		{"the same answer twice", AskName, asks(question("1", option("A", " a"))), `"questions[0].options[1].label" is the same`},
		{"a blank question", AskName, asks(question("  ", ab)), `"questions[0].question" is blank`},
		{"a blank answer", AskName, asks(question("1", option("a", " "))), `"questions[0].options[1].label" is blank`},
		{"a question of two lines", AskName, asks(question("a\nb", ab)), "one plain line"},
		{"an escape sequence in an answer", AskName, asks(question("1", `{"label":"a\u001b[2J"},{"label":"b"}`)), "one plain line"},
		{"a header of 12 characters", AskName, `{"questions":[{"header":"十二个字十二个字十二个字","question":"1","options":[` + ab + `]}]}`, ""},
		{"a header of 13 characters", AskName, `{"questions":[{"header":"1234567890123","question":"1","options":[` + ab + `]}]}`, "at most 12"},
		{"two recommended answers", AskName, asks(question("1", `{"label":"a","recommended":true},{"label":"b","recommended":true}`)), "recommend one at most"},
		{"an unknown field of an answer", AskName, asks(question("1", `{"label":"a","id":1},{"label":"b"}`)), "unknown argument"},
		{"a checklist", ChecklistName, `{"plan":[{"step":"a","status":"completed"},{"step":"b","status":"in_progress"}]}`, ""},
		{"an empty checklist", ChecklistName, `{"plan":[]}`, `"plan" must not be empty`},
		{"a status that is none", ChecklistName, `{"plan":[{"step":"a","status":"done"}]}`, `"plan[0].status" must be one of pending, in_progress, completed`},
		{"a step without status", ChecklistName, `{"plan":[{"step":"a"}]}`, `"plan[0].status" is missing`},
		{"two steps at once", ChecklistName, `{"plan":[{"step":"a","status":"in_progress"},{"step":"b","status":"in_progress"}]}`, "at most one"},
		{"a blank step", ChecklistName, `{"plan":[{"step":" ","status":"pending"}]}`, `"plan[0].step" is blank`},
		{"a proposal without a reason", EnterName, `{}`, ""},
		{"a proposal with a reason", EnterName, `{"reason":"large"}`, ""},
		{"a proposal with anything else", EnterName, `{"planId":"x"}`, "unknown argument"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &talker{}
			set := New(Options{Dir: t.TempDir(), Talker: k})
			mode := plan.ModeNormal
			if c.tool == AskName {
				mode = plan.ModePlanning
			}
			call := Call{ID: "1", Name: c.tool, Args: []byte(c.args)}
			j := Policy{Mode: mode}.Check(set, []Call{call})[0]
			tool, _ := set.Find(c.tool)
			r := tool.Run(t.Context(), call, nil)
			if c.fault == "" && (j.Verdict != Allow || len(k.asked) != 1 || r.Error) {
				t.Errorf("judged %+v, result %+v", j, r)
			}
			if c.fault != "" && (j.Verdict != Deny || !strings.Contains(j.Message, c.fault) || !strings.Contains(r.Text, c.fault) || len(k.asked) != 0) {
				t.Errorf("judged %+v, result %+v", j, r)
			}
		})
	}
}

// The modes decide about these tools, whatever the permission mode is and whatever
// the person's configuration adds.
func TestTheModeDecidesAboutTalking(t *testing.T) {
	set := New(Options{Dir: t.TempDir(), Talker: &talker{}})
	for _, permission := range append([]plan.Permission{""}, plan.Permissions...) {
		for mode, want := range map[plan.Mode]string{
			plan.ModeNormal: "enter_plan_mode update_plan", plan.ModePlanning: "request_user_input", "odd": "request_user_input",
		} {
			p := Policy{Mode: mode, Permission: permission, Extra: []string{AskName, EnterName, ChecklistName}}
			var allowed []string
			for _, c := range []Call{
				{ID: "1", Name: EnterName, Args: []byte(`{}`)},
				{ID: "1", Name: AskName, Args: []byte(`{"questions":[{"question":"1","options":[{"label":"a"},{"label":"b"}]}]}`)},
				{ID: "1", Name: ChecklistName, Args: []byte(`{"plan":[{"step":"a","status":"pending"}]}`)},
			} {
				switch j := p.Check(set, []Call{c})[0]; {
				case j.Verdict == Allow:
					allowed = append(allowed, c.Name)
				case j.Verdict != Deny || j.Reason == "" || j.Message == "":
					t.Errorf("%s in %s: %+v", c.Name, mode, j)
				}
			}
			if got := strings.Join(allowed, " "); got != want {
				t.Errorf("%s, %q: %s", mode, permission, got)
			}
		}
	}
}

func TestWithoutAPersonNothingIsAsked(t *testing.T) {
	set := New(Options{Dir: t.TempDir()})
	for name, raw := range map[string]string{
		AskName:       `{"questions":[{"question":"1","options":[{"label":"a"},{"label":"b"}]}]}`,
		EnterName:     `{}`,
		ChecklistName: `{"plan":[{"step":"a","status":"pending"}]}`,
	} {
		tool, _ := set.Find(name)
		if r := tool.Run(t.Context(), Call{ID: "1", Name: name, Args: []byte(raw)}, nil); !r.Error || !strings.Contains(r.Text, "Do not call it again") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
