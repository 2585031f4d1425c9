package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

// planItem is a plan as `plans list --json` prints it.
type planItem struct {
	ID               plan.ID         `json:"id"`
	Title            string          `json:"title"`
	Standing         string          `json:"standing"`       // one word for Status and Work together
	Status           plan.Status     `json:"status"`         // of the latest revision
	Work             plan.WorkStatus `json:"work,omitempty"` // of the latest approval
	Revision         int             `json:"revision"`
	ApprovedRevision int             `json:"approvedRevision,omitempty"`
	Directory        string          `json:"directory"`
	Sessions         []string        `json:"sessions"`
	Created          plan.Time       `json:"created"`
	Updated          plan.Time       `json:"updated"`
	Problem          string          `json:"problem,omitempty"`
}

func itemOf(p store.PlanInfo) planItem {
	item := planItem{
		ID: p.ID, Title: p.Title, Standing: p.Standing(), Status: p.Status, Work: p.Work, Revision: p.CurrentRevision,
		ApprovedRevision: p.ApprovedRevision, Directory: p.Cwd, Sessions: p.Sessions, Created: p.CreatedAt, Updated: p.UpdatedAt, Problem: p.Problem,
	}
	if item.Sessions == nil {
		item.Sessions = []string{}
	}
	return item
}

func plansListCommand() *cobra.Command {
	var f planFlags
	var all, asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List plans, the one changed last first",
		Long: fmt.Sprintf("List plans, the one changed last first: age, id, status, revision, title and directory. Without --all\n"+
			"the newest %d. In a narrow terminal the id is shown by its last eight digits, which every command takes.", listMost),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			now := time.Now()
			filter, err := f.filter(now)
			if err != nil {
				return err
			}
			return withPlans(func(s *store.Store) error {
				plans, err := s.Plans()
				if err != nil {
					return err
				}
				items, more := []planItem{}, 0
				for _, p := range plans {
					switch {
					case !filter.Match(p):
					case !all && len(items) == listMost:
						more++
					default:
						items = append(items, itemOf(p))
					}
				}
				if more > 0 {
					fmt.Fprintf(cmd.ErrOrStderr(), "planmode: %s not listed; --all lists every one.\n", text.Count(more, "older plan"))
				}
				switch {
				case asJSON:
					return printJSON(cmd.OutOrStdout(), items)
				case len(items) == 0 && len(plans) > 0:
					fmt.Fprintf(cmd.ErrOrStderr(), "planmode: none of %s is like that.\n", text.Count(len(plans), "plan"))
				case len(items) == 0:
					fmt.Fprintln(cmd.ErrOrStderr(), "planmode: there are no plans yet.")
				default:
					return print(cmd.OutOrStdout(), planTable(items, now, widthOf(cmd.OutOrStdout())))
				}
				return nil
			})
		},
	}
	f.add(c)
	c.Flags().BoolVar(&all, "all", false, "every plan, not just the newest")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// planColumns say what gives way in a narrow terminal.
var planColumns = []column{{}, {least: 8, cut: shortID}, {}, {}, {least: 12}, {least: 8, cut: shorten}}

func planTable(items []planItem, now time.Time, width int) string {
	rows := [][]string{{"AGE", "ID", "STATUS", "REV", "TITLE", "DIRECTORY"}}
	for _, p := range items {
		status := standingWord(p)
		rows = append(rows, []string{
			age(now.Sub(p.Updated.Time)), string(p.ID), status, revisionWord(p.Revision),
			text.Truncate(text.Line(p.Title), 48), shorten(tilde(text.Line(p.Directory)), 40),
		})
	}
	return fitted(rows, planColumns, width)
}

// revisionWord names a revision; one that is not known is a dash.
func revisionWord(n int) string {
	if n < 1 {
		return "-"
	}
	return fmt.Sprintf("r%d", n)
}

// standingWord is the standing in a word for a table.
func standingWord(p planItem) string {
	switch {
	case p.Standing == string(plan.StatusChangesRequested):
		return "changes"
	case p.Standing == "":
		return "-"
	}
	return text.Line(p.Standing)
}

// completePlanRefs offers the ids of plans to the shell.
func completePlanRefs(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 && cmd.Name() != "verify" && cmd.Name() != "discard" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completePlans(cmd, args, prefix)
}

// reachRows say what a completed revision touched.
func reachRows(r archive.Reach) [][]string {
	return [][]string{
		{"files named", archive.Files(r.Named, 0)},
		{"files changed", archive.Files(r.Touched, r.More)},
		{"changed, not named", archive.Files(r.Unplanned, 0)},
		{"named, not changed", archive.Files(r.Untouched, 0)},
	}
}
