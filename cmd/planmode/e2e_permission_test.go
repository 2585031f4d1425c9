//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent/model/modeltest"
)

// configure writes the configuration of the world.
func (w *world) configure(text string) {
	w.t.Helper()
	dir := filepath.Join(w.home, "config")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func TestYoloAsksForNothingButTheReview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.open("--mode", "yolo")
	r.WaitFor("YOLO mode.")
	r.WaitFor(" YOLO  demo")
	r.plan("Add a shopping cart")
	r.end()
	r.WaitFor("Then: yolo, as now")
	w.decided("")
	r.Press("a")
	r.WaitFor("COMPLETED") // no question in between
	w.decided("r1 approved, r1 completed")
	if a := w.manifest().Approval(1); a.By != plan.ByUser {
		t.Errorf("approved by %s", a.By)
	}
	r.quit()

	r = w.open("--continue")
	r.armed("This session was in YOLO mode. Keep it?", "Keep YOLO")
	r.WaitFor("demo · manual")
	r.Press("y")
	r.WaitFor(" YOLO  demo")
	r.quit()
}

func TestAutoApprovesWithoutAPersonAndSaysSoEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.say("/mode auto")
	r.armed("Switch to AUTO mode?", "Switch to AUTO")
	r.WaitFor(plan.AutoApproved)
	r.Press("y")
	r.WaitFor(" AUTO  demo")
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart")
	r.WaitFor("COMPLETED")
	r.WaitFor("steps · " + plan.AutoApproved) // the summary of the plan
	w.decided("r1 auto_approved, r1 completed")
	if a := w.manifest().Approval(1); a.By != plan.ByAuto || a.Reviewer != "" {
		t.Errorf("the record is %+v", a)
	}
	r.Press("alt+,", "alt+,")
	r.WaitFor("PLAN AUTO-APPROVED")
	r.say("/plan status")
	r.WaitFor("Permission mode: auto.")
	left := r.quit()
	if !strings.Contains(left, plan.AutoApproved) {
		t.Errorf("what stays on the screen does not say it:\n%s", left)
	}
	export := w.output("sessions", "export", w.onlySession())
	for _, want := range []string{"r1, " + plan.AutoApproved, "Plan handed to the agent, " + plan.AutoApproved, "Permission mode: auto"} {
		if !strings.Contains(export, want) {
			t.Errorf("the export does not say %q:\n%s", want, export)
		}
	}
}

func (w *world) output(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(binary(w.t), args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

func (w *world) onlySession() string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.home, "data", "sessions", "*", "*.jsonl"))
	if err != nil || len(found) != 1 {
		w.t.Fatalf("sessions: %v, %v", found, err)
	}
	return strings.TrimSuffix(filepath.Base(found[0]), ".jsonl")
}

func TestADenyRuleHoldsInYolo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.configure(`{"mode":"yolo","permissions":{"deny":["write"]}}`)
	r := w.open()
	r.WaitFor(" YOLO  demo")
	r.plan("Add a shopping cart")
	r.end()
	r.Press("a")
	r.WaitFor("a rule of the person denies it")
	if made, _ := filepath.Glob(filepath.Join(w.base, "tmp", "planmode-demo-*", "*.md")); len(made) > 0 {
		t.Errorf("written all the same: %v", made)
	}
	r.quit()
	if out := w.output("config"); !strings.Contains(out, `permissions.deny`) || !strings.Contains(out, `["write"]`) {
		t.Errorf("config prints\n%s", out)
	}
}

func TestAnUnreadableDenyRuleIsWarnedAboutAndDeniesMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.configure(`{"permissions":{"deny":["bash rm *", 7]}}`)
	r := w.open()
	r.WaitFor("all of bash is denied")
	r.WaitFor("everything that may change something is denied")
	r.quit()
}

func TestAModeThatIsNoneIsRefused(t *testing.T) {
	w := newWorld(t)
	cmd := w.command("--mode", "turbo")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || err == nil || !strings.Contains(string(out), "manual, yolo, auto") {
		t.Errorf("%v: %s", err, out)
	}
}

// runsCommands is a world whose agent asks for these commands, one a turn.
func runsCommands(t *testing.T, commands ...string) *world {
	t.Helper()
	w := newWorld(t, "RIG_KEY=k")
	var replies []modeltest.Reply
	for i, c := range commands {
		args, err := json.Marshal(map[string]string{"command": c})
		if err != nil {
			t.Fatal(err)
		}
		replies = append(replies, modeltest.Reply{Calls: []modeltest.Call{{ID: fmt.Sprintf("c%d", i), Name: "bash", Args: string(args)}}}, modeltest.Reply{Text: "All done."})
	}
	server := modeltest.New(replies...)
	t.Cleanup(server.Close)
	config, err := json.Marshal(map[string]any{
		"agent": "model", "model": "rig/m", "zeta": "stays",
		"providers": map[string]any{"rig": map[string]any{"kind": "openai-compatible", "baseURL": server.URL, "keyEnv": "RIG_KEY", "models": []string{"m"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.configure(string(config))
	return w
}

func TestAlwaysIsRememberedAcrossARestart(t *testing.T) {
	t.Parallel()
	w := runsCommands(t, "touch one", "touch one two", "touch one && touch three")
	r := w.open()
	r.WaitFor("manual")
	r.say("go")
	r.armed("Run a command", "Always allow every command that begins with: touch one")
	r.WaitFor("adds this rule to your configuration: bash touch one")
	r.Press("a")
	r.WaitFor("All done.")
	w.exists("shop/one")
	if got := w.permissions(); len(got) != 1 || got[0] != "bash touch one" {
		t.Errorf("kept %q", got)
	}
	r.quit()

	r = w.open() // another session
	r.WaitFor("manual")
	r.say("go on")
	r.WaitFor("All done.") // unasked
	w.exists("shop/two")
	r.say("and more")
	r.armed("Run a command", "Allow once") // two commands are not covered
	r.Press("w")
	r.WaitFor("Deny, and say why")
	r.Type("one at a time")
	r.Press("enter")
	r.WaitFor("Denied")
	r.quit()
	if _, err := os.Stat(filepath.Join(w.dir, "three")); err == nil {
		t.Error("a command ran that was not allowed")
	}
	if raw, err := os.ReadFile(filepath.Join(w.home, "config", "config.json")); err != nil || !strings.Contains(string(raw), `"zeta": "stays"`) {
		t.Errorf("the rest of the configuration is gone: %s, %v", raw, err)
	}
}

// permissions are the rules in the configuration file.
func (w *world) permissions() (allow []string) {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.home, "config", "config.json"))
	if err != nil {
		w.t.Fatal(err)
	}
	var c struct{ Permissions struct{ Allow []string } }
	if err := json.Unmarshal(raw, &c); err != nil {
		w.t.Fatal(err)
	}
	return c.Permissions.Allow
}
