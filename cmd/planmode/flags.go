package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"planmode/plan"
)

// chooseSession stands for `--resume` without an id.
const chooseSession = "?"

// appFlags are the flags of the app itself.
type appFlags struct {
	plan       bool
	resumeLast bool
	resume     string
	adopt      string
	mode       string
	model      string
	noSession  bool
	debug      bool
}

// completeID offers session ids to the shell after --resume.
func (f *appFlags) completeID(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if !cmd.Flags().Changed("resume") || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeSessions(cmd, args, prefix)
}

// takeID reads the argument, which is only ever the id after `--resume`, and
// refuses flags that contradict each other.
func (f *appFlags) takeID(resumeGiven bool, args []string) error {
	if len(args) == 1 {
		if !resumeGiven || f.resume != chooseSession {
			return fmt.Errorf("unexpected argument %q (a session id goes after --resume)", args[0])
		}
		f.resume = args[0]
	}
	starts := 0
	for _, given := range []bool{resumeGiven, f.resumeLast, f.adopt != ""} {
		if given {
			starts++
		}
	}
	if starts > 1 {
		return errors.New("--continue, --resume and --adopt exclude each other")
	}
	if f.noSession && (resumeGiven || f.resumeLast || f.adopt != "") {
		return errors.New("--no-session starts from nothing: it excludes --continue, --resume and --adopt")
	}
	if f.mode != "" {
		if _, err := plan.ParsePermission(f.mode); err != nil {
			return fmt.Errorf("--mode: %w", err)
		}
	}
	if f.adopt != "" && f.plan {
		return errors.New("--adopt continues a plan, --plan starts a new one: choose one")
	}
	if f.adopt != "" {
		if _, err := plan.ParseID(f.adopt); err != nil {
			return fmt.Errorf("--adopt: %w", err)
		}
	}
	return nil
}
