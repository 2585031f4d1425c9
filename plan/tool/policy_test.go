package tool

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"planmode/plan"
)

// fake is a tool of somebody else, such as a server offers.
type fake struct {
	name   string
	effect Effect
}

func (f fake) Spec() Spec                                          { return Spec{Name: f.name, Effect: f.effect} }
func (f fake) Run(_ context.Context, call Call, _ Progress) Result { return answer(call, "ran") }

func testSet(t *testing.T) *Set {
	t.Helper()
	return New(Options{Dir: t.TempDir(), Env: []string{}, More: []Tool{
		fake{"docs", Reads}, fake{"deploy", Executes}, fake{"rewrite", Mutates}, fake{"silent", 0}, fake{"manage", Managed}, fake{"read", Executes},
	}})
}

var goodArgs = map[string]string{
	"read": `{"path":"a"}`, "grep": `{"pattern":"a"}`, "find": `{"pattern":"a"}`, "ls": `{}`, "bash": `{"command":"true"}`,
	"edit": `{"path":"a","oldText":"b","newText":"c"}`, "write": `{"path":"a","content":"b"}`,
	"submit_plan":   `{"title":"T","markdown":"# T"}`,
	"complete_plan": `{"planId":"20260101T000000-a-00000000","revision":1,"summary":"s","verification":["v"]}`,
}

func callOf(id, name string) Call {
	args := goodArgs[name]
	if args == "" {
		args = "{}"
	}
	return Call{ID: id, Name: name, Args: []byte(args)}
}

func TestPolicyJudgesEveryToolInEveryMode(t *testing.T) {
	set := testSet(t)
	names := []string{"read", "grep", "find", "ls", "bash", "edit", "write", "submit_plan", "complete_plan", "docs", "deploy", "rewrite", "silent", "manage", "stranger", "Read", "read "}
	every := append([]string{"update_plan"}, names...)
	for _, c := range []struct {
		name   string
		policy Policy
		want   string // one letter a tool, in the order of names
	}{
		{"planning denies all that is not named", Policy{Mode: plan.ModePlanning}, "AAAADDDADDDDDDDDD"},
		{"planning, open work changes nothing", Policy{Mode: plan.ModePlanning, OpenWork: true}, "AAAADDDADDDDDDDDD"},
		{"planning, the configuration adds every name there is", Policy{Mode: plan.ModePlanning, OpenWork: true, Extra: every}, "AAAADDDADADDDDDDD"},
		{"planning, everything was granted", Policy{Mode: plan.ModePlanning, Granted: func(string) bool { return true }}, "AAAADDDADDDDDDDDD"},
		{"a mode that nobody knows is planning", Policy{Mode: "resting"}, "AAAADDDADDDDDDDDD"},
		{"normal", Policy{Mode: plan.ModeNormal}, "AAAA???DDA???DDDD"},
		{"no mode is normal", Policy{}, "AAAA???DDA???DDDD"},
		{"normal with open work", Policy{Mode: plan.ModeNormal, OpenWork: true}, "AAAA???DAA???DDDD"},
		{"normal, everything was granted", Policy{Mode: plan.ModeNormal, Granted: func(string) bool { return true }}, "AAAAAAADDA???DDDD"},
		{"normal, the configuration for planning adds nothing", Policy{Mode: plan.ModeNormal, Extra: every}, "AAAA???DDA???DDDD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, name := range names {
				got := c.policy.Check(set, []Call{callOf("1", name)})[0]
				letter := map[Verdict]string{Allow: "A", Ask: "?", Deny: "D"}[got.Verdict]
				if letter != c.want[i:i+1] {
					t.Errorf("%q: %s, want %s", name, letter, c.want[i:i+1])
				}
				if told := got.Message != "" && got.Reason != ""; told != (got.Verdict == Deny) {
					t.Errorf("%q: %s with reason %q and message %q", name, got.Verdict, got.Reason, got.Message)
				}
			}
		})
	}
}

func TestPolicyJudgesBatches(t *testing.T) {
	set := testSet(t)
	planning, normal := Policy{Mode: plan.ModePlanning}, Policy{Mode: plan.ModeNormal, OpenWork: true}
	for _, c := range []struct {
		name    string
		policy  Policy
		batch   []Call
		want    string
		message string
	}{
		{"nothing", planning, nil, "", ""},
		{"several reads", planning, []Call{callOf("1", "read"), callOf("2", "ls")}, "AA", ""},
		{"a denied call does not stop the others", planning, []Call{callOf("1", "bash"), callOf("2", "ls")}, "DA", "read-only"},
		{"a submission with company stops all", planning, []Call{callOf("1", "read"), callOf("2", "submit_plan")}, "DD", "submit_plan must be the only call"},
		{"two submissions", planning, []Call{callOf("1", "submit_plan"), callOf("2", "submit_plan")}, "DD", "only call"},
		{"a submission with an unknown tool", planning, []Call{callOf("1", "submit_plan"), callOf("2", "stranger")}, "DD", "only call"},
		{"a completion with company stops all", normal, []Call{callOf("1", "write"), callOf("2", "complete_plan")}, "DD", "complete_plan must be the only call"},
		{"a managed tool that the mode denies still stops all", planning, []Call{callOf("1", "read"), callOf("2", "complete_plan")}, "DD", "only call"},
		{"an id used twice denies both", planning, []Call{callOf("1", "read"), callOf("1", "ls"), callOf("2", "ls")}, "DDA", "used twice"},
		{"a call without an id", planning, []Call{callOf("", "read")}, "D", "id"},
		{"arguments that are no object", planning, []Call{{ID: "1", Name: "read", Args: []byte(`"a"`)}}, "D", "one JSON object"},
		{"no arguments at all", planning, []Call{{ID: "1", Name: "ls"}}, "D", "one JSON object"},
		{"an unknown argument", normal, []Call{{ID: "1", Name: "bash", Args: []byte(`{"command":"x","sudo":true}`)}}, "D", `"sudo"`},
		{"a tool of somebody else gets strict JSON too", normal, []Call{{ID: "1", Name: "docs", Args: []byte(`{"a":1,"a":2}`)}}, "D", "twice"},
		{"a name with an escape sequence is quoted", normal, []Call{{ID: "1", Name: "\x1b[2J", Args: []byte(`{}`)}}, "D", `"\x1b[2J"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			messages := ""
			for _, j := range c.policy.Check(set, c.batch) {
				got += map[Verdict]string{Allow: "A", Ask: "?", Deny: "D"}[j.Verdict]
				messages += j.Message
			}
			if got != c.want || !strings.Contains(messages, c.message) {
				t.Errorf("got %s: %s", got, messages)
			}
		})
	}
}

func TestWhilePlanningNothingButReadsAndOneSubmissionPasses(t *testing.T) {
	set := testSet(t)
	names := append([]string{"stranger", "", "READ", "submit_plan\x00", "BASH"}, set.order...)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		p := Policy{Mode: plan.ModePlanning, OpenWork: rnd.IntN(2) == 0, Granted: func(string) bool { return true }}
		for range rnd.IntN(6) {
			p.Extra = append(p.Extra, names[rnd.IntN(len(names))])
		}
		batch := make([]Call, 1+rnd.IntN(4))
		for i := range batch {
			batch[i] = callOf(fmt.Sprint(rnd.IntN(5)), names[rnd.IntN(len(names))])
		}
		for i, j := range p.Check(set, batch) {
			if j.Verdict == Deny {
				continue
			}
			tool, ok := set.Find(batch[i].Name)
			if !ok {
				t.Fatalf("an unknown tool passed in %v", batch)
			}
			effect := tool.Spec().Effect
			if effect != Reads && !(batch[i].Name == "submit_plan" && len(batch) == 1) {
				t.Fatalf("%s passed in %v with extra %q", batch[i].Name, batch, p.Extra)
			}
		}
	}
}

func TestSpecsListWhatTheModeAllows(t *testing.T) {
	set := testSet(t)
	for _, c := range []struct {
		name     string
		mode     plan.Mode
		openWork bool
		extra    []string
		want     string
	}{
		{"planning", plan.ModePlanning, true, nil, "read grep find ls web_read submit_plan request_user_input"},
		{"planning with a tool that the person added", plan.ModePlanning, false, []string{"docs", "bash", "nothing"}, "read grep find ls web_read submit_plan request_user_input docs"},
		{"normal", plan.ModeNormal, false, []string{"docs"}, "read grep find ls web_read bash edit write enter_plan_mode update_plan docs deploy rewrite silent"},
		{"normal with open work", plan.ModeNormal, true, nil, "read grep find ls web_read bash edit write complete_plan enter_plan_mode update_plan docs deploy rewrite silent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var names []string
			for _, s := range set.Specs(c.mode, c.openWork, c.extra) {
				names = append(names, s.Name)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("got %s", got)
			}
		})
	}
	if tool, _ := set.Find("read"); tool.Spec().Effect != Reads {
		t.Error("a tool of somebody else replaced one of ours")
	}
	for _, name := range set.order[:12] {
		tool, _ := set.Find(name)
		if s := tool.Spec(); len(s.Description) < 40 || len(s.Schema) == 0 {
			t.Errorf("%s is not described", name)
		}
	}
}

// remote is a tool of an MCP server.
type remote struct{ name string }

func (r remote) Spec() Spec                                          { return Spec{Name: r.name, Effect: Executes, Server: "git"} }
func (r remote) Run(_ context.Context, call Call, _ Progress) Result { return answer(call, "ran") }

func TestAToolOfAServerIsDeniedWhilePlanningUnlessThePersonNamedIt(t *testing.T) {
	set := testSet(t)
	set.SetServers([]Tool{remote{"mcp__git__log"}, remote{"bash"}})
	call := callOf("1", "mcp__git__log")
	for name, c := range map[string]struct {
		policy Policy
		want   Verdict
	}{
		"planning":                       {Policy{Mode: plan.ModePlanning}, Deny},
		"planning, another is named":     {Policy{Mode: plan.ModePlanning, Extra: []string{"mcp__git", "mcp__git__*"}}, Deny},
		"planning, it is named":          {Policy{Mode: plan.ModePlanning, Extra: []string{"mcp__git__log"}}, Ask},
		"normal, it is asked about":      {Policy{Mode: plan.ModeNormal}, Ask},
		"an unknown mode is no exchange": {Policy{Mode: "x"}, Deny},
	} {
		if got := c.policy.Check(set, []Call{call})[0]; got.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Verdict, got.Reason, c.want)
		}
	}
	if got := (Policy{Mode: plan.ModePlanning, Extra: []string{"bash"}}).Check(set, []Call{callOf("1", "bash")})[0]; got.Verdict != Deny {
		t.Error("a server's tool took the place of bash")
	}
	if impl, _ := set.Find("bash"); impl.Spec().Server != "" {
		t.Error("a server replaced a built-in tool")
	}
	set.SetServers(nil)
	if _, ok := set.Find("mcp__git__log"); ok {
		t.Error("the tool is still there without its server")
	}
	if _, ok := set.Find("docs"); !ok {
		t.Error("a tool that is not of a server went with them")
	}
}
