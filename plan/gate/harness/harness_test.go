package harness

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"planmode/plan/gate"
)

const claudeExit = `{"session_id":"s","transcript_path":"/h/.claude/projects/w/s.jsonl","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"ExitPlanMode","tool_input":{"plan":"# P","planFilePath":"/h/.claude/plans/x.md","n":1.50}}`

func TestEventsSayWhatTheyAskFor(t *testing.T) {
	for name, c := range map[string]struct {
		h     Harness
		event string
		raw   string
		want  string // kind, plan, plan file, file, message
	}{
		"claude submits a plan":              {Claude, "", claudeExit, "plan|# P|/h/.claude/plans/x.md||"},
		"claude runs another tool":           {Claude, "PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"ls"}}`, "||||"},
		"claude wrote a file":                {Claude, "", `{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/w/a.md"}}`, "file|||/w/a.md|"},
		"claude stops":                       {Claude, "", `{"hook_event_name":"Stop","last_assistant_message":"done"}`, "message||||done"},
		"a plan file by half a path":         {Claude, "PreToolUse", `{"tool_name":"ExitPlanMode","tool_input":{"plan":"p","planFilePath":"x.md"}}`, "plan|p|||"},
		"a plan file that is no Markdown":    {Claude, "PreToolUse", `{"tool_name":"ExitPlanMode","tool_input":{"plan":"p","planFilePath":"/etc/passwd"}}`, "plan|p|||"},
		"arguments of other types":           {Claude, "PreToolUse", `{"tool_name":"ExitPlanMode","tool_input":[1]}`, "plan||||"},
		"codex stops":                        {Codex, "", `{"hook_event_name":"Stop","last_assistant_message":"x"}`, "plan||||x"},
		"gemini submits a plan":              {Gemini, "BeforeTool", `{"session_id":"s1","transcript_path":"/g/tmp/p/chats/session-1.jsonl","tool_name":"exit_plan_mode","tool_input":{"plan_filename":"a.md"}}`, "plan||/g/tmp/p/s1/plans/a.md||"},
		"gemini names a plan elsewhere":      {Gemini, "BeforeTool", `{"session_id":"s1","transcript_path":"/g/tmp/p/chats/s.jsonl","tool_name":"exit_plan_mode","tool_input":{"plan_filename":"../../a.md"}}`, "plan||||"},
		"gemini in a session with a bad id":  {Gemini, "BeforeTool", `{"session_id":"../x","transcript_path":"/g/tmp/p/chats/s.jsonl","tool_name":"exit_plan_mode","tool_input":{"plan_filename":"a.md"}}`, "plan||||"},
		"copilot submits a plan":             {Copilot, "preToolUse", `{"toolName":"exit_plan_mode","sessionId":"x"}`, "plan||||"},
		"qwen submits a plan":                {Qwen, "PreToolUse", `{"tool_name":"exit_plan_mode","tool_input":{"plan":"q"}}`, "plan|q|||"},
		"nothing on standard input":          {Claude, "PreToolUse", " \n", "||||"},
		"an event that nobody knows":         {Claude, "Sleep", `{"tool_name":"ExitPlanMode"}`, "||||"},
		"the event itself beats the setting": {Claude, "PreToolUse", `{"hook_event_name":"SessionStart","tool_name":"ExitPlanMode"}`, "||||"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := Parse(c.h, c.event, []byte(c.raw))
			if got := strings.Join([]string{string(e.Kind), e.Plan, e.PlanFile, e.File, e.Message}, "|"); err != nil || got != c.want {
				t.Errorf("%v\n got %q\nwant %q", err, got, c.want)
			}
		})
	}
	for _, raw := range []string{"{", "[1]", `"x"`, `{"tool_name":1}`} {
		if _, err := Parse(Claude, "PreToolUse", []byte(raw)); err == nil {
			t.Errorf("%s is an event", raw)
		}
	}
}

func TestEveryHarnessIsAnsweredInItsOwnWay(t *testing.T) {
	approved, noted, closed := gate.Outcome{Approved: true}, gate.Outcome{Feedback: "F <\n"}, gate.Outcome{Exit: true}
	reason := gate.Quote(Refusal("F <\n"))
	plan := func(h Harness) Event {
		return Event{Harness: h, Kind: Plan, Input: json.RawMessage(`{"plan":"old","n":1.50}`)}
	}
	const pre = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":`
	for name, c := range map[string]struct {
		e       Event
		o       gate.Outcome
		want    string
		outside bool // it may read as leave to go on, without an approval
	}{
		"claude, approved":  {plan(Claude), approved, pre + `"allow","updatedInput":{"n":1.50,"plan":"# P\n"}}}`, false},
		"claude, noted":     {plan(Claude), noted, pre + `"deny","permissionDecisionReason":` + reason + `}}`, false},
		"claude, closed":    {plan(Claude), closed, pre + `"ask","permissionDecisionReason":"The person closed the review without a decision. Ask them here."}}`, false},
		"qwen, approved":    {plan(Qwen), approved, pre + `"allow","updatedInput":{"n":1.50,"plan":"# P\n"}}}`, false},
		"codex, approved":   {plan(Codex), approved, `{}`, false},
		"codex, noted":      {plan(Codex), noted, `{"decision":"block","reason":` + reason + `}`, false},
		"codex, closed":     {plan(Codex), closed, `{}`, true}, // its turn has ended: nothing goes on
		"gemini, approved":  {plan(Gemini), approved, `{}`, false},
		"gemini, noted":     {plan(Gemini), noted, `{"decision":"deny","reason":` + reason + `}`, false},
		"gemini, closed":    {plan(Gemini), closed, `{"decision":"deny","reason":` + gate.Quote(notDecided) + `}`, false},
		"copilot, approved": {plan(Copilot), approved, `{"permissionDecision":"allow"}`, false},
		"copilot, noted":    {plan(Copilot), noted, `{"permissionDecision":"deny","permissionDecisionReason":` + reason + `}`, false},
		"copilot, closed":   {plan(Copilot), closed, `{"permissionDecision":"deny","permissionDecisionReason":` + gate.Quote(notDecided) + `}`, false},
		"a file, noted":     {Event{Harness: Claude, Kind: File}, noted, `{"decision":"block","reason":"F <\n"}`, false},
		"a file, approved":  {Event{Harness: Claude, Kind: File}, approved, ``, false},
		"a message, closed": {Event{Harness: Claude, Kind: Message}, closed, ``, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.e.Answer(c.o, "# P\n")
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if got != "" && !json.Valid([]byte(got)) {
				t.Error("it is no JSON")
			}
			if !c.o.Approved && !c.outside && c.e.Kind == Plan && (got == "{}" || strings.Contains(got, `"allow"`)) {
				t.Error("it reads like an approval")
			}
		})
	}
	if got := plan(Gemini).Undecided("x"); got != "" {
		t.Errorf("gemini is told %s when nobody was asked", got)
	}
}

func TestInstallKeepsEverythingElse(t *testing.T) {
	const binary = "/opt/my tools/planmode"
	for name, settings := range map[string]string{
		"no file":              "",
		"an empty object":      "{}",
		"other settings":       "{\n  \"model\": \"opus\",\n  \"z\": 1.50,\n  \"a\": \"<&>\"\n}\n",
		"other hooks":          `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}],"Stop":[]}}`,
		"a hook of another":    `{"hooks":{"PreToolUse":[{"matcher":"ExitPlanMode","hooks":[{"type":"command","command":"other hook claude PreToolUse"}]}]}}`,
		"an empty list":        "{\n  \"hooks\": {\"PreToolUse\": []}\n}\n",
		"empty hooks":          "{\"hooks\": {}}",
		"tabs and empty lines": "{\n\t\"hooks\": {\n\n\t\t\"PostToolUse\": []\n\t}\n}",
	} {
		t.Run(name, func(t *testing.T) {
			with, err := Install(Claude, []byte(settings), binary)
			if err != nil {
				t.Fatal(err)
			}
			var parsed struct {
				Hooks map[string][]struct {
					Matcher string
					Hooks   []struct {
						Command string
						Timeout int
					}
				}
			}
			if err := json.Unmarshal(with, &parsed); err != nil {
				t.Fatal(err)
			}
			last := parsed.Hooks["PreToolUse"][len(parsed.Hooks["PreToolUse"])-1]
			if last.Matcher != "ExitPlanMode" || last.Hooks[0].Timeout != Timeout || last.Hooks[0].Command != `'/opt/my tools/planmode' hook claude PreToolUse` {
				t.Errorf("%+v", last)
			}
			if got := Installed(Claude, with); got != binary {
				t.Errorf("installed is %q", got)
			}
			twice, err := Install(Claude, with, binary)
			if err != nil || Installed(Claude, twice) != binary || strings.Count(string(twice), "hook claude") != strings.Count(string(with), "hook claude") {
				t.Errorf("twice: %v\n%s", err, twice)
			}
			if !Before(Claude, []byte(settings), with) || Before(Claude, []byte("{\n}"), with) || Before(Claude, with, with) || Before(Claude, []byte(settings), append(with, ' ')) {
				t.Error("it is not known again as what was made of the settings")
			}
			without, err := Uninstall(Claude, with)
			if err != nil {
				t.Fatal(err)
			}
			want := settings
			if bare, ok := map[string]string{"no file": "{}", "an empty list": "{}", "empty hooks": "{}"}[name]; ok {
				want = bare // what the copy beside the file, or its absence, tells more about
			}
			if compact(without) != compact([]byte(want)) || name == "other settings" && string(without) != settings {
				t.Errorf("after both:\n%q\nwant\n%q", without, want)
			}
		})
	}
	for _, odd := range []string{
		`{"hooks":{},"hooks":{"Stop":[]}}`, `{"hooks":{"PreToolUse":[],"PreToolUse":[]}}`, `{"hooks":{"Stop":[]},"\u0068ooks":{}}`,
		`{"hooks":{"PreToolUse":[{"matcher":"a","hooks":[],"hooks":[]}]}}`,
		"// comment\n{}", "[]", `{"hooks":{"PreToolUse":{}}}`, `{"hooks":"x"}`, `{"hooks":[]}`, `{"hooks":null}`, "\"x\"",
	} {
		if _, err := Install(Claude, []byte(odd), binary); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: %v", odd, err)
		}
	}
}

func TestAHookAmongOthersIsTakenOutAlone(t *testing.T) {
	const settings = `{"hooks":{"PreToolUse":[{"matcher":"ExitPlanMode","hooks":[{"type":"command","command":"a"},{"type":"command","command":"/opt/o'\\''x/planmode hook claude PreToolUse"}]}]}}`
	without, err := Uninstall(Claude, []byte(settings))
	if want := `{"hooks":{"PreToolUse":[{"matcher":"ExitPlanMode","hooks":[{"type":"command","command":"a"}]}]}}`; err != nil || string(without) != want {
		t.Errorf("%v\n%s", err, without)
	}
	for _, binary := range []string{"/opt/planmode", "/opt/it's/planmode", "/opt/'q'/planmode"} {
		with, err := Install(Claude, []byte("{}"), binary)
		if got := Installed(Claude, with); err != nil || got != binary {
			t.Errorf("%s became %q, %v", binary, got, err)
		}
	}
}

func compact(b []byte) string { return strings.Join(strings.Fields(string(b)), "") }

func TestSnippetsAreWhatTheHarnessReads(t *testing.T) {
	for _, h := range All {
		s := Snippet(h, "/usr/bin/planmode")
		if !strings.Contains(s, "/usr/bin/planmode hook "+string(h)) || !strings.Contains(s, "345600") {
			t.Errorf("%s: %s", h, s)
		}
		if i := strings.IndexByte(s, '{'); !json.Valid([]byte(s[i:])) {
			t.Errorf("%s: no JSON: %s", h, s[i:])
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(claudeExit, "# P", "note")
	f.Add(`{"tool_name":"exit_plan_mode","tool_input":{"a":[1e999,null]}}`, "\xff", "\x00")
	f.Fuzz(func(t *testing.T, raw, plan, feedback string) {
		for _, h := range All {
			for _, name := range []string{"PreToolUse", "BeforeTool", "Stop"} {
				e, err := Parse(h, name, []byte(raw))
				if err != nil {
					continue
				}
				for _, o := range []gate.Outcome{{Approved: true}, {Feedback: feedback}, {Exit: true}} {
					got := e.Answer(o, plan)
					if got != "" && !json.Valid([]byte(got)) {
						t.Errorf("%s: %q", h, got)
					}
					if !o.Approved && strings.Contains(got, `"permissionDecision":"allow"`) {
						t.Errorf("%s: %q approves", h, got)
					}
				}
			}
		}
	})
}

func FuzzSettings(f *testing.F) {
	f.Add(`{"hooks":{"PreToolUse":[{"matcher":"x","hooks":[{"command":"planmode hook claude PreToolUse"}]}]}}`)
	f.Add(`{"hooks":[],"a.b":1}`)
	f.Fuzz(func(t *testing.T, settings string) {
		with, err := Install(Claude, []byte(settings), "/usr/bin/planmode")
		if err != nil {
			return
		}
		if !json.Valid(with) || Installed(Claude, with) != "/usr/bin/planmode" {
			t.Fatalf("%q became %q", settings, with)
		}
		without, err := Uninstall(Claude, with)
		if err != nil || Installed(Claude, without) != "" {
			t.Fatalf("%v: %q became %q", err, with, without)
		}
	})
}
