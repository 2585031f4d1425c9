package main

import (
	"github.com/spf13/cobra"

	"planmode/plan"
)

// completeModes offers the permission modes to the shell after --mode.
func completeModes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	for _, p := range plan.Permissions {
		out = append(out, string(p))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
