package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

// pruneAge is how old something must be to go, unless the person says otherwise.
const pruneAge = "90d"

func plansPruneCommand() *cobra.Command {
	var older string
	var keep int
	var yes, asJSON bool
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove old plans, conversations and drafts for good (a dry run without --yes)",
		Long: "Remove for good what was last written long ago: plans, conversations, unsent messages of conversations that\n" +
			"are gone, and the copies that reviews left. Open work, a draft or review of a conversation that stays,\n" +
			"what is damaged, and what another planmode has open are never removed. Without --yes nothing is removed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := span(older)
			if err != nil {
				return usage(fmt.Errorf("--older-than: %w", err))
			}
			if keep < 0 {
				return usage(errors.New("--keep takes a number from 0"))
			}
			return withPlans(func(s *store.Store) error {
				r, err := archive.Prune(s, archive.PruneOptions{Now: time.Now(), OlderThan: d, Keep: keep, DryRun: !yes})
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), r)
				} else {
					err = print(cmd.OutOrStdout(), pruneText(r, time.Now()))
				}
				failed := 0
				for _, x := range r.Removed {
					if x.Error != "" {
						failed++
					}
				}
				switch {
				case err != nil:
					return err
				case failed > 0:
					return fmt.Errorf("%d of %d could not be removed", failed, len(r.Removed))
				case !yes && len(r.Removed) > 0:
					fmt.Fprintln(cmd.ErrOrStderr(), "planmode: nothing was removed; --yes removes these for good.")
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&older, "older-than", pruneAge, "last written before `TIME`: 12h, 30d, 1y; 0 for whatever its age")
	c.Flags().IntVar(&keep, "keep", 0, "keep the newest `N` plans and conversations whatever their age")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "remove; without it only what would go is listed")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func pruneText(r archive.PruneReport, now time.Time) string {
	var b strings.Builder
	done := "removed"
	if r.DryRun {
		done = "would remove"
	}
	for _, x := range r.Removed {
		word := done
		if x.Error != "" {
			word = "KEPT"
		}
		fmt.Fprintf(&b, "%s %s %s  %s  %s", word, x.Kind, x.ID, age(now.Sub(x.Last.Time)), text.Truncate(text.Line(x.Title), 40))
		if x.Error != "" {
			fmt.Fprintf(&b, ": %s", x.Error)
		}
		b.WriteString("\n")
	}
	if len(r.Removed) == 0 {
		b.WriteString("there is nothing to remove\n")
	}
	for _, why := range slices.Sorted(maps.Keys(r.Kept)) {
		kind, rest, _ := strings.Cut(why, " ")
		if r.Kept[why] != 1 {
			rest = strings.Replace(rest, "that is", "that are", 1)
		}
		fmt.Fprintf(&b, "old but kept: %s %s\n", text.Count(r.Kept[why], kind), rest)
	}
	return b.String()
}
