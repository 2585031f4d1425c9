// Command planmode is a terminal in which a coding agent plans read-only, a
// person reviews and approves exact bytes, and only then the agent implements.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"planmode/plan/gate"
	"planmode/plan/text"
)

// Exit codes of the app. The numbers are a contract with scripts.
const (
	exitOK    = 0
	exitError = 1
	exitUsage = 2
	exitInt   = 130
	exitQuit  = 131
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
	if r, ok, err := gate.Parse(args); ok {
		return runGate(r, err)
	}
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
		complain(coded.err)
	}
	return coded.code
}

// complain tells an error on standard error. It may quote file names and arguments,
// so it is cleaned, and every line says who speaks.
func complain(err error) {
	for line := range strings.SplitSeq(strings.TrimSpace(text.Clean(err.Error())), "\n") {
		fmt.Fprintf(os.Stderr, "planmode: %s\n", line)
	}
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
		Version:       build().Version,
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
	c.SetVersionTemplate(versionLine())
	fl := c.Flags()
	fl.BoolVar(&f.plan, "plan", false, "start in Plan Mode")
	fl.BoolVarP(&f.resumeLast, "continue", "c", false, "continue the newest session of this directory")
	fl.StringVarP(&f.resume, "resume", "r", "", "resume a session by id, or from a list")
	fl.Lookup("resume").NoOptDefVal = chooseSession
	fl.StringVar(&f.adopt, "adopt", "", "continue `PLAN-ID`, approved or draft, here")
	fl.StringVar(&f.mode, "mode", "", "permission `MODE`: manual, yolo or auto")
	fl.StringVar(&f.model, "model", "", "run on `PROVIDER/MODEL`, or on demo")
	fl.BoolVar(&f.noSession, "no-session", false, "keep nothing: all of it is removed at exit")
	fl.BoolVar(&f.debug, "debug", false, "log more, and print the log's path at the end")
	c.ValidArgsFunction = f.completeID
	if err := c.RegisterFlagCompletionFunc("adopt", completePlans); err != nil {
		panic(err) // the flag is defined above
	}
	if err := c.RegisterFlagCompletionFunc("mode", completeModes); err != nil {
		panic(err)
	}
	if err := c.RegisterFlagCompletionFunc("model", completeModels); err != nil {
		panic(err) // the flag is defined above
	}
	c.AddCommand(reviewerCommand(), configCommand(), doctorCommand(), authCommand(), sessionsCommand(), plansCommand(), manCommand())
	c.AddCommand(append(gateCommands(), lastFeedbackCommand(), inboxCommand(), attachCommand(), gatesCommand(), reviewCommand(), mcpCommand())...)
	c.AddCommand(hookCommand(), installCommand(), uninstallCommand(), pullCommand())
	nameShells(c)
	return c
}
