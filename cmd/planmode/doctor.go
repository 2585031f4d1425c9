package main

import (
	"fmt"
	"os"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"planmode/cmd/planmode/doctor"
	"planmode/plan/gate/harness"
	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/store"
)

func doctorCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Examine terminal, keys, reviewer, git, store and configuration",
		Long: "Examine what planmode needs: a line each with ok, warn or fail, and below what to do. Nothing is\n" +
			"changed. The exit code is 1 when something failed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := surroundings()
			if err != nil {
				return &codeError{exitError, err}
			}
			r := doctor.Examine(cmd.Context(), s)
			write := r.Text
			if asJSON {
				write = r.JSON
			}
			if err := write(cmd.OutOrStdout()); err != nil {
				return &codeError{exitError, fmt.Errorf("write the findings: %w", err)}
			}
			if n := r.Count(doctor.Fail); n > 0 {
				return &codeError{exitError, fmt.Errorf("%s failed; see the lines that begin with fail", text.Count(n, "check"))}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func surroundings() (doctor.Surroundings, error) {
	s := doctor.Surroundings{Getenv: os.Getenv, Environ: os.Environ(), Terminal: lookAtTerminal(), Build: build(), Now: time.Now}
	var err error
	if s.Dir, err = os.Getwd(); err != nil {
		return s, fmt.Errorf("find the working directory: %w", err)
	}
	if s.Self, err = os.Executable(); err != nil {
		return s, fmt.Errorf("find planmode's own executable: %w", err)
	}
	for _, at := range []setup{{harness: harness.Claude}, {harness: harness.Claude, project: true}, {harness: harness.Gemini}, {harness: harness.Gemini, project: true}} {
		if path, err := at.settingsPath(); err == nil {
			s.Settings = append(s.Settings, doctor.Settings{Harness: at.harness, Path: path})
		}
	}
	s.Dirs, err = store.Locate(os.Getenv)
	return s, err
}

// lookAtTerminal asks the terminal itself, so that the output of doctor can be
// redirected.
func lookAtTerminal() doctor.Terminal {
	t := doctor.Terminal{
		In: term.IsTerminal(os.Stdin.Fd()), Out: term.IsTerminal(os.Stdout.Fd()),
		Profile: colorprofile.Env(os.Environ()),
	}
	terminal, err := process.OpenTerminal()
	if err != nil {
		return t
	}
	defer terminal.Close()
	t.Device = true
	if w, h, err := term.GetSize(terminal.File().Fd()); err == nil {
		t.Width, t.Height = w, h
	}
	return t
}
