package showing

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/gate"
	"planmode/plan/gate/target"
	"planmode/plan/gate/waiter"
	"planmode/revdiff"
	"planmode/revdiff/brief"
	"planmode/store"
)

func TestTheAnswerIsWhatWasChosen(t *testing.T) {
	written := []plan.Annotation{{Line: 1, Quote: "# A", Body: "why?"}}
	s := &showing{job: waiter.Job{Text: target.Text{Subject: gate.SubjectFile, Markdown: []byte("# A\n")}}}
	for _, c := range []struct {
		name     string
		verdict  brief.GateVerdict
		decision string
		feedback string // is in it; empty: there is none
		unsent   int
	}{
		{"approved", brief.GateVerdict{Row: brief.GateApprove}, "approved", "", 1},
		{"approved with the notes", brief.GateVerdict{Row: brief.GateApprove, Notes: true}, "approved", "> why?", 0},
		{"and with words on the card", brief.GateVerdict{Row: brief.GateApprove, Notes: true, Text: "but soon"}, "approved", "> but soon", 0},
		{"sent", brief.GateVerdict{Row: brief.GateSend, Notes: true}, "annotated", "> why?", 0},
		{"closed", brief.GateVerdict{Row: brief.GateClose}, "dismissed", "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.answer(c.verdict, written)
			if a.Outcome.Decision() != c.decision || !strings.Contains(a.Outcome.Feedback, c.feedback) || (a.Outcome.Feedback == "") != (c.feedback == "") || len(a.Unsent) != c.unsent {
				t.Errorf("%+v", a)
			}
		})
	}
}

func TestFeedbackOnAFolderNamesItsFiles(t *testing.T) {
	text := target.Text{Subject: gate.SubjectFolder, Parts: []target.Part{{Path: "a.md", Line: 3, Size: 4}, {Path: "b.md", Line: 9, Size: 4}}}
	got := text.Feedback([]plan.Annotation{{Line: 10, Body: "here"}, {Body: "all of it"}})
	for _, part := range []string{"# Folder Feedback\n\n`b.md`\n", "## 1. (line 2) Feedback\n> here\n", "General feedback about the folder\n> all of it\n"} {
		if !strings.Contains(got, part) {
			t.Errorf("%s\nlacks %q", got, part)
		}
	}
	if strings.Contains(got, "a.md") {
		t.Errorf("a file without notes is named:\n%s", got)
	}
}

func TestAnApprovalOfAnotherTextDoesNotCount(t *testing.T) {
	was, now := target.Text{Markdown: []byte("one\n")}, target.Text{Markdown: []byte("two\n")}
	for _, c := range []struct {
		name   string
		change bool
		err    error
		moved  bool
		text   string
	}{{"as it was", false, nil, false, "one\n"}, {"changed", true, nil, true, "two\n"}, {"gone", true, errors.New("File not found: x"), true, "one\n"}} {
		t.Run(c.name, func(t *testing.T) {
			s := &showing{job: waiter.Job{Text: was}}
			s.Again = func(context.Context, target.Text) (target.Text, bool, error) { return now, c.change, c.err }
			if got := s.moved(t.Context()); got != c.moved || string(s.job.Text.Markdown) != c.text || (s.doubt != "") != c.moved {
				t.Errorf("%v, %q, %q", got, s.job.Text.Markdown, s.doubt)
			}
		})
	}
	if (&showing{}).moved(t.Context()) {
		t.Error("without a way to look again it changed")
	}
}

func TestWhatTheReviewBroughtBackIsSaid(t *testing.T) {
	for kind, want := range map[revdiff.Kind]string{
		revdiff.Clean: "No notes were recorded.", revdiff.Annotated: "You wrote 0 notes.", revdiff.Edited: "What you edited was a private copy",
		revdiff.Interrupted: "The review did not end as it should: it was killed.", revdiff.Contradiction: "did not end as it should", revdiff.Flushed: "did not end as it should",
	} {
		if got := outcome(revdiff.Result{Kind: kind, Message: "it was killed"}); !strings.Contains(got, want) {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

func TestNotesFollowTheirLines(t *testing.T) {
	before := document.Parse([]byte("# A\n\nKeep this line here.\n\nThis one goes away soon.\n"))
	now := document.Parse([]byte("New first line.\n\n# A\n\nKeep this line here.\n"))
	kept := moved(document.Anchor(before, plan.Annotation{Line: 3, Body: "kept"}), now)
	if kept.Line != 5 || kept.Body != "kept" {
		t.Errorf("%+v", kept)
	}
	gone := moved(document.Anchor(before, plan.Annotation{Line: 5, Body: "gone"}), now)
	if gone.Line != 0 || !strings.Contains(gone.Body, "This one goes away soon.") || !strings.Contains(gone.Body, "gone") {
		t.Errorf("%+v", gone)
	}
	if whole := moved(plan.Annotation{Body: "x"}, now); whole.Line != 0 || whole.Body != "x" {
		t.Errorf("%+v", whole)
	}
}

func TestFileNamesAreFitForADirectory(t *testing.T) {
	for name, want := range map[string]string{
		"plan.md": "plan", "docs/": "docs", "a/b:c\\d": "a-b-c-d", "": "text", "..": "text", "\x1b[2J\x00": "text", "计划.md": "计划", strings.Repeat("x", 200): strings.Repeat("x", 60),
	} {
		if got := target.FileName(name); got != want || filepath.Base(got) != got {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}

func TestWhatAKilledReviewLeftBecomesTheDraft(t *testing.T) {
	s, err := store.Open(store.Dirs{Config: t.TempDir(), Data: t.TempDir(), State: t.TempDir(), Run: t.TempDir()}, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	text := []byte("# A\n")
	left := t.TempDir()
	raw, err := json.Marshal(brief.Draft{
		Version: brief.DraftVersion, Key: "text.md", New: strings.TrimPrefix(string(plan.HashOf(text)), "sha256:"),
		Notes: []brief.Note{{Annotation: plan.Annotation{Line: 1, Body: "why?"}, Type: " "}},
		Typed: []brief.Note{{Annotation: plan.Annotation{Line: 1, Body: "half"}, Type: " "}},
	})
	if err == nil {
		err = os.Mkdir(filepath.Join(left, revdiff.HistoryName), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(left, revdiff.HistoryName, brief.DraftName("0123456789abcdef")), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	d, ok := leftBehind(left)
	if !ok || len(d.Notes) != 2 || d.Hash != plan.HashOf(text) {
		t.Fatalf("%+v, %v", d, ok)
	}
	if _, ok := leftBehind(t.TempDir()); ok {
		t.Error("nothing became a draft")
	}
	d.Key = "k"
	if err := s.SaveGateDraft(d); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		builtin bool
		text    string
		pending int
	}{"the same text, in the built-in reviewer": {true, "# A\n", 0}, "the same text, in another": {false, "# A\n", 2}, "another text": {true, "new\n\n# A\n", 2}} {
		sh := &showing{Options: Options{Store: s}, key: "k", job: waiter.Job{Text: target.Text{Markdown: []byte(c.text)}}, reviewer: revdiff.Reviewer{Builtin: c.builtin}}
		if err := sh.takeUp(&store.GateReview{}); err != nil || len(sh.pending) != c.pending || (sh.draft != nil) != (c.pending == 0) {
			t.Errorf("%s: %d pending, draft %q, %v", name, len(sh.pending), sh.draft, err)
		}
	}
}
