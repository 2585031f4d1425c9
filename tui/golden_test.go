package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/tui/keymap"
	"planmode/tui/theme"
)

// still is a model that is driven by hand, with a clock that stands.
type still struct {
	*model
	now time.Time
}

func newStill(f *fake, o theme.Options) *still {
	s := &still{now: start}
	keys, _ := keymap.New(nil)
	s.model = newModel(Options{Conductor: f, Desk: NewDesk(), Home: "/base/ada", Theme: "dark", Now: func() time.Time { return s.now }}, keys, theme.New(o))
	return s
}

// sized shows the fake's session at a size.
func (s *still) sized(w, h int) *still {
	s.Update(tea.WindowSizeMsg{Width: w, Height: h})
	s.pull2()
	for _, j := range s.transcript.Jobs() {
		s.transcript.Deliver(j.Run())
	}
	s.draw()
	for _, j := range s.transcript.Jobs() {
		s.transcript.Deliver(j.Run())
	}
	s.draw()
	return s
}

func (s *still) pull2() {
	s.Update(copyOf(s.opts.Conductor, s.transcript.Entries(), s.view.Epoch))
}

// ask puts a request on the desk and shows it.
func (s *still) ask(spec any) *request {
	r := &request{ctx: s.ctx, spec: spec, answer: make(chan any, 1)}
	s.opts.Desk.add(r)
	s.Update(deskMsg{})
	return r
}

func (s *still) screen() string {
	lines := strings.Split(ansi.Strip(s.frame.content), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

var steps = []string{"Read the callback handler", "Add the token store", "Move sessions", "Delete the old code", "Write tests", "Update the README"}

func explored(f *fake) *fake {
	return f.event(plan.PlanningEntered{}).
		user("Move the login to OAuth. Keep the old sessions working.").
		say("DEMO agent: I will look at how the login works today.\n\n- first the **handlers**\n- then the session store").
		tool("1", "ls", map[string]any{"path": "."}, "a\nb\nc", nil).
		tool("2", "grep", map[string]any{"pattern": "session", "path": "internal"}, "x\ny", nil)
}

// scenes are the states of the screen that have goldens.
var scenes = []struct {
	name string
	make func(f *fake)
	then func(s *still)
}{
	{"empty start", func(*fake) {}, nil},
	{"planning", func(f *fake) {
		explored(f)
		f.view.State = plan.State{Mode: plan.ModePlanning, Planning: &plan.Ref{}}
		f.view.Draft = planView("OAuth migration", 1, plan.StatusChangesRequested, steps...)
	}, func(s *still) { s.Update(tea.PasteMsg{Content: "also mention rollbacks"}) }},
	{"streaming", func(f *fake) {
		f.user("What is in here?")
		f.view.Running, f.view.Since = true, start.Add(-75*time.Second)
		f.view.Live = session.Live{Text: "There are three packages.\nThe first one is", Calls: []session.LiveCall{{ID: "z", Name: "bash", Args: `{"command":"go test ./..."}`, Output: "ok a\nok b\n"}}}
		f.queue = []string{"and then\nstop", "first the tests"}
	}, nil},
	{"card", func(f *fake) {
		explored(f)
		f.add(tree.KindToolCall, tree.ToolCall{Call: "9", Name: "submit_plan", Args: []byte(`{"title":"OAuth migration"}`)})
		f.view.Live.Calls = []session.LiveCall{{ID: "9", Name: "submit_plan"}}
		f.view.State.Mode = plan.ModePlanning
		f.view.Draft = planView("OAuth migration", 2, plan.StatusDraft, steps...)
	}, func(s *still) {
		s.ask(session.Card{Review: "r", Ref: ref(2), Title: "OAuth migration", Steps: steps, Compared: "r1 → r2: 12 lines added, 3 removed",
			Outcome: "No annotations were recorded.", Reviewer: "built-in reviewer", Start: session.RowKeep,
			Rows: []session.Row{session.RowApprove, session.RowRequestChanges, session.RowKeep, session.RowCancel, session.RowLeave}})
		s.now = s.now.Add(time.Second)
	}},
	{"checklist", func(f *fake) {
		f.user("Go on")
		f.view.State = plan.State{Mode: plan.ModeNormal, Work: &plan.Work{Ref: ref(1), Status: plan.Implementing}}
		f.view.Work = planView("OAuth migration", 1, plan.StatusApproved, steps...)
		f.view.Checklist = &tool.ChecklistDetails{Checklist: []tool.Step{{Step: "Read the handlers", Status: tool.StepCompleted},
			{Step: "迁移会话", Status: tool.StepInProgress}, {Step: "Run the tests", Status: tool.StepPending}}}
	}, func(s *still) { s.steps = true }},
	{"questions", func(f *fake) {
		explored(f)
		f.view.State.Mode = plan.ModePlanning
	}, func(s *still) {
		s.ask(session.QuestionSet{Questions: []tool.Inquiry{{Header: "范围", Question: "Which sessions are kept?", Options: []tool.Answer{
			{Label: "All", Recommended: true, Description: "nobody signs in again"}, {Label: "仅最近的"}}}, {Question: "b", Options: []tool.Answer{{Label: "x"}, {Label: "y"}}}}})
		s.now = s.now.Add(time.Second)
	}},
	{"permission", func(f *fake) { f.user("Tidy up") }, func(s *still) {
		s.ask(session.Permit{Call: tool.Call{Name: "bash"}, Preview: tool.Preview{Title: "Run a command", Body: "rm -rf build && make", Scope: "k", Meaning: "this exact command", Danger: "It deletes files."}})
		s.now = s.now.Add(time.Second)
	}},
	{"implementing", func(f *fake) {
		f.event(plan.PlanApproved{Ref: ref(2), Title: "OAuth migration", Steps: 6, By: plan.ByUser}).
			add(tree.KindHandoff, tree.Handoff{Ref: ref(2), Title: "OAuth migration", Text: "x"}).
			tool("1", "write", map[string]any{"path": "/tmp/demo/step-1.md"}, "ok", tool.FileDetails{Path: "/tmp/demo/step-1.md", Added: 12})
		f.view.State.Work = &plan.Work{Ref: ref(2), Status: plan.Implementing}
		f.view.Work = planView("OAuth migration", 2, plan.StatusApproved, steps...)
	}, func(s *still) { s.Update(tea.KeyPressMsg{Code: 'o', Mod: tea.ModCtrl | tea.ModAlt}) }},
	{"completed", func(f *fake) {
		f.event(plan.PlanApproved{Ref: ref(2), Title: "OAuth migration", Steps: 6, By: plan.ByUser}).
			event(plan.WorkCompleted{Ref: ref(2), Title: "OAuth migration", By: plan.ByAgent, Summary: "done"})
		f.view.State.Work = &plan.Work{Ref: ref(2), Status: plan.Completed}
		f.view.Work = planView("OAuth migration", 2, plan.StatusApproved, steps...)
	}, nil},
	{"chinese", func(f *fake) {
		f.event(plan.PlanningEntered{}).user("把登录迁移到 OAuth，保留旧的会话。👍🏽").
			say("DEMO agent：我先看看现在的登录是怎么做的。\n\n1. 处理程序\n2. 会话存储\n\n| 文件 | 行数 |\n|---|---|\n| 登录.go | 120 |")
		f.view.State = plan.State{Mode: plan.ModePlanning}
		f.view.Draft = planView("把登录迁移到授权服务并且保留所有旧的会话", 1, plan.StatusDraft, "阅读代码", "写计划")
	}, func(s *still) { s.Update(tea.PasteMsg{Content: "再加上回滚"}) }},
}

func TestGoldenScreens(t *testing.T) {
	sizes := [][2]int{{80, 24}, {40, 12}, {160, 50}}
	looks := []struct {
		name string
		o    theme.Options
	}{{"dark", theme.Options{Dark: true}}, {"ascii", theme.Options{Dark: true, ASCII: true}}}
	for _, sc := range scenes {
		for _, size := range sizes {
			for _, look := range looks {
				if look.o.ASCII && size[0] != 80 {
					continue
				}
				t.Run(fmt.Sprintf("%s %dx%d %s", sc.name, size[0], size[1], look.name), func(t *testing.T) {
					golden.RequireEqual(t, scene(t, sc.name, look.o, size[0], size[1]).screen())
				})
			}
		}
	}
}

func scene(t testing.TB, name string, o theme.Options, w, h int) *still {
	for _, sc := range scenes {
		if sc.name != name {
			continue
		}
		f := newFake(t)
		sc.make(f)
		s := newStill(f, o).sized(w, h)
		if sc.then != nil {
			sc.then(s)
			s.draw()
		}
		return s
	}
	t.Fatalf("no scene %q", name)
	return nil
}

func TestLightAndDarkDifferInColourOnly(t *testing.T) {
	for _, sc := range scenes {
		dark := scene(t, sc.name, theme.Options{Dark: true}, 80, 24)
		light := scene(t, sc.name, theme.Options{}, 80, 24)
		if dark.screen() != light.screen() {
			t.Errorf("%s: light and dark differ in text:\n%s\n%s", sc.name, dark.screen(), light.screen())
		}
		if dark.frame.content == light.frame.content {
			t.Errorf("%s: light and dark have the same colours", sc.name)
		}
	}
}

func TestEverySizeFits(t *testing.T) {
	for _, sc := range scenes {
		s := scene(t, sc.name, theme.Options{Dark: true}, 80, 24)
		for _, w := range []int{1, 2, 3, 5, 8, 13, 20, 39, 40, 57, 80, 131, 200} {
			for _, h := range []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 24, 60} {
				s.Update(tea.WindowSizeMsg{Width: w, Height: h})
				lines := strings.Split(s.frame.content, "\n")
				if len(lines) != h {
					t.Fatalf("%s at %dx%d: %d lines", sc.name, w, h, len(lines))
				}
				for _, l := range lines {
					if got := ansi.StringWidth(l); got != w {
						t.Fatalf("%s at %dx%d: a line of %d cells: %q", sc.name, w, h, got, l)
					}
				}
				if c := s.frame.cursor; c != nil && (c.X < 0 || c.X >= w || c.Y < 0 || c.Y >= h) {
					t.Fatalf("%s at %dx%d: cursor at %d,%d", sc.name, w, h, c.X, c.Y)
				}
			}
		}
	}
}

// A frame after any other state must be the frame a fresh screen would draw.
func TestWarmFramesEqualColdOnes(t *testing.T) {
	sizes := [][2]int{{80, 24}, {40, 12}, {100, 30}}
	for _, a := range sizes {
		for _, b := range sizes {
			warm := scene(t, "planning", theme.Options{Dark: true}, a[0], a[1])
			warm.sized(b[0], b[1])
			cold := scene(t, "planning", theme.Options{Dark: true}, b[0], b[1])
			if warm.frame.content != cold.frame.content {
				t.Errorf("%v after %v is drawn otherwise than afresh:\n%s\n%s", b, a, warm.screen(), cold.screen())
			}
		}
	}
}
