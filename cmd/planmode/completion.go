package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// nameShells makes an unknown shell an error that names the known ones: a script
// that sources the output must not get a help text.
func nameShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usage(fmt.Errorf("there is no completion for %q; there is for bash, zsh, fish and powershell", args[0]))
		}
	}
}
