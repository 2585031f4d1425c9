package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/tui/theme"
)

const (
	open  = "<proposed_plan>\n"
	close = "</proposed_plan>\n"
)

func TestPlanCards(t *testing.T) {
	on := plan.PlanningEntered{}
	offer := "\n  Plan Mode was off, so nobody was asked. /plan take turns it on\n  and reviews this plan; nothing is approved by that."
	for _, tc := range []struct {
		name   string
		script func(*script) *script
		want   string
	}{
		{"a plan between text while planning", func(s *script) *script {
			return s.event(on).say("Look:\n" + open + "# Login\n\n1. Do\n" + close + "Well?\n")
		}, "Plan mode on\n\nLook:\n\n● Plan\n│ # Login\n│\n│ 1. Do\n\nWell?"},
		{"a plan alone", func(s *script) *script { return s.event(on).say(open + "Do it\n" + close) },
			"Plan mode on\n\n● Plan\n│ Do it"},
		{"an empty plan", func(s *script) *script { return s.event(on).say(open + close) },
			"Plan mode on\n\n● Plan\n│ (empty)"},
		{"a plan outside of planning has an offer", func(s *script) *script { return s.say(open + "Do it\n" + close) },
			"● Plan · not submitted\n│ Do it" + offer},
		{"so has one after planning was left", func(s *script) *script {
			return s.event(on).event(plan.PlanningLeft{}).say(open + "Do it\n" + close)
		}, "Plan mode on\n\nPlan mode off\n\n● Plan · not submitted\n│ Do it" + offer},
		{"of two plans the last counts", func(s *script) *script {
			return s.event(on).say(open + "A\n" + close + "or\n" + open + "B\n" + close)
		}, "Plan mode on\n\n● Plan · replaced by the plan below\n│ A\n\nor\n\n● Plan\n│ B"},
		{"a message that was interrupted", func(s *script) *script {
			return s.event(on).add(tree.KindAssistant, tree.Assistant{Text: open + "Do", Stopped: "interrupted"})
		}, "Plan mode on\n\n● Plan · unfinished, not submitted\n│ Do\n! interrupted"},
		{"a plan in a fence is warned of", func(s *script) *script {
			return s.event(on).say("Like\n```\n" + open + "Do it\n" + close)
		}, "Plan mode on\n\nLike\n\n● Plan\n  ! It stands in a code fence and may be an example.\n│ Do it"},
		{"a plan cut in its own fence is warned of", func(s *script) *script {
			return s.event(on).say(open + "```\n" + close + "rest\n")
		}, "Plan mode on\n\n● Plan\n  ! Its last tag stands in a code fence, so the plan may be cut\n    off.\n│ ```\n\nrest"},
		{"hostile text is cleaned", func(s *script) *script {
			return s.event(on).say(open + "Do\x1b[2J \u202eit\x1b]52;c;x\x07\n" + close)
		}, "Plan mode on\n\n● Plan\n│ Do it"},
		{"wide characters", func(s *script) *script { return s.event(on).say("看:\n" + open + "修改登录\n" + close) },
			"Plan mode on\n\n看:\n\n● Plan\n│ 修改登录"},
		{"a plan that was refused says why", func(s *script) *script {
			return s.add(session.KindFeedback, session.Feedback{Details: tool.PlanDetails{Kind: tool.DetailInvalid, Reason: "the block is empty"}})
		}, "✗ Plan not accepted · the block is empty"},
		{"the saved revision is told", func(s *script) *script {
			return s.event(plan.RevisionSubmitted{Ref: ref(2), Title: "Login", Author: plan.ByAgent})
		}, "Plan saved as r2 · Login"},
		{"but not beside a call that tells it", func(s *script) *script {
			return s.call("c1", "submit_plan", tool.SubmitArgs{Title: "OAuth"}).event(plan.RevisionSubmitted{Ref: ref(2), Title: "OAuth", Author: plan.ByAgent})
		}, "● Plan review not finished · OAuth"},
		{"a tag within a line is text", func(s *script) *script { return s.event(on).say("write " + open + "then") },
			"Plan mode on\n\nwrite <proposed_plan> then"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tr := New(plain, "Ctrl+O")
			tr.Append(Prepare(tc.script(&script{t: t}).items))
			tr.list.Top()
			draw(tr, 64, 60)
			for _, j := range tr.Jobs() {
				tr.Deliver(j.Run())
			}
			if got := draw(tr, 64, 60); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestAnArrivingPlanIsDrawnAsItCame(t *testing.T) {
	full := "Intro\n\n" + open + "# 计划 with a long line that wraps\n\n1. Do\n" + close + "Outro that is long\n<b>\n" + open + "again"
	p := pen{t: plain, width: 20}
	var warm arriving
	for i := range len(full) + 1 {
		if i < len(full) && full[i]&0xc0 == 0x80 {
			continue
		}
		lines := warm.lines(p, full[:i])
		var cold arriving
		if got, want := fmt.Sprint(lines), fmt.Sprint(cold.lines(p, full[:i])); got != want {
			t.Fatalf("after %q:\npiecewise %s\nwhole     %s", full[:i], got, want)
		}
		if s := ansi.Strip(strings.Join(lines, "\n")); strings.Contains(s, "<p") || strings.Contains(s, "</") {
			t.Fatalf("half a tag is shown:\n%s", s)
		}
	}
	want := "Intro\n\n● Plan (streaming)\n│ # 计划 with a\n│ long line that\n│ wraps\n│\n│ 1. Do\n\nOutro that is long\n<b>\n\n● Plan (streaming)\n│ again"
	if got := ansi.Strip(strings.Join(warm.lines(p, full), "\n")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wide := pen{t: plain, width: 60}
	var cold arriving
	if got, want := fmt.Sprint(warm.lines(wide, full)), fmt.Sprint(cold.lines(wide, full)); got != want {
		t.Errorf("after a resize:\n%s\nwant\n%s", got, want)
	}
	if got := warm.lines(wide, "other"); len(got) != 1 || got[0] != "other" {
		t.Errorf("the next message is drawn as %q", got)
	}
}

func TestPlanCardsFitAnyWidth(t *testing.T) {
	body := "x\n```\n" + open + "# 计划 word word\n\n```\n" + strings.Repeat("long ", 30) + "\n" + close + "y\n" + open + close
	for _, th := range []*theme.Theme{plain, theme.New(theme.Options{}), theme.New(theme.Options{ASCII: true})} {
		for width := 1; width <= 90; width++ {
			p := pen{t: th, width: width}
			var a arriving
			lines := a.lines(p, body)
			for _, st := range []standing{{}, {planning: true}, {stopped: true}} {
				lines = append(lines, message(p, body, st, unstyled(th))...)
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w > width {
					t.Fatalf("width %d: %d cells in %q", width, w, l)
				}
			}
		}
	}
}

func TestTheLastAnswerIsCopiedWithoutTags(t *testing.T) {
	tr := New(plain, "")
	tr.Append(Prepare((&script{t: t}).say("a\n" + open + "# P\n" + close + "b\n").items))
	if got, _ := tr.LastAnswer(); got != "a\n# P\nb\n" {
		t.Errorf("got %q", got)
	}
	if hits := tr.Searchable(10)(); len(hits) != 1 || strings.Contains(hits[0].Text, "proposed") {
		t.Errorf("found is %+v", hits)
	}
}

// One more token of a long plan must cost what the token costs.
func BenchmarkArrivingPlan(b *testing.B) {
	full := open + strings.Repeat("- A line of a plan as they are, with some `code` in it.\n", 4000)
	p := pen{t: plain, width: 100}
	var a arriving
	a.lines(p, full)
	for b.Loop() {
		full += "tok "
		a.lines(p, full)
	}
}
