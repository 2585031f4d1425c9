package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"planmode/plan/session/archive"
	"planmode/store"
)

func sessionsShowCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "show SESSION",
		Short:             "Show what is known about one conversation",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(func(s *store.Store) error {
				sum, err := archive.Describe(s, args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), sum)
				}
				return print(cmd.OutOrStdout(), table(sessionRows(sum)))
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func sessionRows(s archive.Summary) [][]string {
	const layout = "2006-01-02 15:04:05"
	rows := [][]string{
		{"id", s.ID},
		{"directory", s.Directory},
		{"title", named(s)},
		{"created", s.Created.Local().Format(layout)},
		{"last written", s.Modified.Local().Format(layout)},
		{"entries", strconv.Itoa(s.Entries)},
		{"mode", string(s.Mode)},
		{"plan", planOf(s)},
		{"work", workOf(s)},
	}
	if s.Parent != "" {
		rows = append(rows, []string{"forked from", s.Parent})
	}
	if s.Plan != nil {
		rows = append(rows, []string{"plan id", string(s.Plan.ID)}, []string{"plan hash", string(s.Plan.Hash)})
	}
	if s.Holder != nil {
		rows = append(rows, []string{"open in", fmt.Sprintf("process %d on %s since %s", s.Holder.PID, s.Holder.Host, s.Holder.Since.Local().Format(layout))})
	}
	for _, p := range s.Problems {
		rows = append(rows, []string{"problem", p})
	}
	return append(rows, []string{"log", s.Path}, []string{"resume with", "planmode --resume " + s.ID})
}
