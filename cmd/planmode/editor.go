package main

import (
	"fmt"
	"os"
	"os/exec"

	"planmode/plan/process"
	"planmode/tui"
)

// editor makes the person's own editor for a file, in the foreground with the
// terminal.
func (a *app) editor(path string) (tui.Foreground, error) {
	words := process.Editor(os.Getenv)
	program, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("find the editor %q (set VISUAL or EDITOR): %w", words[0], err)
	}
	return &process.Foreground{
		Terminal: a.terminal, Path: program, Args: append(words[1:], path), Env: os.Environ(), Dir: a.dir,
	}, nil
}
