package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
)

// page is a tool that only reads and yet asks, as one that reads the web.
type page struct{ fake }

func (p page) Spec() Spec { return Spec{Name: p.name, Effect: Reads, Asks: true} }

func (p page) Scope(Call) (string, error) { return p.name + ":host", nil }

// The matrix: what every tool may do in every permission mode, planning and not.
func TestEveryToolInEveryPermissionModeAndPlanMode(t *testing.T) {
	dir := t.TempDir()
	set := New(Options{Dir: dir, Env: []string{}, Private: []string{filepath.Join(dir, "own")}, More: []Tool{
		fake{"docs", Reads}, fake{"mcp__deploy", Executes}, fake{"rewrite", Mutates},
	}})
	calls := []struct{ name, args, scope string }{
		{"read", `{"path":"a"}`, ""}, {"grep", `{"pattern":"a"}`, ""}, {"find", `{"pattern":"a"}`, ""}, {"ls", `{}`, ""}, {"docs", `{}`, ""},
		{"bash", `{"command":"true"}`, "bash:true"}, {"edit", `{"path":"a","oldText":"b","newText":"c"}`, "files:" + dir},
		{"write", `{"path":"a","content":"b"}`, "files:" + dir},
		{"write", `{"path":".git/config","content":"b"}`, ""}, {"write", `{"path":"own/config.json","content":"b"}`, ""},
		{"mcp__deploy", `{}`, ""}, {"rewrite", `{}`, ""}, {"web_read", `{"url":"https://a.example/"}`, "web:a.example"},
		{"submit_plan", goodArgs["submit_plan"], ""}, {"complete_plan", goodArgs["complete_plan"], ""}, {"update_plan", `{}`, ""},
	}
	//                  reads  bash edit write .git own mcp rewrite web submit complete unknown
	const planning = "AAAAD" + "DDD" + "DD" + "DD" + "?" + "ADD"
	normal := func(ordinary string) string {
		return "AAAAA" + strings.Repeat(ordinary, 3) + "??" + strings.Repeat(ordinary, 3) + "DAD"
	}
	for _, c := range []struct {
		mode plan.Permission
		want string
	}{
		{plan.PermissionManual, normal("?")}, {plan.PermissionYolo, normal("A")}, {plan.PermissionAuto, normal("A")},
		{"", normal("?")}, {"turbo", normal("?")},
	} {
		for _, on := range []plan.Mode{plan.ModeNormal, plan.ModePlanning, "resting"} {
			want := c.want
			if on != plan.ModeNormal {
				want = planning
			}
			p := Policy{Mode: on, OpenWork: true, Permission: c.mode}
			for i, call := range calls {
				j := p.Check(set, []Call{{ID: "1", Name: call.name, Args: []byte(call.args)}})[0]
				if got := map[Verdict]string{Allow: "A", Ask: "?", Deny: "D"}[j.Verdict]; got != want[i:i+1] {
					t.Errorf("%s, %s: %s %s is %s, want %s (%s)", c.mode, on, call.name, call.args, got, want[i:i+1], j.Message)
				}
			}
		}
	}
}

func TestWhatAsksWhilePlanningAsksInEveryPermissionMode(t *testing.T) {
	set := New(Options{Dir: t.TempDir(), Env: []string{}, More: []Tool{page{fake{name: "pages"}}}})
	for _, mode := range plan.Permissions {
		p := Policy{Mode: plan.ModePlanning, Extra: []string{"pages"}, Permission: mode}
		if j := p.Check(set, []Call{callOf("1", "pages")})[0]; j.Verdict != Ask {
			t.Errorf("%s: %s", mode, j.Verdict)
		}
		p.Granted = func(scope string) bool { return scope == "pages:host" }
		if j := p.Check(set, []Call{callOf("1", "pages")})[0]; j.Verdict != Allow {
			t.Errorf("%s, granted for the session: %s", mode, j.Verdict)
		}
	}
}

func TestAWriteThroughALinkIntoGitIsGuarded(t *testing.T) {
	dir := files(t, map[string]string{".git/": "", "hooks": "-> .git"})
	set := New(Options{Dir: dir, Env: []string{}})
	if _, err := os.Lstat(filepath.Join(dir, "hooks")); err != nil {
		t.Fatal(err)
	}
	p := Policy{Mode: plan.ModeNormal, Permission: plan.PermissionAuto}
	for _, path := range []string{"hooks/pre-commit", ".GIT/config", ".git/x"} {
		if j := p.Check(set, []Call{{ID: "1", Name: "write", Args: Marshal(args{"path": path, "content": "x"})}})[0]; j.Verdict != Ask {
			t.Errorf("%s: %s", path, j.Verdict)
		}
	}
}
