package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muesli/mango"
	mangocobra "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

// manCommand prints the manual page, made from the commands themselves so that it
// cannot tell anything else.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page (roff)",
		Long:  "Print the manual page. To read it: planmode man | man -l -",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := manPage(cmd.Root())
			if err == nil {
				err = print(cmd.OutOrStdout(), page)
			}
			if err != nil {
				return &codeError{exitError, fmt.Errorf("make the manual page: %w", err)}
			}
			return nil
		},
	}
}

func manPage(root *cobra.Command) (string, error) {
	for _, c := range root.Commands() {
		// cobra's own, which have a section below instead of their many lines.
		c.Hidden = c.Hidden || slices.Contains([]string{"completion", "help"}, c.Name())
	}
	// It is also the head of every page, where there is no room for root.Short.
	const about = "plan read-only, review, approve"
	page := mango.NewManPage(1, root.Name(), about).WithLongDescription(strings.ReplaceAll(root.Long, "\n", " "))
	if err := mangocobra.AddCommand(page, root); err != nil {
		return "", err
	}
	unquote(&page.Root)
	for _, s := range [][2]string{
		{"Completion", "planmode completion bash, zsh, fish or powershell prints a script for that shell; planmode completion bash --help says where to put it."},
		{"Files", "$PLANMODE_HOME/{config,data,state,run}, else the folder planmode in the usual XDG directories. A copy of data is a whole backup."},
		{"Environment", "PLANMODE_HOME names one directory for everything; REVDIFF_BIN the reviewer; NO_COLOR is respected."},
		{"Review gates", "planmode annotate TARGET asks the person on the terminal and answers on standard output, where nothing else is written. --gate offers an approval; --json and --hook choose the answer's form; --require-approval and --result-file FILE need --gate --json and fail closed. planmode annotate --help has all of it."},
		{"Exit status", "0; 1 an error; 2 a mistake in the call, or no terminal; 129, 130, 143 ended by a signal."},
	} {
		page = page.WithSection(s[0], s[1])
	}
	return page.Build(roff.NewDocument()), nil
}

// unquote takes out the back quotes by which cobra knows the name of a value.
func unquote(c *mango.Command) {
	for name, f := range c.Flags {
		f.Usage = strings.ReplaceAll(f.Usage, "`", "")
		c.Flags[name] = f
	}
	for _, sub := range c.Commands {
		unquote(sub)
	}
}
