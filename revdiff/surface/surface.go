// Package surface opens a place where a reviewer can be drawn when this terminal is
// none: a window or a popup of tmux, a pane of zellij, or what a launcher of the
// person's own opens. It starts programs from lists of arguments, never through a
// shell. A surface that could not be opened is an error with what to do about it; the
// end of its program decides nothing.
package surface

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"planmode/plan/process"
)

// Names of surfaces. Others are launchers of the person's own.
const (
	Auto      = "auto"
	Terminal  = "terminal"
	Tmux      = "tmux"
	TmuxPopup = "tmux-popup"
	Zellij    = "zellij"
	Inbox     = "inbox"
)

// Request is what a surface is to run: a whole command, and the id of the gate.
type Request struct {
	Command []string
	ID      string
}

// Surface is a place elsewhere.
type Surface struct {
	Name string
	argv []string // {id} stands for the id, a word that is {command} for all of the command
	env  []string
}

// Find is the surface with the name; for Auto, that of the multiplexer around us.
// ErrNone reports that there is none.
func Find(name string, env []string, launchers map[string][]string) (Surface, error) {
	if name == Auto {
		switch {
		case process.Lookup(env, "TMUX") != "":
			name = Tmux
		case process.Lookup(env, "ZELLIJ") != "":
			name = Zellij
		default:
			return Surface{}, ErrNone
		}
	}
	s := Surface{Name: name, env: env}
	if argv, ok := launchers[name]; ok {
		if s.argv = argv; len(argv) == 0 || !slices.Contains(argv, "{command}") {
			return Surface{}, fmt.Errorf("the launcher %q in gate.launchers needs a word that is {command}", name)
		}
		return s, nil
	}
	switch name {
	case Tmux:
		s.argv = []string{"tmux", "new-window", "-n", "review", "{command}"}
	case TmuxPopup:
		s.argv = []string{"tmux", "display-popup", "-E", "-w", "95%", "-h", "95%", "{command}"}
	case Zellij:
		s.argv = []string{"zellij", "run", "--close-on-exit", "--name", "review", "--", "{command}"}
	default:
		own := slices.Sorted(maps.Keys(launchers))
		names := append([]string{Auto, Terminal, Tmux, TmuxPopup, Zellij, Inbox}, own...)
		return Surface{}, fmt.Errorf("there is no surface %q; there are %s", name, strings.Join(names, ", "))
	}
	return s, nil
}

// ErrNone reports that no surface can be opened from here.
var ErrNone = errors.New("no surface can be opened from here")

// Open runs the program of the surface until it ends, which may be at once.
func (s Surface) Open(ctx context.Context, r Request) error {
	argv := expand(s.argv, r)
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("open the surface %s: %w", s.Name, err)
	}
	res, err := process.Run(ctx, process.Command{Path: path, Args: argv[1:], Env: s.env})
	switch {
	case err != nil:
		return fmt.Errorf("open the surface %s: %w", s.Name, err)
	case res.Code != 0:
		return fmt.Errorf("open the surface %s: %s ended with %d: %s", s.Name, argv[0], res.Code, strings.TrimSpace(string(res.Output)))
	}
	return nil
}

func expand(argv []string, r Request) []string {
	var out []string
	for _, word := range argv {
		if word == "{command}" {
			out = append(out, r.Command...)
			continue
		}
		out = append(out, strings.ReplaceAll(word, "{id}", r.ID))
	}
	return out
}

// passed are the variables that a command needs on a surface whose server has an
// environment of its own.
var passed = []string{"PLANMODE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "REVDIFF_BIN", "NO_COLOR", "LANG", "LC_ALL"}

// Command is a command with the variables of env that say where things are.
func Command(env []string, argv ...string) []string {
	out := []string{"env"}
	for _, name := range passed {
		if v := process.Lookup(env, name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return append(out, argv...)
}
