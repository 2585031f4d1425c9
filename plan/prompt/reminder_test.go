package prompt

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"planmode/plan"
)

var update = flag.Bool("update", false, "write the golden files")

func TestDue(t *testing.T) {
	for _, c := range []struct {
		name  string
		since Since
		want  Form
	}{
		{"never planned", Since{}, FormNone},
		{"planning just began", Since{Planning: true, Entered: true}, FormFull},
		{"planning began again on a draft", Since{Planning: true, Entered: true, Draft: true}, FormReentry},
		{"no reminder is left of what the model sees", Since{Planning: true, Draft: true}, FormFull},
		{"right after a reminder", Since{Planning: true, Reminded: true}, FormNone},
		{"one message later", Since{Planning: true, Reminded: true, Messages: 1}, FormNone},
		{"two messages later", Since{Planning: true, Reminded: true, Messages: 2}, FormSparse},
		{"four messages later", Since{Planning: true, Reminded: true, Messages: 4}, FormSparse},
		{"five messages later", Since{Planning: true, Reminded: true, Messages: 5}, FormFull},
		{"the person said something", Since{Planning: true, Reminded: true, Person: true}, FormFull},
		{"planning ended", Since{Left: true}, FormExit},
		{"normal mode long after", Since{Messages: 9, Person: true}, FormNone},
	} {
		if got := Due(c.since); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// planningTools and normalTools are what turns have.
var (
	planningTools   = []string{"read", "grep", "find", "ls", "submit_plan", "request_user_input"}
	unattendedTools = []string{"read", "grep", "find", "ls", "submit_plan"}
	normalTools     = []string{"read", "grep", "find", "ls", "bash", "edit", "write", "enter_plan_mode", "update_plan"}
	workTools       = append([]string{"complete_plan"}, normalTools...)
)

// turns are the prompts of every kind of turn.
func turns() map[string]Facts {
	draft := reference()
	draft.Status = plan.StatusChangesRequested
	return map[string]Facts{
		"planning":            {Mode: plan.ModePlanning, Language: "en", Dir: "/work", Tools: planningTools},
		"planning-draft":      {Mode: plan.ModePlanning, Language: "zh-CN", Dir: "/work", Tools: planningTools, Draft: draft, ModeChanged: true},
		"planning-unattended": {Mode: plan.ModePlanning, Language: "auto", Dir: "/work", Tools: unattendedTools, Unattended: true},
		"normal":              {Mode: plan.ModeNormal, Dir: "/work", Instructions: "Use tabs.", Tools: normalTools},
		"work":                {Mode: plan.ModeNormal, Dir: "/work", Tools: workTools, Work: reference()},
	}
}

func TestPromptsAreAsTheyWere(t *testing.T) {
	for name, f := range turns() {
		golden(t, name, System(f)+"\n"+Turn(f)+"\n")
	}
	f := turns()["planning"]
	golden(t, "reminder-full", Reminder(FormFull, f, ""))
	golden(t, "reminder-sparse", Reminder(FormSparse, f, ""))
	golden(t, "reminder-reentry", Reminder(FormReentry, turns()["planning-draft"], ""))
	var exits strings.Builder
	for _, e := range []Exit{ExitApproved, ExitLeft, ExitParked, ExitDiscarded} {
		exits.WriteString(Reminder(FormExit, turns()["normal"], e) + "\n\n")
	}
	golden(t, "reminder-exit", exits.String())
	golden(t, "nudge", Nudge(Loop{Calls: 4, Tool: "ls", Stale: true, Planning: true, Facts: f})+"\n\n"+
		Nudge(Loop{Calls: 60, Planning: true, Facts: turns()["planning-unattended"]})+"\n\n"+Nudge(Loop{Calls: 4, Tool: "bash", Stale: true})+"\n")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v, got:\n%s", name, err, got)
	}
}

var toolName = regexp.MustCompile("`([a-z]+_[a-z_]+|read|grep|find|ls|bash|edit|write)`")

// A model must not be told of a tool that it does not have: it would call it, be
// refused, and call it again.
func TestPromptsNameOnlyToolsOfTheirTurn(t *testing.T) {
	said := map[string]string{}
	for name, f := range turns() {
		said[name] = System(f) + Turn(f)
		if f.Mode == plan.ModePlanning {
			said[name] += Reminder(FormFull, f, "") + Reminder(FormSparse, f, "") + Nudge(Loop{Stale: true, Planning: true, Facts: f})
			if f.Draft != nil {
				said[name] += Reminder(FormReentry, f, "")
			}
		} else {
			said[name] += Reminder(FormExit, f, ExitParked) + Nudge(Loop{Stale: true})
		}
	}
	for name, f := range turns() {
		for _, m := range toolName.FindAllStringSubmatch(said[name], -1) {
			if m[1] != "proposed_plan" && !f.Has(m[1]) {
				t.Errorf("%s speaks of %s", name, m[1])
			}
		}
	}
	if !strings.Contains(said["planning"], "request_user_input") || strings.Contains(said["planning-unattended"], "request_user_input") {
		t.Error("questions are offered where nobody answers, or not where somebody does")
	}
}

func TestTheExitSaysHowPlanningEnded(t *testing.T) {
	for exit, want := range map[Exit]string{ExitApproved: "was approved", ExitLeft: "there is no plan", ExitParked: "Nothing is approved", ExitDiscarded: "implement nothing"} {
		s := Reminder(FormExit, Facts{}, exit)
		holds(t, s, "Plan Mode is off", want, "no longer hold")
		if exit != ExitApproved && strings.Contains(s, "was approved") {
			t.Errorf("%s: %s", exit, s)
		}
	}
	holds(t, Closed(ref, plan.Abandoned), ref.String(), "abandoned", "do not go on")
}

func TestModeTexts(t *testing.T) {
	const preset = "Work in three phases"
	for _, c := range []struct {
		name  string
		texts Texts
		want  []string
	}{
		{"nobody says anything", Texts{}, []string{preset}},
		{"the person's text", Texts{Person: map[string]string{ModePlan: "MINE"}}, []string{"\n\nMINE\n\n", "!" + preset}},
		{"an empty text of the person is none", Texts{Person: map[string]string{ModePlan: " \n"}}, []string{preset}},
		{"the model's text comes first", Texts{Model: map[string]string{ModePlan: "ITS"}, Person: map[string]string{ModePlan: "MINE"}}, []string{"ITS", "!MINE", "!" + preset}},
		{"an empty text of the model blanks it", Texts{Model: map[string]string{ModePlan: ""}, Person: map[string]string{ModePlan: "MINE"}}, []string{"!MINE", "!" + preset}},
		{"a text for another mode is none for this", Texts{Model: map[string]string{ModeDefault: "ITS"}, Person: map[string]string{ModeDefault: "MINE"}}, []string{preset, "!ITS", "!MINE"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := System(Facts{Mode: plan.ModePlanning, Language: "en", Texts: c.texts, Tools: planningTools})
			holds(t, s, append(c.want, "Plan Mode is on", "read-only", "`submit_plan`", "NEW PLAN", block("en"))...)
			if strings.Contains(s, "\n\n\n") {
				t.Errorf("the layout is off:\n%s", s)
			}
		})
	}
	holds(t, System(Facts{Texts: Texts{Person: map[string]string{ModeDefault: "MINE"}}}), "MINE", "!Default mode")
}

func TestModeNames(t *testing.T) {
	for given, want := range map[string]string{
		"plan": "plan", "PLAN ": "plan", "planning": "plan", "default": "default", "normal": "default", "code": "default",
		"pair_programming": "default", "execute": "default", "Custom": "default", "yolo": "", "": "",
	} {
		if got, ok := ModeName(given); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t", given, got, ok)
		}
	}
	if NameOf(plan.ModeNormal) != "default" || NameOf("") != "default" || NameOf(plan.ModePlanning) != "plan" || NameOf("odd") != "plan" {
		t.Error("a mode of the law has another name")
	}
	holds(t, System(Facts{}), "Plan and Default")
}
