package main

import "github.com/spf13/cobra"

// pullCommand holds the single steps of a pull-request review, for scripts and roles.
func pullCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "pull",
		Short: "Single steps of a pull-request review",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(pullValidateCommand())
	return c
}
