//go:build unix

package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/gate"
)

// claudeSays writes a session log of Claude Code for the directory of the world, with
// one answer for each text.
func (w *world) claudeSays(texts ...string) string {
	w.t.Helper()
	dir := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, w.dir)
	var log strings.Builder
	parent := "null"
	for i, said := range texts {
		quoted, _ := json.Marshal(said)
		id := string(rune('a' + i))
		log.WriteString(`{"type":"assistant","uuid":"` + id + `","parentUuid":` + parent + `,"timestamp":"2026-01-02T03:04:05Z","message":{"id":"m` + id + `","role":"assistant","content":[{"type":"text","text":` + string(quoted) + `}]}}` + "\n")
		parent = `"` + id + `"`
	}
	path := filepath.Join(filepath.Dir(w.dir), "user", ".claude", "projects", dir, "0a1b2c3d.jsonl")
	for _, p := range w.env {
		if home, ok := strings.CutPrefix(p, "HOME="); ok {
			path = filepath.Join(home, ".claude", "projects", dir, "0a1b2c3d.jsonl")
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(log.String()), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func TestTheLastMessageOfAnAgentIsReviewed(t *testing.T) {
	w := newWorld(t)
	w.claudeSays("An early thought", "# The plan\n\n一、先看代码。\n")
	g := w.gate("annotate-last", "--gate", "--json")
	g.review()
	g.WaitFor("先看代码")
	if said := g.errors.String(); !strings.Contains(said, "claude, session 0a1b2c3d") || !strings.Contains(said, "# The plan") {
		t.Errorf("standard error %q", said)
	}
	g.note("why so?")
	g.Press("q")
	g.armed("note", "Send")
	g.Press("s")
	g.ended(0)
	want, _ := gate.Record(gate.Outcome{Feedback: gate.Feedback(gate.Review{Subject: gate.SubjectMessage, Notes: []plan.Annotation{{Line: 1, Quote: "# The plan", Body: "why so?"}}})}, gate.Format{Gate: true, JSON: true})
	if g.out.String() != want+"\n" {
		t.Errorf("%q, want %q", &g.out, want)
	}
}

func TestAHooksEventSaysWhatTheLastMessageIs(t *testing.T) {
	w := newWorld(t)
	w.claudeSays("not this one")
	g := w.fed(`{"hook_event_name":"Stop","session_id":"x","last_assistant_message":"This very one"}`, "annotate-last", "--gate", "--hook", "--surface", "terminal")
	g.review()
	g.WaitFor("This very one")
	g.cardOf("message", "Approve")
	g.Press("a")
	g.ended(0)
	if g.out.Len() > 0 {
		t.Errorf("%q", &g.out)
	}
}

func TestAMessageIsChosenFromAList(t *testing.T) {
	w := newWorld(t)
	w.claudeSays("the first", "the second \x1b]0;x\x07", "the third")
	g := w.gate("annotate-last", "--pick", "--gate")
	g.WaitFor("Review which one?")
	g.Press("9", "enter")
	g.WaitFor("A number from 1 to 3")
	g.Press("3", "enter")
	g.review()
	g.WaitFor("the first")
	g.cardOf("message", "Close")
	g.Press("q")
	g.ended(0)
}

func TestNoMessageIsAFailureThatSaysWhereItLooked(t *testing.T) {
	w := newWorld(t)
	cmd := w.command("annotate-last", "--gate", "--json")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != 1 || out.Len() > 0 || !strings.HasPrefix(errs.String(), "No rendered assistant message found in session logs.\n") || !strings.Contains(errs.String(), "--session") {
		t.Errorf("%d %q %q", cmd.ProcessState.ExitCode(), &out, &errs)
	}
}

// cardOf ends the reading and waits for the armed card.
func (g *gateRun) cardOf(what, row string) {
	g.t.Helper()
	g.Press("q")
	g.armed("Decide on the "+what, row)
}
