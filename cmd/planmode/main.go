// Command planmode is a terminal in which a coding agent plans read-only, a
// person reviews and approves exact bytes, and only then the agent implements.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes of the app. The numbers are a contract with scripts.
const (
	exitOK    = 0
	exitError = 1
	exitUsage = 2
	exitInt   = 130
	exitTerm  = 143
	exitHup   = 129
)

// codeError carries an exit code up to main.
type codeError struct {
	code int
	err  error
}

func (e *codeError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *codeError) Unwrap() error { return e.err }

// usage marks err as a mistake in how the program was called.
func usage(err error) error { return &codeError{exitUsage, err} }

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return exitOK
	}
	var coded *codeError
	if !errors.As(err, &coded) {
		coded = &codeError{exitUsage, err} // cobra's own errors are about the call
	}
	if coded.err != nil {
		fmt.Fprintf(os.Stderr, "planmode: %v\n", coded.err)
	}
	return coded.code
}

// revision of the build, for --version: the module version or the commit.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "devel"
}

// flagUsages writes the id that --resume may have the way people read it.
func flagUsages(list string) string {
	given := "string[=\"" + chooseSession + "\"]"
	return strings.ReplaceAll(list, given, fmt.Sprintf("%-*s", len(given), "[ID]"))
}

func rootCommand() *cobra.Command {
	var f appFlags
	c := &cobra.Command{
		Use:           "planmode",
		Short:         "Plan read-only, review, approve exact bytes, then implement",
		Long:          "planmode is a terminal for working with a coding agent: it plans read-only, you\nreview the plan and approve its exact bytes, and only then does it implement.",
		Version:       buildVersion(),
		Args:          cobra.MaximumNArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.takeID(cmd.Flags().Changed("resume"), args); err != nil {
				return usage(err)
			}
			return runApp(cmd.Context(), f)
		},
	}
	c.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath()))
	})
	cobra.AddTemplateFunc("flagUsages", flagUsages)
	c.SetUsageTemplate(strings.ReplaceAll(c.UsageTemplate(), ".LocalFlags.FlagUsages", "flagUsages .LocalFlags.FlagUsages"))
	c.SetVersionTemplate("planmode {{.Version}}\n")
	c.CompletionOptions.HiddenDefaultCmd = true
	fl := c.Flags()
	fl.BoolVar(&f.plan, "plan", false, "start in Plan Mode")
	fl.BoolVarP(&f.resumeLast, "continue", "c", false, "continue the newest session of this directory")
	fl.StringVarP(&f.resume, "resume", "r", "", "resume a session by id, or from a list")
	fl.Lookup("resume").NoOptDefVal = chooseSession
	fl.StringVar(&f.adopt, "adopt", "", "continue approved plan `PLAN-ID` in a new session")
	fl.BoolVar(&f.noSession, "no-session", false, "keep nothing: all of it is removed at exit")
	c.AddCommand(reviewerCommand(), configCommand())
	return c
}
