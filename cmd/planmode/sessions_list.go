package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

// listMost is how many sessions a list shows unless all are asked for.
const listMost = 50

func sessionsListCommand() *cobra.Command {
	var here, all, asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List conversations, the one written to last first",
		Long: fmt.Sprintf("List conversations, the one written to last first: age, id, directory, title or first message,\n"+
			"number of entries, plan, and how its work stands. Without --all the newest %d.", listMost),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(func(s *store.Store) error {
				cwd, most := "", listMost
				if all {
					most = math.MaxInt
				}
				if here {
					var err error
					if cwd, err = os.Getwd(); err != nil {
						return fmt.Errorf("find the working directory: %w", err)
					}
				}
				list, more, err := archive.List(s, cwd, most)
				if err != nil {
					return err
				}
				if more > 0 {
					fmt.Fprintf(cmd.ErrOrStderr(), "planmode: %s not listed; --all lists every one.\n", text.Count(more, "older session"))
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), list)
				}
				if len(list) == 0 {
					fmt.Fprintln(cmd.ErrOrStderr(), "planmode: there are no sessions yet.")
					return nil
				}
				return print(cmd.OutOrStdout(), sessionTable(list, time.Now(), widthOf(cmd.OutOrStdout())))
			})
		},
	}
	c.Flags().BoolVar(&here, "here", false, "only sessions of this directory")
	c.Flags().BoolVar(&all, "all", false, "every session, not just the newest")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// sessionColumns say what gives way in a narrow terminal.
var sessionColumns = []column{
	{}, {least: 12, cut: shortID}, {least: 8, cut: shorten}, {least: 12}, {}, {least: 8}, {least: 12},
}

func sessionTable(list []archive.Summary, now time.Time, width int) string {
	rows := [][]string{{"AGE", "ID", "DIRECTORY", "TITLE", "ENTRIES", "PLAN", "WORK"}}
	for _, s := range list {
		work := workOf(s)
		if s.Holder != nil {
			work += ", open in process " + strconv.Itoa(s.Holder.PID)
		}
		if len(s.Problems) > 0 {
			work += ", damaged (see: sessions show)"
		}
		rows = append(rows, []string{
			age(now.Sub(s.Modified.Time)), s.ID, shorten(tilde(s.Directory), 32), text.Truncate(named(s), 40),
			strconv.Itoa(s.Entries), text.Truncate(planOf(s), 40), work,
		})
	}
	return fitted(rows, sessionColumns, width)
}

// shorten keeps the end of a path, which says most.
func shorten(path string, cells int) string {
	if text.Width(path) <= cells {
		return path
	}
	r := []rune(path)
	for len(r) > 0 && text.Width(string(r)) > cells-1 {
		r = r[1:]
	}
	return "…" + string(r)
}
