package transcript

import (
	"strings"
	"testing"

	"planmode/plan/tree"
)

func TestADenialShowsItsReason(t *testing.T) {
	s := (&script{t: t}).add(tree.KindPermission, tree.Permission{Tool: "bash", Answer: "deny", Subject: "Run a command", Reason: "too long 太长\x1b[2J"})
	got := show(t, s, 60, false)
	for _, want := range []string{"Denied · bash · Run a command", "Why: too long 太长"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	s = (&script{t: t}).add(tree.KindPermission, tree.Permission{Tool: "bash", Answer: "deny", Subject: "Run a command"})
	if got := show(t, s, 60, false); strings.Contains(got, "Why") {
		t.Errorf("a reason that was not given:\n%s", got)
	}
}

func TestWhatWasRefusedCanBeReadToItsEnd(t *testing.T) {
	text := "write is not available here, and this sentence is longer than the line. Ask the person."
	s := (&script{t: t}).call("c", "write", map[string]any{"path": "a"}).answer(tree.ToolResult{Call: "c", Name: "write", Text: text, Error: true})
	got := show(t, s, 40, true)
	if !strings.Contains(strings.Join(strings.Fields(got), " "), "Ask the person.") {
		t.Errorf("expanded, its end is missing:\n%s", got)
	}
}
