package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

func sessionsRemoveCommand() *cobra.Command {
	var yes, force bool
	c := &cobra.Command{
		Use:   "rm SESSION...",
		Short: "Remove conversations for good (a dry run without --yes)",
		Long: "Remove conversations for good: the log, the draft of the next message, and what lies beside them.\n" +
			"Plans, their revisions and decisions stay. Without --yes nothing is removed, and the files are listed.\n" +
			"A session that a planmode has open is never removed; one with open work only with --force.",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(func(s *store.Store) error {
				refused := 0
				for _, id := range args {
					if err := removeSession(cmd, s, id, archive.RemoveOptions{DryRun: !yes, Force: force}); err != nil {
						fmt.Fprintf(cmd.ErrOrStderr(), "planmode: %s\n", text.Line(err.Error()))
						refused++
					}
				}
				if refused > 0 {
					return fmt.Errorf("%d of %s refused", refused, text.Count(len(args), "session"))
				}
				if !yes {
					fmt.Fprintln(cmd.ErrOrStderr(), "planmode: nothing was removed; --yes removes these files for good. Plans stay.")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "remove; without it only the files are listed")
	c.Flags().BoolVar(&force, "force", false, "also when its work is open, or may be")
	return c
}

func removeSession(cmd *cobra.Command, s *store.Store, id string, o archive.RemoveOptions) error {
	r, err := archive.Remove(s, id, o)
	if err != nil {
		return explain(r.Summary, err)
	}
	done := "removed"
	if o.DryRun {
		done = "would remove"
	}
	return printFiles(cmd.OutOrStdout(), done, r.Files)
}

func printFiles(w io.Writer, done string, files []string) error {
	var b strings.Builder
	for _, path := range files {
		fmt.Fprintf(&b, "%s %s\n", done, text.Line(path))
	}
	return print(w, b.String())
}

// explain says why a session stays, and what to do.
func explain(s archive.Summary, err error) error {
	var held *store.HeldError
	switch {
	case errors.As(err, &held):
		return fmt.Errorf("not removed: %w; quit that planmode first", held)
	case errors.Is(err, archive.ErrOpenWork) && s.Plan != nil:
		return fmt.Errorf("session %s is not removed: the work on %q r%d is %s; planmode --resume %s and complete or abandon it, or add --force",
			s.ID, s.Plan.Title, s.Plan.Revision, s.Work, s.ID)
	case errors.Is(err, archive.ErrOpenWork):
		return fmt.Errorf("session %s is not removed: its work is %s; planmode --resume %s and complete or abandon it, or add --force", s.ID, s.Work, s.ID)
	case errors.Is(err, archive.ErrDamaged):
		return fmt.Errorf("session %s is not removed: parts of it cannot be read, and it may have open work; planmode sessions show %s says more, --force removes it", s.ID, s.ID)
	}
	return err
}
