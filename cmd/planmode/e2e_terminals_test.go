//go:build unix

package main_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"planmode/tui/tuitest"
)

// on is what a run sees as its terminal.
func (w *world) on(env ...string) {
	w.env = slices.DeleteFunc(w.env, func(v string) bool {
		return strings.HasPrefix(v, "TERM=") || strings.HasPrefix(v, "COLORTERM=")
	})
	w.env = append(w.env, env...)
}

// A review on every kind of terminal, also one that answers nothing: no start
// waits for an answer, and every end leaves the terminal as it was.
func TestEveryTerminalWillDo(t *testing.T) {
	for name, c := range map[string]struct {
		env  []string
		mute bool
		flat bool // nothing is bright on it
	}{
		"a console":                       {env: []string{"TERM=linux"}, mute: true},
		"a vt100":                         {env: []string{"TERM=vt100"}, mute: true},
		"screen":                          {env: []string{"TERM=screen"}, mute: true},
		"tmux":                            {env: []string{"TERM=tmux-256color", "TMUX=/nowhere,1,0"}},
		"kitty":                           {env: []string{"TERM=xterm-kitty", "COLORTERM=truecolor"}},
		"one that nobody knows":           {env: []string{"TERM=\x1b[31mnonsense"}, mute: true},
		"none named":                      {mute: true, flat: true},
		"no colours":                      {env: []string{"TERM=xterm-256color", "NO_COLOR=1"}},
		"a good one that answers nothing": {env: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}, mute: true},
		"hostile names of the place":      {env: []string{"TERM=xterm-256color", "TERM_PROGRAM=\x1b]0;owned\a", "HERDR_ENV=\x1b[2J", "COLORFGBG=\x1b;x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.on(c.env...)
			begin := tuitest.Start
			if c.mute {
				begin = tuitest.StartMute
			}
			cmd := w.command()
			started := time.Now()
			r := &run{Terminal: begin(t, cmd, 80, 24), w: w, t: t, cmd: cmd}
			r.WaitFor("demo · manual")
			if took := time.Since(started); took > 5*time.Second {
				t.Errorf("the first screen took %s", took)
			}
			r.plan("Add a shopping cart")
			if c.flat {
				r.Press("q")
				r.WaitFor("Decide on the plan")
				seen := time.Now()
				eventually(func() bool { return time.Since(seen) > time.Second })
			} else {
				r.end()
			}
			r.Press("k")
			r.WaitGone("Decide on the plan")
			w.decided("r1 kept")
			if strings.Contains(r.Title(), "owned") {
				t.Errorf("the title is %q", r.Title())
			}
			r.quit()
		})
	}
}
