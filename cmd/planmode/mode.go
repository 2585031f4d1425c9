package main

import (
	"slices"

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

// alwaysAllow keeps a rule in the configuration, also for the sessions that this
// run goes on to. A run that keeps nothing has none.
func (a *app) alwaysAllow() func(rule string) error {
	if a.flags.noSession {
		return nil
	}
	return func(rule string) error {
		if err := a.store.AllowRule(rule); err != nil {
			return err
		}
		a.config.Permissions.Allow = append(slices.Clip(a.config.Permissions.Allow), rule)
		return nil
	}
}
