package gate

import (
	"strings"
	"testing"

	"planmode/plan"
)

func TestFeedbackIsNumberedInTheOrderOfTheText(t *testing.T) {
	got := Feedback(Review{Subject: SubjectFile, Notes: []plan.Annotation{
		{Body: "too long as a whole"},
		{Line: 9, End: 11, Quote: "a\nb\nc", Body: "first\n# not a heading\n\n---"},
		{Line: 2, Quote: `say "hi"`, Label: "nit", Body: "why?"},
		{Line: 20, Quote: "old ``` fence", Replacement: "new", Body: ""},
	}})
	want := "# File Feedback\n\nI've reviewed this file and have 4 pieces of feedback:\n\n" +
		"## 1. (line 2) [nit] Feedback on: \"say \\\"hi\\\"\"\n> why?\n\n" +
		"## 2. (lines 9–11) Feedback on:\n```\na\nb\nc\n```\n> first\n> # not a heading\n>\n> ---\n\n" +
		"## 3. (line 20) Replace this\n````\nold ``` fence\n````\nwith\n```\nnew\n```\n\n" +
		"## 4. General feedback about the file\n> too long as a whole\n\n---\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFeedbackOnWhatShouldGoAndWhatIsGone(t *testing.T) {
	got := Feedback(Review{Subject: SubjectFile, Notes: []plan.Annotation{
		{Line: 2, Quote: "drop me", Delete: true}, {Line: 3, Quote: "and me", Delete: true, Body: "too risky"}, {Line: 4, Side: "old", Quote: "was", Body: "bring it back"},
	}})
	for _, part := range []string{
		"## 1. (line 2) Remove this\n```\ndrop me\n```\n> I don't want this in the file.\n", "## 2. (line 3) Remove this\n```\nand me\n```\n> too risky\n",
		"## 3. [In diff content] (line 4) Feedback on: \"was\"\n> bring it back\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s\nlacks %q", got, part)
		}
	}
}

func TestFeedbackOfOneNote(t *testing.T) {
	got := Feedback(Review{Subject: SubjectMessage, Path: "a`b", Converted: true, Notes: []plan.Annotation{{Line: 1, Body: "x"}}})
	for _, part := range []string{"# Message Feedback\n", "`` a`b ``", "converted Markdown", "1 piece of feedback", "## 1. (line 1) Feedback\n> x\n"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q lacks %q", got, part)
		}
	}
	if Feedback(Review{Subject: SubjectPlan}) != "" {
		t.Error("no notes gave a text to send")
	}
}
