package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tool"
	"planmode/revdiff"
	"planmode/tui/theme"
)

// called is what a command writes to the terminal itself.
func called(cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	raw, ok := cmd().(tea.RawMsg)
	if !ok {
		return ""
	}
	return fmt.Sprint(raw.Msg)
}

// alerting is a screen that may call the person, on a terminal of a kind.
func alerting(t *testing.T, env ...string) *still {
	s := newStill(newFake(t), theme.Options{Dark: true})
	s.opts.Notify = true
	s.Update(tea.EnvMsg(env))
	return s.sized(80, 24)
}

// secret must not leave the screen.
const secret = "Secret"

func needs() map[string]any {
	return map[string]any{
		"A plan is ready for review":      &revdiff.Job{Title: secret, Copy: secret},
		"A plan waits for your decision":  session.Card{Title: secret, Steps: []string{secret}},
		"The agent asks for permission":   session.Permit{Call: tool.Call{Name: secret}, Preview: tool.Preview{Title: secret, Body: secret}},
		"planmode has a question":         session.Question{Title: secret},
		"planmode has a question\x00also": session.Confirmation{Title: secret},
	}
}

func TestACallSaysWhatForAndNoMore(t *testing.T) {
	for what, spec := range needs() {
		what, _, _ := strings.Cut(what, "\x00")
		s := alerting(t, "TERM=xterm-256color")
		if got, want := called(s.alert(spec)), "\a\x1b]9;"+what+"\a"; got != want {
			t.Errorf("%T: wrote %q, want %q", spec, got, want)
		}
	}
}

func TestACallFollowsTheTerminal(t *testing.T) {
	const text = "The agent asks for permission"
	osc9, osc777 := "\a\x1b]9;"+text+"\a", "\a\x1b]777;notify;planmode;"+text+"\a"
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"nothing known", nil, osc9},
		{"iTerm2", []string{"TERM=xterm-256color", "TERM_PROGRAM=iTerm.app"}, osc9},
		{"one that knows both gets one", []string{"TERM=xterm-ghostty", "TERM_PROGRAM=ghostty"}, osc9},
		{"urxvt", []string{"TERM=rxvt-unicode-256color"}, osc777},
		{"foot", []string{"TERM=foot"}, osc777},
		{"GNOME Terminal", []string{"TERM=xterm-256color", "VTE_VERSION=7800"}, osc777},
		{"tmux within it", []string{"TERM=tmux-256color", "TMUX=/tmp/t,1,0", "VTE_VERSION=7800"}, osc9},
		{"a console", []string{"TERM=linux"}, "\a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := called(alerting(t, c.env...).alert(session.Permit{})); got != c.want {
				t.Errorf("wrote %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhenThereIsNoToast(t *testing.T) {
	const toast = "\a\x1b]9;The agent asks for permission\a"
	for _, c := range []struct {
		name string
		set  func(s *still)
		want string
	}{
		{"as usual", func(*still) {}, toast},
		{"turned off", func(s *still) { s.opts.Notify = false }, ""},
		{"the person's own command runs", func(s *still) { s.busy = true }, ""},
		{"Herdr shows its own", func(s *still) { s.opts.BellOnly = true }, "\a"},
		{"the terminal has the focus", func(s *still) { s.Update(tea.FocusMsg{}) }, "\a"},
		{"it had the focus", func(s *still) { s.Update(tea.FocusMsg{}); s.Update(tea.BlurMsg{}) }, toast},
		{"it had the focus before a review", func(s *still) {
			s.Update(tea.FocusMsg{})
			s.Update(reviewedMsg{req: &request{ctx: s.ctx}, exit: revdiff.Exit{Started: true}})
		}, toast},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := alerting(t)
			c.set(s)
			if got := called(s.alert(session.Permit{})); got != c.want {
				t.Errorf("wrote %q, want %q", got, c.want)
			}
		})
	}
}

func TestOneEventCallsOnce(t *testing.T) {
	s := alerting(t)
	if called(s.alert(&revdiff.Job{})) == "" {
		t.Error("a review does not call")
	}
	if got := called(s.alert(session.Card{})); got != "" {
		t.Errorf("the card of that review calls again: %q", got)
	}
	if called(s.alert(session.Card{})) == "" {
		t.Error("a card of its own does not call")
	}
	r := s.ask(session.Permit{})
	s.pull2()
	if cmd := s.followDesk(); called(cmd) != "" {
		t.Error("a request that is shown calls again")
	}
	s.opts.Desk.resolve(r, session.Grant{})
}

func TestTheStateIsInTheTitleAndTheTaskBar(t *testing.T) {
	none := tea.NewProgressBar(tea.ProgressBarNone, 0)
	warning, running := tea.NewProgressBar(tea.ProgressBarWarning, 100), tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	s := alerting(t, "TERM=xterm-ghostty", "TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.3")
	expect := func(when, title string, bar *tea.ProgressBar) {
		t.Helper()
		v := s.View()
		if v.WindowTitle != title {
			t.Errorf("%s: title %q, want %q", when, v.WindowTitle, title)
		}
		if (v.ProgressBar == nil) != (bar == nil) || bar != nil && *v.ProgressBar != *bar {
			t.Errorf("%s: progress %+v, want %+v", when, v.ProgressBar, bar)
		}
	}
	f := s.opts.Conductor.(*fake)
	expect("at rest", "planmode - shop", none)
	f.change(func(v *session.View) { v.Running, v.State.Mode = true, plan.ModePlanning })
	s.pull2()
	expect("while a turn runs", "working - planmode - shop - PLAN", running)
	r := s.ask(session.Permit{})
	expect("while it waits for the person", "needs you - planmode - shop - PLAN", warning)
	s.opts.Desk.resolve(r, session.Grant{})
	s.Update(deskMsg{})
	expect("after the answer", "working - planmode - shop - PLAN", running)
	s.open("Keys", "text")
	expect("with a text open", "working - planmode - shop - PLAN", running)
	s.opts.Notify = false
	s.draw()
	expect("turned off", "working - planmode - shop - PLAN", nil)
}

func TestProgressOnlyWhereItIsKnown(t *testing.T) {
	for _, c := range []struct {
		env  string
		want bool
	}{
		{"TERM=xterm-256color", false},
		{"TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=1.1.3", false},
		{"TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=1.2", true},
		{"TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=2", true},
		{"TERM_PROGRAM=ghostty", false},
		{"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.6.5", false},
		{"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.6.10", true},
		{"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=new", false},
		{"TERM_PROGRAM=WezTerm TERM_PROGRAM_VERSION=20240203-110809-5046fc22", false},
		{"TERM_PROGRAM=WezTerm TERM_PROGRAM_VERSION=20260101-1-a", true},
		{"VTE_VERSION=7800", false},
		{"VTE_VERSION=8003", true},
		{"VTE_VERSION=x", false},
		{"WT_SESSION=1", true},
		{"ConEmuANSI=ON", true},
		{"WT_SESSION=1 TMUX=x", false},
		{"WT_SESSION=1 STY=x", false},
		{"WT_SESSION=1 TERM=screen.xterm", false},
	} {
		env := tea.EnvMsg(strings.Fields(c.env))
		if got := abilitiesOf(env.Getenv).progress; got != c.want {
			t.Errorf("%s: %t", c.env, got)
		}
		if got := strings.Contains(Leftovers(env.Getenv), "\x1b]9;4;0\a"); got != c.want {
			t.Errorf("%s: the progress is put back: %t", c.env, got)
		}
	}
}

func TestThePersonComingBackHasTheWorkTreeLookedAt(t *testing.T) {
	s := alerting(t)
	f := s.opts.Conductor.(*fake)
	if !s.View().ReportFocus {
		t.Error("the terminal is not asked for the focus")
	}
	s.Update(tea.BlurMsg{})
	s.Update(tea.FocusMsg{})
	if f.looks != 1 {
		t.Errorf("%d looks", f.looks)
	}
}
