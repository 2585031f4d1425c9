package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"planmode/plan/pull"
	review "planmode/plan/pull/run"
)

func TestTheLineGateTakesOnlyAClearAnswer(t *testing.T) {
	const sum = "05f8e353bc840bdcb5f4c3601f97376fcbfc204bbcb2de03926f79ef17e4c499"
	preview := strings.Repeat("a line\n", 20) + "escape \x1b[2J and \u202e\napproval-sha256: " + sum + "\n"
	pages := strings.Repeat("\n", 4)
	for name, c := range map[string]struct {
		typed string
		left  int
		want  review.Reply
	}{
		"the first eight digits":         {pages + "05f8e353\n", 2, review.Reply{Answer: pull.Approve, SHA256: "05f8e353"}},
		"digits in capitals, and more":   {pages + " 05F8E353BC \n", 2, review.Reply{Answer: pull.Approve, SHA256: "05F8E353BC"}},
		"seven digits":                   {pages + "05f8e35\n", 2, review.Reply{Reason: "what was typed at the gate is no answer"}},
		"other digits":                   {pages + "05f8e354\n", 2, review.Reply{Reason: "what was typed at the gate is no answer"}},
		"the word for it":                {pages + "APPROVED\n", 2, review.Reply{Reason: "what was typed at the gate is no answer"}},
		"the Escape key":                 {pages + "\x1b\n", 2, review.Reply{Reason: "what was typed at the gate is no answer"}},
		"calling it off":                 {pages + "ABORT\n", 2, review.Reply{Answer: pull.Abort}},
		"calling it off in small print":  {pages + "abort\n", 2, review.Reply{Reason: "what was typed at the gate is no answer"}},
		"sending it back":                {pages + "REVISE\n.\ndrop a-1\n\nand b\n.\n", 2, review.Reply{Answer: pull.Revise, Text: "drop a-1\n\nand b\n"}},
		"sending it back once too often": {pages + "REVISE\nx\n.\n", 0, review.Reply{Reason: "what was typed at the gate is no answer"}},
		"the end while it is sent back":  {pages + "REVISE\nx\n", 2, review.Reply{Reason: "there was no end of what is to be changed"}},
		"the end of the input":           {pages, 2, review.Reply{Reason: "there was no answer at the gate"}},
		"leaving before the last page":   {"q\n05f8e353\n", 2, review.Reply{Reason: "the preview was not read to its end"}},
		"the hash typed on a page":       {"05f8e353\n", 2, review.Reply{Reason: "the preview was not read to its end"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			g := lineGate{in: strings.NewReader(c.typed), out: &out, height: 7}
			got := g.Ask(t.Context(), review.Question{Preview: preview, SHA256: sum, Draft: "r.md", Revise: c.left})
			if got != c.want {
				t.Errorf("got %+v\n%s", got, out.String())
			}
			if strings.ContainsAny(out.String(), "\x1b\u202e") {
				t.Error("what cannot be seen reached the terminal")
			}
			if got.Answer == pull.Approve && (strings.Count(out.String(), "a line\n") != 20 || !strings.Contains(out.String(), "<U+202E>")) {
				t.Errorf("not all was shown:\n%s", out.String())
			}
		})
	}
}

func TestTheLineGateLetsGoWhenTheReviewIsStopped(t *testing.T) {
	in, _ := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := (lineGate{in: in, out: io.Discard, height: 24}).Ask(ctx, review.Question{Preview: "p"}); got.Answer != "" {
		t.Errorf("got %+v", got)
	}
}
