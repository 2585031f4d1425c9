//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"planmode/plan"
	"planmode/plan/gate/harness"
	"planmode/store"
)

// exitPlanMode is the event of Claude Code for a plan.
func exitPlanMode(markdown, file string) string {
	b, _ := json.Marshal(map[string]any{
		"session_id": "0a1b", "hook_event_name": "PreToolUse", "tool_name": "ExitPlanMode",
		"tool_input": map[string]string{"plan": markdown, "planFilePath": file},
	})
	return string(b)
}

// decision is what Claude Code reads of an answer.
func decision(t *testing.T, out string) (kind, reason, approved string) {
	t.Helper()
	var a struct {
		Out struct {
			Event    string            `json:"hookEventName"`
			Decision string            `json:"permissionDecision"`
			Reason   string            `json:"permissionDecisionReason"`
			Input    map[string]string `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.Out.Event != "PreToolUse" {
		t.Fatalf("%v: %q", err, out)
	}
	return a.Out.Decision, a.Out.Reason, a.Out.Input["plan"]
}

func TestAPlanOfAnotherAgentIsDecidedInItsHook(t *testing.T) {
	w := newWorld(t)
	hook := func(event string) *gateRun {
		g := w.fed(event, "hook", "claude", "--surface", "terminal")
		g.review()
		return g
	}
	g := hook(exitPlanMode("# 计划 A\n\n1. Do it\n", ""))
	g.WaitFor("计划 A")
	g.note("why so?")
	g.Press("q")
	g.armed("note", "Send")
	g.Press("s")
	g.ended(0)
	kind, reason, _ := decision(t, g.out.String())
	if kind != "deny" || !strings.HasPrefix(reason, "YOUR PLAN WAS NOT APPROVED.") || !strings.Contains(reason, "> why so?") {
		t.Errorf("%s %s", kind, reason)
	}

	g = hook(exitPlanMode("# 计划 B\n\n1. Do it well\n", ""))
	g.WaitFor("well")
	g.cardOf("plan", "Close")
	g.Press("q")
	g.ended(0)
	if kind, _, _ := decision(t, g.out.String()); kind != "ask" {
		t.Errorf("closed: %q", &g.out)
	}

	g = hook(exitPlanMode("# 计划 B\n\n1. Do it well\n", ""))
	g.cardOf("plan", "Approve")
	g.Press("a")
	g.ended(0)
	if kind, _, approved := decision(t, g.out.String()); kind != "allow" || approved != "# 计划 B\n\n1. Do it well\n" {
		t.Errorf("approved: %q", &g.out)
	}
	m := w.manifest()
	var kinds []plan.DecisionKind
	for _, d := range m.Decisions {
		kinds = append(kinds, d.Kind)
	}
	if len(m.Revisions) != 2 || m.ApprovedRevision != 2 || len(kinds) != 3 || kinds[0] != plan.DecidedChanges || kinds[1] != plan.DecidedCancelled {
		t.Errorf("%d revisions, approved r%d, %v", len(m.Revisions), m.ApprovedRevision, kinds)
	}
}

func TestAPlanFileThatChangesUnderTheReviewIsNotApproved(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.dir, "p.md")
	w.write("p.md", "# From the file\n")
	g := w.fed(exitPlanMode("# Not this\n", file), "hook", "claude", "PreToolUse", "--surface", "terminal")
	g.review()
	g.WaitFor("From the file")
	w.write("p.md", "# Swapped\n")
	g.cardOf("plan", "Approve")
	g.Press("a")
	g.ended(0)
	kind, reason, _ := decision(t, g.out.String())
	if kind != "deny" || !strings.Contains(reason, "changed while") || w.manifest().ApprovedRevision != 0 {
		t.Errorf("%s %s", kind, reason)
	}
}

func TestAPlanFileOfCopilotThatChangesUnderTheReviewIsNotApproved(t *testing.T) {
	const session = "0a1b2c3d-0000-4000-8000-0123456789ab"
	w := newWorld(t)
	file := filepath.Join(w.base, "user", ".copilot", "session-state", session, "plan.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(markdown string) {
		if err := os.WriteFile(file, []byte(markdown), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("# From the file\n")
	g := w.fed(`{"toolName":"exit_plan_mode","sessionId":"`+session+`"}`, "hook", "copilot", "preToolUse", "--surface", "terminal")
	g.review()
	g.WaitFor("From the file")
	put("# Swapped\n")
	g.cardOf("plan", "Approve")
	g.Press("a")
	g.ended(0)
	if out := g.out.String(); !strings.Contains(out, `"permissionDecision":"deny"`) || w.manifest().ApprovedRevision != 0 {
		t.Errorf("%q", out)
	}
}

func TestAHookThatCanAskNobodyApprovesNothing(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		h, event, want string
		code           int
	}{
		"a plan of claude":            {"claude", exitPlanMode("# P\n", ""), `"permissionDecision":"ask"`, 0},
		"a plan without a text":       {"claude", exitPlanMode("", ""), `"permissionDecision":"ask"`, 0},
		"a plan of gemini":            {"gemini", `{"hook_event_name":"BeforeTool","tool_name":"exit_plan_mode","tool_input":{"plan":"p"}}`, "", 1},
		"another tool":                {"claude", `{"hook_event_name":"PreToolUse","tool_name":"Bash"}`, "", 0},
		"a file of code":              {"claude", `{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/x.go"}}`, "", 0},
		"no event at all":             {"claude", "", "", 0},
		"what is no event":            {"claude", "{", "", 1},
		"codex without a plan":        {"codex", `{"hook_event_name":"Stop","last_assistant_message":"done"}`, "", 0},
		"a message, nobody to ask":    {"claude", `{"hook_event_name":"Stop","last_assistant_message":"done"}`, "", 1},
		"a harness that nobody knows": {"clod", "{}", "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := w.command("hook", c.h)
			cmd.Stdin, cmd.SysProcAttr = strings.NewReader(c.event), &syscall.SysProcAttr{Setsid: true}
			var stdout bytes.Buffer
			cmd.Stdout = &stdout
			_ = cmd.Run()
			code, out := cmd.ProcessState.ExitCode(), stdout.String()
			if code != c.code || !strings.Contains(out, c.want) || c.want == "" && out != "" {
				t.Errorf("code %d, %q", code, out)
			}
		})
	}
}

func TestInstallIsUndoneByUninstall(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.dir, ".claude", "settings.json")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if r := execute(t, w.command("install", "claude", "--project")); r.code == 0 || !strings.Contains(r.errors, "temporary folder") {
		t.Errorf("a binary in a temporary folder: %+v", r)
	}
	for _, settings := range []string{"{\n  \"model\": \"opus\"\n}\n", "", "{}", `{"hooks": {}}`, "{\n  \"hooks\": {\"PreToolUse\": []}\n}\n"} {
		with, err := harness.Install(harness.Claude, []byte(settings), "/usr/local/bin/planmode")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if settings != "" {
			w.write(".claude/settings.json", settings)
		}
		if _, err := store.ReplaceSettings(path, []byte(settings), with); err != nil {
			t.Fatal(err)
		}
		if r := execute(t, w.command("uninstall", "claude", "--project", "--dry-run")); r.code != 0 || !strings.Contains(r.out, "would be") {
			t.Errorf("%q: %+v", settings, r)
		}
		if r := execute(t, w.command("uninstall", "claude", "--project")); r.code != 0 {
			t.Errorf("%q: %+v", settings, r)
		}
		b, err := os.ReadFile(path)
		if string(b) != settings || (err != nil) != (settings == "") {
			t.Errorf("%q became %q %v", settings, b, err)
		}
	}
}
