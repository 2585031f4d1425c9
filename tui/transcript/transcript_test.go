package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/tui/theme"
)

var plain = theme.New(theme.Options{Dark: true, NoColor: true})

const hash = plan.Hash("sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")

func ref(n int) plan.Ref {
	return plan.Ref{Plan: "20250102T030405-oauth-0a1b2c3d", Revision: n, Hash: hash}
}

// script builds the entries of a branch.
type script struct {
	t     testing.TB
	items []session.Item
}

func (s *script) add(kind plan.Kind, body any) *script {
	s.t.Helper()
	id := plan.EntryID(fmt.Sprintf("%012x", len(s.items)+1))
	e, err := tree.New(id, "", plan.Stamp(time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)), kind, body)
	if err != nil {
		s.t.Fatal(err)
	}
	s.items = append(s.items, e)
	return s
}

func (s *script) event(ev plan.Event) *script { s.t.Helper(); return s.add(ev.Kind(), ev) }

func (s *script) user(text string) *script { return s.add(tree.KindUser, tree.User{Text: text}) }

func (s *script) say(text string) *script {
	return s.add(tree.KindAssistant, tree.Assistant{Text: text})
}

func (s *script) call(id, name string, args any) *script {
	raw, err := json.Marshal(args)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.add(tree.KindToolCall, tree.ToolCall{Call: id, Name: name, Args: raw})
}

func (s *script) answer(r tree.ToolResult) *script { return s.add(tree.KindToolResult, r) }

func draw(tr *Transcript, width, height int) string {
	lines := strings.Split(ansi.Strip(strings.Join(tr.View(width, height), "\n")), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func show(t testing.TB, s *script, width int, expanded bool) string {
	tr := New(plain, "Ctrl+O")
	tr.SetExpanded(expanded)
	tr.Append(Prepare(s.items))
	tr.list.Top()
	return draw(tr, width, 60)
}

func submitted(t testing.TB, d tool.PlanDetails, failed bool, text string) *script {
	s := &script{t: t}
	return s.call("c1", "submit_plan", tool.SubmitArgs{Title: "OAuth", Markdown: "# secret markdown"}).
		answer(tree.ToolResult{Call: "c1", Name: "submit_plan", Text: text, Error: failed, Details: tool.Marshal(d)})
}

func details2(kind tool.DetailKind) tool.PlanDetails {
	return tool.PlanDetails{Kind: kind, Plan: ref(2).Plan, Revision: 2, Hash: hash, Title: "OAuth", Path: "/d/r2.md"}
}

func TestNodes(t *testing.T) {
	note := []plan.Annotation{{Line: 12, Headings: []string{"Goal"}, Body: "why?"}, {Body: "shorter"}}
	changes := details2(tool.DetailChangesRequested)
	changes.Annotations = note
	request := details2(tool.DetailChangesRequested)
	request.Request = "make it shorter\nplease"
	done := details2(tool.DetailCompleted)
	done.Summary, done.Verification = "All done", []string{"tests pass"}
	audit := "  Plan ID: 20250102T030405-oauth-0a1b2c3d\n  Plan: /d/r2.md\n"
	full := "  Hash: " + string(hash)
	approvedHash := "  Approved hash: " + string(hash)
	cases := []struct {
		name     string
		give     *script
		expanded bool
		want     string
	}{
		{"a message of the person", (&script{t: t}).user("hello\nworld"), false, "> hello\n  world"},
		{"a short answer", (&script{t: t}).user("hi").say("hello there"), false, "> hi\n\nhello there"},
		{"an answer that was interrupted", (&script{t: t}).add(tree.KindAssistant, tree.Assistant{Text: "half", Stopped: "interrupted"}), false, "half\n! interrupted"},
		{"a long path keeps the name of its file", (&script{t: t}).call("c1", "read", map[string]string{"path": "plan/" + strings.Repeat("deep/", 20) + "the_file.go"}), false,
			"● read plan/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/de…/the_file.go  not finished"},
		{"a submission left behind never shows the plan", (&script{t: t}).call("c1", "submit_plan", tool.SubmitArgs{Title: "OAuth\nx", Markdown: "secret"}), true, "● Plan review not finished · OAuth x"},
		{"counted annotations collapsed", submitted(t, changes, false, "x"), false, "● Plan changes requested · OAuth · r2\n  ⎿ 2 annotations · Ctrl+O expand"},
		{"annotations expanded", submitted(t, changes, false, "x"), true, "● Plan changes requested · OAuth · r2\n  Annotations\n  - line 12 (Goal): why?\n  - whole plan: shorter\n" + audit + full},
		{"a request in words", submitted(t, request, false, "x"), false, "● Plan changes requested · OAuth · r2\n  ⎿ make it shorter"},
		{"changes without either", submitted(t, details2(tool.DetailChangesRequested), false, "x"), false, "● Plan changes requested · OAuth · r2\n  ⎿ Review annotations available"},
		{"an approved submission is hidden", submitted(t, details2(tool.DetailApproved), false, "x"), false, ""},
		{"an approved submission expanded", submitted(t, details2(tool.DetailApproved), false, "x"), true, "✓ Submit Plan · OAuth · r2\n" + audit + approvedHash},
		{"a kept review", submitted(t, details2(tool.DetailKeepPlanning), false, "x"), false, "● Plan review kept as draft · OAuth · r2"},
		{"an interrupted review", submitted(t, details2(tool.DetailInterrupted), false, "x"), false, "● Plan review interrupted · OAuth · r2"},
		{"a cancelled review", submitted(t, details2(tool.DetailCancelled), false, "x"), false, "● Plan review cancelled · OAuth · r2"},
		{"a refused submission", submitted(t, tool.PlanDetails{Kind: tool.DetailInvalid}, true, "submit_plan: no Goal section\nmore"), false, "✗ Plan submission failed · no Goal section"},
		{"a refused submission expanded", submitted(t, tool.PlanDetails{Kind: tool.DetailInvalid}, true, "submit_plan: no Goal section\nmore"), true, "✗ Plan submission failed · no Goal section\n  submit_plan: no Goal section\n  more"},
		{"a submission with unreadable details is a failure", (&script{t: t}).call("c", "submit_plan", nil).answer(tree.ToolResult{Call: "c", Name: "submit_plan", Text: "odd"}), false, "✗ Plan submission failed · odd"},
		{"a completion left behind", (&script{t: t}).call("c", "complete_plan", tool.CompleteArgs{Revision: 2}), false, "● Plan completion not finished · r2"},
		{"notes sent after a review that was left behind are told", (&script{t: t}).call("c1", "submit_plan", tool.SubmitArgs{Title: "OAuth"}).
			event(plan.ChangesRequested{Count: 2}).say("I answer"), false, "● Plan review not finished · OAuth\n\nChanges requested · 2 annotations\n\nI answer"},
		{"a command that was stopped", (&script{t: t}).call("c", "bash", map[string]any{"command": "sleep 9"}).answer(tree.ToolResult{Call: "c", Name: "bash", Error: true, Details: tool.Marshal(tool.OutputDetails{Command: "sleep 9", Exit: -1, Millis: 1234})}), false,
			"✗ bash sleep 9                                                                stopped after 1.2s"},
		{"a completion is hidden", (&script{t: t}).call("c", "complete_plan", tool.CompleteArgs{Revision: 2}).answer(tree.ToolResult{Call: "c", Name: "complete_plan", Details: tool.Marshal(done)}), false, ""},
		{"a completion expanded", (&script{t: t}).call("c", "complete_plan", tool.CompleteArgs{Revision: 2}).answer(tree.ToolResult{Call: "c", Name: "complete_plan", Details: tool.Marshal(done)}), true,
			"✓ Complete Plan · r2\n  Summary: All done\n  Verified: tests pass\n" + audit + approvedHash + "\n  Completed: 2025-01-02T03:04:05Z"},
		{"a failed completion", (&script{t: t}).call("c", "complete_plan", tool.CompleteArgs{Revision: 2}).answer(tree.ToolResult{Call: "c", Name: "complete_plan", Text: "refused: r3 is approved", Error: true}), false, "✗ Plan completion failed · r3 is approved"},
		{"an approval", (&script{t: t}).event(plan.PlanApproved{Ref: ref(2), Title: "OAuth", Steps: 6, By: plan.ByUser}), true, "✓ PLAN APPROVED · OAuth · r2 · 6 steps"},
		{"an approval with one step and notes", (&script{t: t}).event(plan.PlanApproved{Ref: ref(1), Title: "OAuth", Steps: 1, By: plan.ByUser, Notes: "be quick"}), false, "✓ PLAN APPROVED · OAuth · r1 · 1 step\n  ⎿ notes: be quick"},
		{"an automatic approval says so", (&script{t: t}).event(plan.PlanApproved{Ref: ref(1), Title: "OAuth", Steps: 2, By: plan.ByAuto}), false, "! PLAN AUTO-APPROVED · OAuth · r1 · 2 steps\n  ⎿ auto-approved, not reviewed"},
		{"an approval with damaged details", (&script{t: t}).add(plan.KindPlanApproved, map[string]any{"steps": "many"}), false, "✓ PLAN APPROVED"},
		{"a completed plan", (&script{t: t}).event(plan.WorkCompleted{Ref: ref(2), Title: "OAuth", By: plan.ByAgent, Summary: "s"}), false, "✓ PLAN COMPLETED · OAuth · r2"},
		{"a completed plan expanded", (&script{t: t}).event(plan.WorkCompleted{Ref: ref(2), Title: "OAuth", By: plan.ByAgent, Summary: "s", Verification: []string{"v"}}), true,
			"✓ PLAN COMPLETED · OAuth · r2\n  Summary: s\n  Verified: v\n  Plan ID: 20250102T030405-oauth-0a1b2c3d\n" + approvedHash + "\n  Source: the agent"},
		{"an abandoned plan", (&script{t: t}).event(plan.WorkAbandoned{Ref: ref(2), Title: "OAuth", By: plan.ByUser}), false, "! PLAN ABANDONED · OAuth · r2"},
		{"planning on and off", (&script{t: t}).event(plan.PlanningEntered{}).event(plan.PlanningLeft{}), false, "Plan mode on\n\nPlan mode off"},
		{"a change of mode is said once", (&script{t: t}).event(plan.PlanningEntered{}).add(tree.KindNotice, tree.Notice{Level: tree.Info, Text: "Plan Mode is on."}), false, "\nPlan Mode is on."},
		{"a parked draft is named", (&script{t: t}).event(plan.RevisionSubmitted{Ref: ref(3), Author: plan.ByAgent}).event(plan.PlanningLeft{}), false, "Plan saved as r3\n\nPlan mode off · draft r3 parked"},
		{"a review that closes inside a call is told once", (&script{t: t}).call("c1", "submit_plan", tool.SubmitArgs{Title: "OAuth"}).
			event(plan.ReviewClosed{Outcome: plan.OutcomeKept}).
			answer(tree.ToolResult{Call: "c1", Name: "submit_plan", Details: tool.Marshal(details2(tool.DetailKeepPlanning))}), false, "● Plan review kept as draft · OAuth · r2"},
		{"a review that the person cancelled needs no reason", (&script{t: t}).event(plan.ReviewClosed{Outcome: plan.OutcomeCancelled, Reason: "the person cancelled the review"}), false, "Review cancelled"},
		{"a review that closes alone is told", (&script{t: t}).event(plan.ReviewClosed{Outcome: plan.OutcomeFailed, Reason: "exit 1"}), false, "! Review failed · exit 1"},
		{"a handoff is one line", (&script{t: t}).add(tree.KindHandoff, tree.Handoff{Ref: ref(2), Title: "OAuth", Text: "# Plan"}), false, "→ Approved plan handed to the agent · OAuth · r2"},
		{"notices by level", (&script{t: t}).add(tree.KindNotice, tree.Notice{Level: tree.Info, Text: "a"}).add(tree.KindNotice, tree.Notice{Level: tree.Warning, Text: "b"}).add(tree.KindNotice, tree.Notice{Level: tree.Failure, Text: "c"}), false, "a\n\n! b\n\n✗ c"},
		{"an unknown kind is shown as such", (&script{t: t}).add("from_the_future", map[string]any{}), false, `unknown entry "from_the_future"`},
		{"a leaf move is not shown", (&script{t: t}).add(tree.KindLeaf, tree.Leaf{}).user("x"), false, "\n> x"},
		{"a read", (&script{t: t}).call("c", "read", map[string]any{"path": "a.go"}).answer(tree.ToolResult{Call: "c", Name: "read", Text: "1\n2\n3\n"}), false, "● read a.go                                                                              3 lines"},
		{"a search names where", (&script{t: t}).call("c", "grep", map[string]any{"pattern": "x", "path": "src"}).answer(tree.ToolResult{Call: "c", Name: "grep"}), false, "● grep x in src                                                                        no output"},
		{"a failed command", (&script{t: t}).call("c", "bash", map[string]any{"command": "false"}).answer(tree.ToolResult{Call: "c", Name: "bash", Text: "boom", Error: true, Details: tool.Marshal(tool.OutputDetails{Command: "false", Exit: 1, Millis: 1234})}), false,
			"✗ bash false                                                                        exit 1, 1.2s\n  ⎿ boom"},
		{"an edit expanded shows its diff", (&script{t: t}).call("c", "edit", map[string]any{"path": "a.go"}).answer(tree.ToolResult{Call: "c", Name: "edit", Text: "ok", Details: tool.Marshal(tool.FileDetails{Path: "a.go", Diff: "@@ -1 +1 @@\n-a\n+b\n", Added: 1, Removed: 1})}), true,
			"● edit a.go                                                                                +1 -1\n    @@ -1 +1 @@\n    -a\n    +b"},
		{"calls stand together", (&script{t: t}).user("x").call("a", "ls", nil).answer(tree.ToolResult{Call: "a", Name: "ls", Text: "f"}).call("b", "ls", nil).answer(tree.ToolResult{Call: "b", Name: "ls", Text: "f"}), false,
			"> x\n\n● ls                                                                                      1 line\n● ls                                                                                      1 line"},
		{"hostile text is plain", (&script{t: t}).user("a\x1b[2Jb\x1b]0;t\ac\u202e").say("x\x1b[31m").add(tree.KindNotice, tree.Notice{Text: "n\x9b2J"}), false, "> abc\n\nx\n\nn\uFFFD2J"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := show(t, c.give, 96, c.expanded); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestALongTitleLeavesTheRevisionInSight(t *testing.T) {
	p := pen{t: theme.New(theme.Options{}), width: 60}
	long := strings.Repeat("long 标题 ", 20)
	for _, line := range []string{
		p.entitled("●", p.t.Text, "Plan changes requested", long, "r12"),
		p.labelled(p.t.Text, "✓ PLAN APPROVED", long, "r12"),
	} {
		if line = ansi.Strip(line); !strings.HasSuffix(line, "… · r12") || theme.Width(line) > 60 {
			t.Errorf("drawn as %q", line)
		}
	}
}

func TestLongAnnotationsAreCut(t *testing.T) {
	d := details2(tool.DetailChangesRequested)
	for range 20 {
		d.Annotations = append(d.Annotations, plan.Annotation{Body: "b"})
	}
	if got := show(t, submitted(t, d, false, ""), 96, true); !strings.Contains(got, "… +8 more lines") {
		t.Errorf("twenty annotations are not cut to twelve lines:\n%s", got)
	}
}

func TestLiveCalls(t *testing.T) {
	s := (&script{t: t}).call("c", "bash", map[string]any{"command": "make"})
	tr := New(plain, "")
	tr.Append(Prepare(s.items))
	tr.SetLive(session.Live{Text: "so far", Calls: []session.LiveCall{
		{ID: "c", Name: "bash", Output: "1\n2\n3\n4\n5\x1b[2J"},
		{ID: "d", Name: "write", Args: `{"path":"b.go"}`, Waiting: true},
		{ID: "e", Name: "write", Args: `{"path":"c.go"}`, Pending: true},
	}})
	want := "● bash make                      running\n    2\n    3\n    4\n    5\n\nso far\n● write b.go             waiting for you\n● write c.go                   not begun"
	tr.list.Top()
	if got := draw(tr, 40, 20); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	tr.SetLive(session.Live{})
	tr.list.Top()
	if got, want := draw(tr, 40, 20), "● bash make                 not finished"; got != want {
		t.Errorf("after the turn:\n%s\nwant:\n%s", got, want)
	}
}

func TestAManagedCallIsNotShownAsRunningAfterItsEnd(t *testing.T) {
	s := (&script{t: t}).call("c1", "submit_plan", tool.SubmitArgs{Title: "OAuth", Markdown: "secret"}).
		call("c2", "complete_plan", tool.CompleteArgs{Revision: 2}).
		event(plan.ReviewClosed{Outcome: plan.OutcomeInterrupted})
	tr := New(plain, "")
	tr.Append(Prepare(s.items))
	tr.SetLive(session.Live{Calls: []session.LiveCall{{ID: "c1", Name: "submit_plan"}, {ID: "c2", Name: "complete_plan"}}})
	tr.list.Top()
	if got, want := draw(tr, 60, 20), "● Reviewing Plan: OAuth…\n● Completing Plan · r2"; got != want {
		t.Errorf("while they run:\n%s\nwant:\n%s", got, want)
	}
	tr.SetLive(session.Live{})
	tr.list.Top()
	if got, want := draw(tr, 60, 20), "● Plan review not finished · OAuth\n● Plan completion not finished · r2\n\n! Review interrupted, nothing was decided"; got != want {
		t.Errorf("left behind:\n%s\nwant:\n%s", got, want)
	}
	s.answer(tree.ToolResult{Call: "c1", Name: "submit_plan", Details: tool.Marshal(details2(tool.DetailKeepPlanning))})
	tr.Append(Prepare(s.items[3:]))
	tr.list.Top()
	if got, want := draw(tr, 60, 20), "● Plan review kept as draft · OAuth · r2\n● Plan completion not finished · r2"; got != want {
		t.Errorf("answered after all:\n%s\nwant:\n%s", got, want)
	}
}

func TestStreamingInPiecesDrawsTheWhole(t *testing.T) {
	full := "first line that wraps somewhere\n\n计划 second\npartial tail of words"
	var s streaming
	p := pen{t: plain, width: 12}
	for i := range len(full) {
		if full[i]&0xc0 != 0x80 {
			s.lines(p, full[:i], "")
		}
	}
	var cold streaming
	if got, want := fmt.Sprint(s.lines(p, full, "")), fmt.Sprint(cold.lines(p, full, "")); got != want {
		t.Errorf("piecewise %s\nwhole %s", got, want)
	}
}

func TestMarkdownIsRenderedByJobs(t *testing.T) {
	body := "# Title\n\n" + strings.Repeat("some **bold** words ", 30)
	tr := New(plain, "")
	tr.Append(Prepare((&script{t: t}).say(body).items))
	tr.list.Top()
	if got := draw(tr, 60, 40); !strings.Contains(got, "**bold**") {
		t.Fatalf("the first frame is not the plain text:\n%s", got)
	}
	jobs := tr.Jobs()
	if len(jobs) != 1 {
		t.Fatalf("%d jobs, want 1", len(jobs))
	}
	draw(tr, 60, 40)
	if again := tr.Jobs(); len(again) != 0 {
		t.Fatalf("a job that is being worked on was handed out again")
	}
	draw(tr, 40, 40) // a resize makes the first job stale
	tr.Deliver(jobs[0].Run())
	if got := draw(tr, 40, 40); !strings.Contains(got, "**bold**") {
		t.Fatalf("a rendering for another width was shown:\n%s", got)
	}
	if got := draw(tr, 60, 40); strings.Contains(got, "**bold**") || !strings.Contains(got, "bold") {
		t.Fatalf("the rendering was not shown:\n%s", got)
	}
}

func TestNoLineIsWiderThanTheWidth(t *testing.T) {
	s := &script{t: t}
	long := strings.Repeat("计划 word 👍🏽 ", 20)
	d := details2(tool.DetailChangesRequested)
	d.Title, d.Annotations = long, []plan.Annotation{{Body: long}}
	s.user(long).say("# "+long+"\n\n```\n"+long+"\n```\n\n| a | b |\n|---|---|\n| "+long+" | x |\n").
		call("c", "bash", map[string]any{"command": long}).answer(tree.ToolResult{Call: "c", Name: "bash", Text: long, Error: true}).
		event(plan.PlanApproved{Ref: ref(1), Title: long, Steps: 3}).event(plan.WorkAbandoned{Ref: ref(1), Title: long, Summary: long})
	s.items = append(s.items, submitted(t, d, false, long).items...)
	for _, th := range []*theme.Theme{plain, theme.New(theme.Options{}), theme.New(theme.Options{ASCII: true})} {
		for width := 1; width <= 200; width++ {
			for i := range s.items {
				tr := New(th, "Ctrl+O")
				tr.SetExpanded(width%2 == 0)
				tr.Append(Prepare(s.items))
				if s.items[i].Kind == tree.KindAssistant && width%20 != 0 {
					continue // the renderer is slow
				}
				for _, l := range tr.Render(i, width) {
					if w := ansi.StringWidth(l); w > width {
						t.Fatalf("width %d: %d cells in %q", width, w, l)
					}
				}
			}
		}
	}
}

func BenchmarkScrollHundredThousandEntries(b *testing.B) {
	s := &script{t: b}
	for i := range 100_000 {
		s.user(fmt.Sprintf("message %d", i))
	}
	tr := New(plain, "")
	tr.Append(Prepare(s.items))
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			tr.list.PageUp()
		} else {
			tr.SetLive(session.Live{Text: "x"})
		}
		tr.View(120, 40)
	}
}
