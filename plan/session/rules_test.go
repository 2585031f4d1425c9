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
	"planmode/store"
)

// ruled is a rig with rules of the person; what it always allows is kept in kept.
func ruled(t *testing.T, deny, allow []string, kept *[]string) *rig {
	t.Helper()
	r := newRig(t)
	r.configure = func(o *Options) {
		o.Config.Permissions = store.PermissionsConfig{Deny: deny, Allow: allow}
		o.AlwaysAllow = func(rule string) error {
			if kept == nil {
				return errors.New("the disk is full")
			}
			*kept = append(*kept, rule)
			return nil
		}
	}
	_ = r.Close()
	log, err := r.store.CreateLog(tree.Header{Cwd: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	r.open(log, false)
	r.confirming(true)
	return r
}

// tries is a turn of one batch; what the results were is in out.
func batchOf(out *[]tool.Result, calls ...tool.Call) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		rs, _, err := h.Batch(ctx, calls)
		*out = append(*out, rs...)
		return err
	}
}

func runCall(id, command string) tool.Call {
	return tool.Call{ID: id, Name: "bash", Args: tool.Marshal(map[string]string{"command": command})}
}

func writeCall(id, path string) tool.Call {
	return tool.Call{ID: id, Name: "write", Args: tool.Marshal(map[string]string{"path": path, "content": "x\n"})}
}

func answering(answers ...Grant) func(context.Context, Permit) (Grant, error) {
	return func(context.Context, Permit) (Grant, error) {
		if len(answers) == 0 {
			return Grant{}, errNoAnswer
		}
		a := answers[0]
		answers = answers[1:]
		return a, nil
	}
}

func TestADenyRuleBeatsEveryModeGrantAndAllowRule(t *testing.T) {
	for _, mode := range plan.Permissions {
		t.Run(string(mode), func(t *testing.T) {
			r := ruled(t, []string{"bash touch", "files secret/**"}, []string{"bash touch", "files secret/**"}, nil)
			r.mode(string(mode))
			r.grants.add("bash:touch made")
			r.grants.add("files:" + r.dir)
			r.desk.set(func(d *scriptDesk) { d.permit = answering(Grant{Answer: GrantOnce}, Grant{Answer: GrantOnce}) })
			var out []tool.Result
			r.agent.then(batchOf(&out, runCall("1", "touch made"), runCall("2", "true && touch made"), runCall("3", "sh -c 'touch made'"), writeCall("4", "secret/x"), writeCall("5", "open/x")))
			r.say("go")
			for i, denied := range []bool{true, true, true, true, false} {
				if strings.Contains(out[i].Text, "a rule of the person denies it") != denied {
					t.Errorf("call %d: %s", i+1, out[i].Text)
				}
			}
			if _, err := os.Stat(filepath.Join(r.dir, "made")); err == nil {
				t.Error("the command ran")
			}
			if len(r.desk.permits) != 0 {
				t.Errorf("asked %d times", len(r.desk.permits))
			}
		})
	}
}

func TestWhatCannotBeCheckedAgainstADenyRuleIsAskedInEveryMode(t *testing.T) {
	r := ruled(t, []string{"bash git push"}, []string{"bash true"}, nil)
	r.mode("auto")
	r.desk.set(func(d *scriptDesk) { d.permit = answering(Grant{Answer: GrantDeny}) })
	var out []tool.Result
	r.agent.then(batchOf(&out, runCall("1", "$CMD push"), runCall("2", "true")))
	r.say("go")
	if len(r.desk.permits) != 1 || !strings.Contains(r.desk.permits[0].Why, "deny rules cannot be checked") || r.desk.permits[0].Preview.Always.Rule != "" {
		t.Errorf("asked %+v", r.desk.permits)
	}
	if !out[0].Error || out[1].Error {
		t.Errorf("%+v", out)
	}
}

func TestAlwaysIsKeptAsARuleAndHolds(t *testing.T) {
	var kept []string
	r := ruled(t, nil, nil, &kept)
	r.desk.set(func(d *scriptDesk) { d.permit = answering(Grant{Answer: GrantAlways}, Grant{Answer: GrantDeny}) })
	var out []tool.Result
	r.agent.then(batchOf(&out, runCall("1", "echo a"), runCall("2", "echo a b"), runCall("3", "echo a; echo b")))
	r.say("go")
	if len(kept) != 1 || kept[0] != "bash echo a" || out[0].Error || out[1].Error || !out[2].Error {
		t.Errorf("kept %q, %+v", kept, out)
	}
	if p := r.desk.permits; len(p) != 2 || p[0].Place != 1 || p[0].Of != 3 || p[1].Place != 3 {
		t.Errorf("asked %+v", p)
	}
	var scopes []string
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindPermission {
			p, _ := tree.Decode[tree.Permission](e)
			scopes = append(scopes, p.Answer+" "+p.Scope)
		}
	}
	if got := strings.Join(scopes, ", "); got != "always bash echo a, deny bash:echo a; echo b" {
		t.Errorf("recorded %s", got)
	}
}

func TestARuleThatCannotBeKeptAllowsThisOnce(t *testing.T) {
	r := ruled(t, nil, nil, nil)
	r.desk.set(func(d *scriptDesk) {
		d.permit = answering(Grant{Answer: GrantAlways}, Grant{Answer: GrantDeny, Reason: "not twice"})
	})
	var out []tool.Result
	r.agent.then(batchOf(&out, runCall("1", "echo a"), runCall("2", "echo a")))
	r.say("go")
	if out[0].Error || !out[1].Error || !strings.Contains(out[1].Text, "not twice") || !strings.Contains(r.notices(), "allowed this once") {
		t.Errorf("%+v\n%s", out, r.notices())
	}
}

func TestAlwaysThatWasNotOfferedAllowsNothing(t *testing.T) {
	var kept []string
	r := ruled(t, nil, nil, &kept)
	r.desk.set(func(d *scriptDesk) { d.permit = answering(Grant{Answer: GrantAlways}) })
	var out []tool.Result
	r.agent.then(batchOf(&out, runCall("1", "echo a | cat")))
	r.say("go")
	if !out[0].Error || len(kept) != 0 {
		t.Errorf("%+v, kept %q", out, kept)
	}
}

func TestRulesThatCannotBeReadAreSaidAtTheStart(t *testing.T) {
	r := ruled(t, []string{"bash rm *", "?7"}, []string{"bash"}, nil)
	for _, want := range []string{`deny rule "bash rm *"`, "all of bash is denied", `deny rule "?7"`, "everything that may change something is denied", `allow rule "bash" is not used`} {
		if !strings.Contains(r.notices(), want) {
			t.Errorf("no %q in\n%s", want, r.notices())
		}
	}
	r.mode("yolo")
	var out []tool.Result
	r.agent.then(batchOf(&out, writeCall("1", "a")))
	r.say("go")
	if !out[0].Error || !strings.Contains(out[0].Text, "?7") {
		t.Errorf("%+v", out)
	}
}

func TestAConfigurationThatCannotBeReadKeepsTheSessionManual(t *testing.T) {
	r := newRig(t)
	if err := os.MkdirAll(r.dirs.Config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dirs.Config, "config.json"), []byte(`{"permissions":`), 0o600); err != nil {
		t.Fatal(err)
	}
	r.configure = func(o *Options) {
		o.Config, _ = store.LoadConfig(r.dirs)
		o.Permission = plan.PermissionYolo
	}
	_ = r.Close()
	log, err := r.store.CreateLog(tree.Header{Cwd: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	r.open(log, false)
	r.confirming(true)
	if r.Permission() != plan.PermissionManual {
		t.Errorf("the flag gave %s", r.Permission())
	}
	r.mode("auto")
	if r.Permission() != plan.PermissionManual || !strings.Contains(r.notices(), "what you denied there is not known") {
		t.Errorf("in force %s\n%s", r.Permission(), r.notices())
	}
}
