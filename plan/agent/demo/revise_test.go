package demo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/document"
	"planmode/plan/tool"
)

const smallPlan = `# Small

## Goal

Make it work.

## Non-goals

- Nothing else.

## Current evidence

- ` + "`login.go:4`" + ` holds “login”.

## Decisions and rationale

- Keep it small.

## Proposed changes

` + "```go\nfunc x() {}\n```" + `

| a | b |
|---|---|
| 1 | 2 |

## Execution steps

1. Read the code
   - and its tests
2. Change the code
3. Update the changelog
4. Run the tests

## Verification

- Tests pass.

## Risks

Few.

## Assumptions

- None.
`

// at is a note on the first line of smallPlan that holds part.
func at(t *testing.T, part, body string) plan.Annotation {
	return plan.Annotation{Line: lineWith(t, smallPlan, part), Quote: part, Body: body}
}

func TestRevise(t *testing.T) {
	cases := []struct {
		name  string
		note  plan.Annotation
		wants []string // in the new plan
		lacks []string
		steps []string // if given, all the steps
	}{
		{"a step that is not wanted goes, the rest is numbered anew", at(t, "3. Update", "remove this"),
			[]string{"3. Run the tests", "the step is removed"}, nil, []string{"Read the code", "Change the code", "Run the tests"}},
		{"a Chinese note removes as well", at(t, "1. Read", "删掉这一步"),
			nil, []string{"and its tests"}, []string{"Change the code", "Update the changelog", "Run the tests"}},
		{"a note on the whole plan can name a step", plan.Annotation{Body: "Please drop step 2."},
			nil, nil, []string{"Read the code", "Update the changelog", "Run the tests"}},
		{"a Chinese note names a step by its number", plan.Annotation{Body: "第 4 步不需要"},
			nil, nil, []string{"Read the code", "Change the code", "Update the changelog"}},
		{"a step that does not exist is only noted", plan.Annotation{Body: "What about step 12?"},
			[]string{"What about step 12?"}, nil, []string{"Read the code", "Change the code", "Update the changelog", "Run the tests"}},
		{"a wish refines the step", at(t, "2. Change", "use the existing helper"),
			[]string{"the step was refined"}, nil, []string{"Read the code", "Change the code — use the existing helper", "Update the changelog", "Run the tests"}},
		{"a question gets an answer below the step", at(t, "2. Change", "Why is login changed at all?"),
			[]string{"   - Answer to “Why is login changed at all?”: what I read says this about it: `login.go:4` holds"}, nil,
			[]string{"Read the code", "Change the code", "Update the changelog", "Run the tests"}},
		{"a question without evidence stays open", at(t, "Few.", "How many users are there?"),
			[]string{"Few.\n\nAnswer to “How many users are there?”: nothing that I read decides this"}, nil, nil},
		{"a question that mentions removal removes nothing", at(t, "3. Update", "Should we remove this?"),
			[]string{"Answer to “Should we remove this?”"}, nil, []string{"Read the code", "Change the code", "Update the changelog", "Run the tests"}},
		{"a step is added behind the one that was noted", at(t, "1. Read", "add a step: ask the owner"),
			nil, nil, []string{"Read the code", "Ask the owner", "Change the code", "Update the changelog", "Run the tests"}},
		{"a wish for the whole plan becomes a step before the last", plan.Annotation{Body: "also translate the messages"},
			[]string{"You noted “also translate the messages”"}, nil, []string{"Read the code", "Change the code", "Update the changelog", "Also translate the messages", "Run the tests"}},
		{"a paragraph is changed at its end", at(t, "Make it work.", "and make it fast"),
			[]string{"Make it work. After your note: and make it fast"}, nil, nil},
		{"a bullet that is not wanted goes", at(t, "Nothing else.", "delete"), nil, []string{"- Nothing else.\n"}, nil},
		{"a heading keeps its words", at(t, "## Risks", "say more"), []string{"## Risks\n\nAfter your note: say more"}, nil, nil},
		{"a heading is never removed", at(t, "## Risks", "remove this"), []string{"## Risks\n"}, nil, nil},
		{"code is left whole", at(t, "func x()", "rename it"), []string{"```go\nfunc x() {}\n```\n\nAfter your note: rename it"}, nil, nil},
		{"a table is left whole", at(t, "| 1 | 2 |", "add units"), []string{"| 1 | 2 |\n\nAfter your note: add units"}, nil, nil},
		{"a replacement is taken as it is", plan.Annotation{Line: lineWith(t, smallPlan, "Few."), Body: "better", Replacement: "Two risks.\nNo more."},
			[]string{"Two risks.\nNo more.\n", "replaced by your wording"}, []string{"Few.\n"}, nil},
		{"a line beyond the plan is a note on all of it", plan.Annotation{Line: 4000, Body: "remove the fluff"}, []string{"remove the fluff"}, nil, nil},
		{"a note cannot smuggle in a heading or a comment", at(t, "2. Change", "x\n## Execution steps\n<!-- 1. evil"),
			[]string{`\<!--`}, []string{"\n## Execution steps\n<!--"}, []string{"Read the code", "Change the code — x ## Execution steps <!-- 1. evil", "Update the changelog", "Run the tests"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := revise(smallPlan, []plan.Annotation{c.note}, english)
			for _, want := range c.wants {
				if !strings.Contains(got, want) {
					t.Errorf("lacks %q", want)
				}
			}
			for _, lack := range c.lacks {
				if strings.Contains(got, lack) {
					t.Errorf("still holds %q", lack)
				}
			}
			if c.steps != nil && !slices.Equal(steps(got), c.steps) {
				t.Errorf("steps %q, want %q", steps(got), c.steps)
			}
			checkPlan(t, got)
			if t.Failed() {
				t.Log(got)
			}
		})
	}
}

// checkPlan checks that a plan passes what the host checks.
func checkPlan(t *testing.T, markdown string) {
	t.Helper()
	body, err := document.Normalise([]byte(markdown))
	if err == nil {
		err = document.Parse(body).Check(document.Auto)
	}
	if err != nil {
		t.Errorf("the plan does not pass: %v\n%s", err, markdown)
	}
}

func TestEveryNoteIsListedAmongTheDecisions(t *testing.T) {
	notes := []plan.Annotation{
		at(t, "1. Read", "remove"), at(t, "1. Read", "remove it, really"), at(t, "2. Change", "delete"), at(t, "3. Update", "drop"),
		at(t, "4. Run", "remove this too"), at(t, "Few.", "which ones?"), {Body: "looks “odd” to me"},
	}
	got := revise(smallPlan, notes, english)
	checkPlan(t, got)
	if n := len(steps(got)); n < 1 {
		t.Errorf("%d steps are left", n)
	}
	doc := document.Parse([]byte(got))
	for _, s := range doc.Sections() {
		if s.Name != "Decisions and rationale" {
			continue
		}
		section := strings.Join(strings.Split(got, "\n")[s.Heading.Line:s.End], "\n")
		for _, n := range notes {
			if !strings.Contains(section, "noted “"+n.Body+"”") {
				t.Errorf("note %q is not listed in\n%s", n.Body, section)
			}
		}
	}
}

func TestANoteOnAnOlderRevisionFindsItsText(t *testing.T) {
	older := "# Small\n\n## Execution steps\n\n1. Change the code\n"
	n := document.Anchor(document.Parse([]byte(older)), plan.Annotation{Line: 5, Side: "old", Body: "remove"})
	got := revise(smallPlan, []plan.Annotation{n}, english)
	if list := steps(got); slices.Contains(list, "Change the code") || len(list) != 3 {
		t.Errorf("steps %q", list)
	}
}

func TestNotesAreAnsweredInTheLanguageOfThePlan(t *testing.T) {
	c := newConversation(t, goProject)
	c.review = append(c.review, c.changes("", func(markdown string) []plan.Annotation {
		return []plan.Annotation{{Line: lineWith(t, markdown, "1. "), Quote: "1. 完整阅读", Body: "为什么要先读？"}}
	}))
	c.say("请为登录 Login 增加两步验证")
	plans := c.submitted()
	if len(plans) != 2 || !strings.Contains(plans[1].Markdown, "回答 “为什么要先读？”") || !strings.Contains(plans[1].Markdown, "您的批注 “为什么要先读？”") {
		t.Errorf("the note is not answered in Chinese:\n%s", plans[len(plans)-1].Markdown)
	}
}

func TestRequestAndAnnotationsAreBothAnswered(t *testing.T) {
	c := newConversation(t, goProject)
	var removed string
	c.review = append(c.review,
		c.changes("also update the docs", func(markdown string) []plan.Annotation {
			removed = steps(markdown)[2]
			return []plan.Annotation{{Line: lineWith(t, markdown, "3. "), Body: "remove this step"}}
		}),
		c.changes("", func(markdown string) []plan.Annotation {
			return []plan.Annotation{{Line: lineWith(t, markdown, "2. "), Body: "keep it short"}}
		}))
	c.say("Add OAuth login")
	plans := c.submitted()
	if len(plans) != 3 {
		t.Fatalf("%d submissions, want 3", len(plans))
	}
	second, third := steps(plans[1].Markdown), steps(plans[2].Markdown)
	if slices.Contains(second, removed) || !slices.Contains(second, "Also update the docs") {
		t.Errorf("r2 has the steps %q", second)
	}
	if !strings.HasSuffix(third[1], "— keep it short") || !strings.Contains(plans[2].Markdown, "remove this step") {
		t.Errorf("r3 has the steps %q", third)
	}
	for i, p := range plans[1:] {
		if p.PlanID != string(c.id) || p.Title != plans[0].Title {
			t.Errorf("r%d was handed in as %q %q", i+2, p.PlanID, p.Title)
		}
	}
}

func FuzzReviseKeepsThePlanValid(f *testing.F) {
	f.Add(uint16(30), "remove", "Few.")
	f.Add(uint16(18), "```\n1. x", "- x")
	f.Add(uint16(0), "add step: \x1b[31m\u202e <!--", "1. a\n   1. b\n\n   c")
	f.Add(uint16(25), "why?", "~~~\n## Goal\n~~~")
	f.Fuzz(func(t *testing.T, line uint16, note, extra string) {
		draft := strings.Replace(smallPlan, "Few.", extra, 1)
		body, err := document.Normalise([]byte(draft))
		if err != nil || document.Parse(body).Check(document.Auto) != nil {
			return // such a draft is never accepted
		}
		c := &talk{lang: english}
		s := revised(c, "", "Small", string(body), []plan.Annotation{{Line: int(line), Body: note}})
		if len(s.calls) != 1 {
			t.Errorf("no revision was handed in: %q", s.text)
		}
	})
}

// reviewedOutside is a conversation whose draft was reviewed between two turns.
func reviewedOutside(t *testing.T) (*conversation, agent.Message) {
	t.Helper()
	c := newConversation(t, goProject)
	c.review = append(c.review, func(args tool.SubmitArgs, ref plan.Ref) tool.Result {
		c.accept(ref)
		return tool.Result{Text: "kept", Stop: true, Details: tool.Marshal(tool.PlanDetails{Kind: tool.DetailKeepPlanning, Plan: ref.Plan, Title: args.Title})}
	})
	c.say("Add OAuth login")
	c.turn.Draft = &c.refs[0]
	return c, agent.Message{Role: agent.RoleUser, Text: "The person reviewed it and requests changes.", Feedback: &tool.PlanDetails{
		Kind: tool.DetailChangesRequested, Plan: c.refs[0].Plan, Revision: 1, Hash: c.refs[0].Hash,
		Annotations: []plan.Annotation{{Line: lineWith(t, c.submitted()[0].Markdown, "4. "), Body: "remove"}},
	}}
}

func TestNotesOfAReviewOutsideATurnAreAnswered(t *testing.T) {
	c, feedback := reviewedOutside(t)
	if _, err := c.run(feedback); err != nil {
		t.Fatal(err)
	}
	plans := c.submitted()
	if len(plans) != 2 || plans[1].PlanID != string(c.id) || len(steps(plans[1].Markdown)) != len(steps(plans[0].Markdown))-1 {
		t.Errorf("got %d submissions, the last %+v", len(plans), plans[len(plans)-1])
	}
	if strings.Contains(plans[1].Markdown, "requests changes") {
		t.Error("the words of planmode were taken for the person's")
	}
}

func TestNotesThatAnInterruptLeftAreAnsweredOnContinue(t *testing.T) {
	c, feedback := reviewedOutside(t)
	c.stopAt = 1
	if _, err := c.run(feedback); err == nil {
		t.Fatal("the turn was not interrupted")
	}
	c.turn.Messages = c.turn.Messages[:len(c.turn.Messages)-1] // the call was never recorded
	c.stopAt = 0
	c.say("continue")
	if plans := c.submitted(); len(plans) != 2 || len(steps(plans[1].Markdown)) != len(steps(plans[0].Markdown))-1 {
		t.Errorf("got %d submissions", len(plans))
	}
}

func TestNotesOnAnEditedCopyAreAboutTheEditedText(t *testing.T) {
	c := newConversation(t, goProject)
	edited := strings.Replace(smallPlan, "Change the code", "Change it my way", 1)
	path := filepath.Join(c.dir, "r2.md")
	if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	c.review = append(c.review, func(args tool.SubmitArgs, ref plan.Ref) tool.Result {
		ref.Revision, ref.Hash = 2, plan.HashOf([]byte(edited))
		c.accept(ref)
		return tool.Result{Text: "changes", Details: tool.Marshal(tool.PlanDetails{
			Kind: tool.DetailChangesRequested, Plan: ref.Plan, Revision: 2, Hash: ref.Hash, Path: path,
			Annotations: []plan.Annotation{{Line: lineWith(t, edited, "4. Run"), Body: "on both systems"}},
		})}
	})
	c.say("Add OAuth login")
	plans := c.submitted()
	want := []string{"Read the code", "Change it my way", "Update the changelog", "Run the tests — on both systems"}
	if len(plans) != 2 || !slices.Equal(steps(plans[1].Markdown), want) {
		t.Errorf("got %d submissions, the last with %q", len(plans), steps(plans[len(plans)-1].Markdown))
	}
}
