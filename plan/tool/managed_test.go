package tool

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"planmode/plan"
)

// planner notes what reaches the session.
type planner struct {
	submitted []SubmitArgs
	completed []CompleteArgs
}

func (p *planner) SubmitPlan(_ context.Context, call Call, a SubmitArgs) Result {
	p.submitted = append(p.submitted, a)
	return answer(call, "submitted")
}

func (p *planner) CompletePlan(_ context.Context, call Call, a CompleteArgs) Result {
	p.completed = append(p.completed, a)
	return answer(call, "completed")
}

const someID = "20260102T030405-some-plan-0a1b2c3d"

func managed(t *testing.T, p Planner, name string, a args) (Result, PlanDetails) {
	t.Helper()
	tool, _ := New(Options{Dir: t.TempDir(), Planner: p}).Find(name)
	r := tool.Run(t.Context(), Call{ID: "1", Name: name, Args: Marshal(a)}, nil)
	var d PlanDetails
	if r.Details != nil {
		if err := json.Unmarshal(r.Details, &d); err != nil {
			t.Fatal(err)
		}
	}
	if r.Stop {
		t.Error("a result of the tool itself ended the turn")
	}
	return r, d
}

func TestSubmitPlanChecksInOrder(t *testing.T) {
	room := strings.Repeat("x", plan.MaxPlanBytes-1)
	for _, c := range []struct {
		name string
		args args
		kind DetailKind // "" when it reaches the session
		text string
	}{
		{"a new plan", args{"title": "T", "markdown": "# a\n"}, "", "submitted"},
		{"a revision", args{"title": "T", "markdown": "# a", "planId": someID}, "", "submitted"},
		{"a title of 160 characters", args{"title": strings.Repeat("题", 160), "markdown": "a"}, "", "submitted"},
		{"the longest plan, without its newline", args{"title": "T", "markdown": room}, "", "submitted"},
		{"the longest plan, with its newline", args{"title": "T", "markdown": room + "\n"}, "", "submitted"},
		{"one byte too long, without its newline", args{"title": "T", "markdown": room + "x"}, DetailInvalid, "262145 bytes long; at most 262144"},
		{"one byte too long", args{"title": "T", "markdown": room + "x\n"}, DetailInvalid, "at most 262144"},
		{"a blank title", args{"title": " \t", "markdown": "a"}, DetailInvalid, "title is empty"},
		{"a long title", args{"title": strings.Repeat("题", 161), "markdown": "a"}, DetailInvalid, "161 characters"},
		{"a title of two lines", args{"title": "a\nb", "markdown": "a"}, DetailInvalid, "line break"},
		{"a title with an escape sequence", args{"title": "a\x1b[2Jb", "markdown": "a"}, DetailInvalid, "control character"},
		{"no text", args{"title": "T", "markdown": ""}, DetailInvalid, "plan is empty"},
		{"a blank text", args{"title": "T", "markdown": " \n\t\n"}, DetailInvalid, "plan is empty"},
		{"an id that is none", args{"title": "T", "markdown": "a", "planId": "../x"}, DetailInvalidPlanID, "not a plan id"},
		{"the text is checked before the id", args{"title": "", "markdown": "a", "planId": "../x"}, DetailInvalid, "title is empty"},
		{"an unknown argument", args{"title": "T", "markdown": "a", "status": "approved"}, DetailInvalid, "unknown argument"},
		{"a single approach", args{"title": "T", "markdown": "a", "options": []args{{"label": "Patch"}}}, "", "submitted"},
		{"no approaches in the list", args{"title": "T", "markdown": "a", "options": []args{}}, DetailInvalid, `"options" must not be empty`},
		{"four approaches", args{"title": "T", "markdown": "a", "options": []args{{"label": "a"}, {"label": "b"}, {"label": "c"}, {"label": "d"}}}, DetailInvalid, `"options" must be at most 3`},
		{"an approach called like a decision", args{"title": "T", "markdown": "a", "options": []args{{"label": " Reject "}}}, DetailInvalid, "reserved"},
		{"an approach with an unknown field", args{"title": "T", "markdown": "a", "options": []args{{"label": "a", "id": 1}}}, DetailInvalid, `unknown argument "options[0].id"`},
		{"the plan as an argument of that name", args{"title": "T", "plan": "a"}, DetailInvalid, `"markdown" is missing`},
		{"no title at all", args{"markdown": "a"}, DetailInvalid, `"title" is missing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &planner{}
			r, d := managed(t, p, "submit_plan", c.args)
			if d.Kind != c.kind || r.Error != (c.kind != "") || !strings.Contains(r.Text, c.text) {
				t.Errorf("got %q, %+v", r.Text, d)
			}
			if (len(p.submitted) == 1) != (c.kind == "") {
				t.Errorf("the session saw %d submissions", len(p.submitted))
			}
		})
	}
	p := &planner{}
	managed(t, p, "submit_plan", args{"title": "  T  ", "markdown": "# a"})
	if got := p.submitted[0]; !reflect.DeepEqual(got, SubmitArgs{Title: "T", Markdown: "# a\n"}) {
		t.Errorf("the session got %+v", got)
	}
	if r, d := managed(t, nil, "submit_plan", args{"title": "T", "markdown": "a"}); d.Kind != DetailUnavailable || !r.Error {
		t.Errorf("without a session: %+v", d)
	}
}

func TestCompletePlanChecksItsArguments(t *testing.T) {
	with := func(key string, value any) args {
		a := args{"planId": someID, "revision": 1, "summary": "done", "verification": []string{"go test"}}
		if value == nil {
			delete(a, key)
		} else {
			a[key] = value
		}
		return a
	}
	long := func(n int) string { return strings.Repeat("字", n) }
	for _, c := range []struct {
		name string
		args args
		kind DetailKind
		text string
	}{
		{"all there", with("revision", 2), "", "completed"},
		{"the longest of each", args{"planId": someID, "revision": 1, "summary": long(2000), "verification": slicesOf(20, long(500))}, "", "completed"},
		{"an id that is none", with("planId", "latest"), DetailInvalidPlanID, "not a plan id"},
		{"revision zero", with("revision", 0), DetailInvalid, "count from 1"},
		{"a revision as text", with("revision", "1"), DetailInvalid, "whole number"},
		{"a blank summary", with("summary", "  "), DetailInvalid, "summary is empty"},
		{"a long summary", with("summary", long(2001)), DetailInvalid, "2001 characters"},
		{"no verification", with("verification", nil), DetailInvalid, "missing"},
		{"an empty verification", with("verification", []string{}), DetailInvalid, "at least one check"},
		{"only blank items", with("verification", []string{" ", "\t"}), DetailInvalid, "at least one check"},
		{"too many items", with("verification", slicesOf(21, "x")), DetailInvalid, "21 items"},
		{"a long item", with("verification", []string{"x", long(501)}), DetailInvalid, "item 2 is 501"},
		{"a verification that is no list", with("verification", "go test"), DetailInvalid, "list of strings"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &planner{}
			r, d := managed(t, p, "complete_plan", c.args)
			if d.Kind != c.kind || r.Error != (c.kind != "") || !strings.Contains(r.Text, c.text) || (len(p.completed) == 1) != (c.kind == "") {
				t.Errorf("got %q, %+v", r.Text, d)
			}
		})
	}
	p := &planner{}
	managed(t, p, "complete_plan", args{"planId": someID, "revision": 3, "summary": " s ", "verification": []string{" a ", "", "b"}})
	if got := p.completed[0]; got.Summary != "s" || got.Revision != 3 || strings.Join(got.Verification, "|") != "a|b" {
		t.Errorf("the session got %+v", got)
	}
}

func slicesOf(n int, s string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}
