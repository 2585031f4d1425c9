package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

// sessionsCommand is about conversations at rest. Its subcommands need no terminal.
func sessionsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sessions",
		Short: "List, show, export and remove conversations",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage(errors.New("say what to do with sessions: list, show, export or rm"))
		},
	}
	c.AddCommand(sessionsListCommand(), sessionsShowCommand(), sessionsExportCommand(), sessionsRemoveCommand())
	return c
}

// completeSessions offers the ids of sessions to the shell.
func completeSessions(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	err := withStore(func(s *store.Store) error {
		sessions, err := s.Sessions("")
		for _, info := range sessions {
			if strings.HasPrefix(info.ID, prefix) {
				out = append(out, cobra.CompletionWithDesc(info.ID, text.Truncate(cmp.Or(info.Title, info.First), 60)))
			}
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completePlans offers the ids of plans to the shell.
func completePlans(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	err := withStore(func(s *store.Store) error {
		plans, err := s.Plans()
		for _, p := range plans {
			if strings.HasPrefix(string(p.ID), prefix) {
				out = append(out, cobra.CompletionWithDesc(string(p.ID), text.Truncate(text.Line(p.Title), 60)))
			}
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// named is how a list calls a session.
func named(s archive.Summary) string { return cmp.Or(s.Title, s.First, "-") }

// planOf describes the plan of a session in a few words.
func planOf(s archive.Summary) string {
	if s.Plan == nil {
		return "-"
	}
	draft := ""
	if s.Plan.Draft {
		draft = "draft "
	}
	return fmt.Sprintf("%sr%d %s", draft, s.Plan.Revision, s.Plan.Title)
}

// workOf is how the work of a session stands.
func workOf(s archive.Summary) string { return cmp.Or(string(s.Work), "-") }

// tilde shortens a path in the home directory.
func tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" || home == "/" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == os.PathSeparator) {
		return "~" + rest
	}
	return path
}
