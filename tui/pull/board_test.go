package pull

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan/agent"
	"planmode/plan/pull/run"
	"planmode/tui/theme"
)

var begun = time.Date(2026, 12, 1, 7, 0, 0, 0, time.UTC)

// at is so many seconds after the run began.
func at(seconds float64) time.Time {
	return begun.Add(time.Duration(seconds * float64(time.Second)))
}

// busy is a board in the middle of a run in which most of what can happen has.
func busy() *Board {
	b := NewBoard("https://github.com/org/repo/pull/12", begun)
	take := func(s float64, p run.Progress) { b.Take(p, at(s)) }
	take(0, run.Progress{Job: "context", What: "started"})
	take(4, run.Progress{Job: "context", What: "passed", Elapsed: 4 * time.Second, Usage: agent.Usage{InputTokens: 9000, OutputTokens: 300, Cost: 0.0312}})
	for i, name := range []string{"correctness", "安全与权限检查以及输入验证", "tests", "performance"} {
		take(4, run.Progress{Job: "chunk:" + name, What: "started"})
		take(5, run.Progress{Job: "chunk:" + name, What: "activity", Line: `read {"path":"internal/导出/a` + fmt.Sprint(i) + `.go","revision":"head"}`, Usage: agent.Usage{InputTokens: 700 * i}})
	}
	take(9, run.Progress{Job: "chunk:tests", What: "refused", Line: "chunk.coverage[2].path: is\x1b[31m not in the context", Elapsed: 5 * time.Second})
	take(9, run.Progress{Job: "chunk:tests", What: "started", Repeated: true})
	take(11, run.Progress{Job: "chunk:performance", What: "passed", Elapsed: 7 * time.Second, Usage: agent.Usage{InputTokens: 1_200_000, Cost: 1.5}})
	take(12, run.Progress{Job: "chunk:correctness", What: "failed", Line: "the provider\nrefused: too many requests", Elapsed: 8 * time.Second})
	return b
}

func TestTheBoardLooksAsItShould(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {160, 50}, {20, 5}} {
		for name, still := range map[string]bool{"moving": false, "still": true} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				th := theme.New(theme.Options{Dark: true, ASCII: still})
				lines := busy().Lines(Look{th, still, at(75.31)}, size[0], size[1])
				for i, l := range lines {
					if w := theme.Width(l); w != size[0] {
						t.Errorf("line %d is %d cells wide: %q", i, w, l)
					}
				}
				if len(lines) > size[1] {
					t.Errorf("%d lines for %d", len(lines), size[1])
				}
				golden.RequireEqual(t, ansi.Strip(strings.Join(lines, "\n")))
			})
		}
	}
}

func TestARoleThatRanWhenTheRunEndedIsShownAsStopped(t *testing.T) {
	b := busy()
	b.End(at(80))
	text := ansi.Strip(strings.Join(b.Lines(Look{Theme: theme.New(theme.Options{}), Now: at(500)}, 80, 20), "\n"))
	for _, want := range []string{"Reviewed https", "1:20 min", "stopped", "not reached"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestAFailureIsNeverFoldedAway(t *testing.T) {
	b := NewBoard("main..HEAD", begun)
	for i := range 40 {
		job := fmt.Sprintf("chunk:d%d", i)
		b.Take(run.Progress{Job: job, What: "started"}, begun)
		b.Take(run.Progress{Job: job, What: "passed"}, begun)
	}
	b.Take(run.Progress{Job: "chunk:last", What: "failed", Line: "lost"}, begun)
	text := ansi.Strip(strings.Join(b.Lines(Look{Theme: theme.New(theme.Options{}), Now: begun}, 40, 6), "\n"))
	if !strings.Contains(text, "failed: lost") || !strings.Contains(text, "40 passed") {
		t.Errorf("got\n%s", text)
	}
}

func TestWhatARoleDoesIsNamedByItsArgument(t *testing.T) {
	for line, want := range map[string]string{
		`grep {"path":"a","pattern":"secret"}`:     "grep secret",
		`read {"path":"a.go\u001b]0;x\u0007"}`:     "read a.go",
		`retrying in 4 s`:                          "retrying in 4 s",
		`find {}`:                                  "find",
		"\x1b[2Jcleared {\"path\":":                `cleared {"path":`,
		"read {\"path\":\"\u202egnp.exe\"}":        "read gnp.exe",
		"read {\"path\":\"中文/文件.go\", \"from\":3}": "read 中文/文件.go",
	} {
		if got := activity(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestLittleWorkIsNotDear(t *testing.T) {
	b := NewBoard("x", begun)
	if b.Dear(at(1)) {
		t.Error("a second is dear")
	}
	if !b.Dear(at(21)) {
		t.Error("20 s are not")
	}
	b.Take(run.Progress{Job: "context", What: "activity", Usage: agent.Usage{InputTokens: 30_000}}, at(1))
	if !b.Dear(at(1)) {
		t.Error("30,000 tokens are not")
	}
}
