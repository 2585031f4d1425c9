package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

func plansExportCommand() *cobra.Command {
	var output string
	var revision int
	c := &cobra.Command{
		Use:   "export PLAN[@rN]",
		Short: "Write a plan as Markdown, with its decision record",
		Long: "Write one revision as Markdown, with the decision record of the whole plan. The record comes first;\n" +
			"everything below the line is the text of the plan. An automatic approval says so.",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completePlanRefs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlans(func(s *store.Store) error {
				id, n, err := planRef(s, args[0])
				if err != nil {
					return err
				}
				if cmd.Flags().Changed("revision") {
					if revision < 1 || n > 0 {
						return usage(errors.New("--revision takes a number from 1, and excludes @rN"))
					}
					n = revision
				}
				if output == "" || output == "-" {
					return archive.ExportPlan(cmd.OutOrStdout(), s, id, n)
				}
				return exportTo(output, func(w io.Writer) error { return archive.ExportPlan(w, s, id, n) })
			})
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, which must not exist, instead of standard output")
	c.Flags().IntVar(&revision, "revision", 0, "revision `N` instead of the latest")
	return c
}

func plansImportCommand() *cobra.Command {
	var dry, asJSON bool
	c := &cobra.Command{
		Use:   "import PATH",
		Short: "Copy the plans of another store",
		Long: "Copy the plans of a pi-plan-mode store (version 2) or of another planmode: PATH is the directory of plans,\n" +
			"the one it lies in, or one plan. Nothing there is changed. A plan that is not what its manifest says is\n" +
			"refused, with the reason; one that is here already is left as it is. Ends with 1 if one was refused.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlans(func(s *store.Store) error {
				list, err := s.ImportPlans(args[0], dry)
				if err != nil {
					return err
				}
				if list == nil {
					list = []store.Import{}
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), list)
				} else {
					err = print(cmd.OutOrStdout(), importText(list, dry))
				}
				refused := 0
				for _, i := range list {
					if i.Outcome == store.Refused {
						refused++
					}
				}
				switch {
				case err != nil:
					return err
				case len(list) == 0:
					return fmt.Errorf("there is no plan in %s", args[0])
				case refused > 0:
					return fmt.Errorf("%d of %s refused", refused, text.Count(len(list), "plan"))
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "only say what would be imported")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func importText(list []store.Import, dry bool) string {
	words := map[store.ImportOutcome]string{store.Imported: "imported", store.Present: "already here", store.Refused: "REFUSED"}
	if dry {
		words[store.Imported] = "would import"
	}
	out := ""
	for _, i := range list {
		out += fmt.Sprintf("%-12s  %s", words[i.Outcome], text.Line(i.Name))
		switch {
		case i.Reason != "":
			out += ": " + text.Line(i.Reason)
		default:
			out += fmt.Sprintf("  %s (%s)", text.Line(i.Title), text.Count(i.Revisions, "revision"))
		}
		out += "\n"
	}
	return out
}

func plansDiscardCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "discard PLAN...",
		Short: "Mark drafts as discarded; their files are kept",
		Long: "Mark the current revision of drafts as discarded. Nothing is deleted, and a later revision is a draft again.\n" +
			"An approved plan, and a draft that an open session is planning on, are refused.",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completePlanRefs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlans(func(s *store.Store) error {
				refused := 0
				for _, a := range args {
					id, err := archive.FindPlan(s, a)
					if err == nil {
						_, err = archive.DiscardPlan(s, id, time.Now())
					}
					switch {
					case errors.Is(err, archive.ErrDiscarded):
						fmt.Fprintf(cmd.ErrOrStderr(), "planmode: %s was discarded before; nothing was changed\n", id)
					case err != nil:
						fmt.Fprintf(cmd.ErrOrStderr(), "planmode: %s\n", text.Line(err.Error()))
						refused++
					default:
						fmt.Fprintf(cmd.OutOrStdout(), "discarded %s; its files are kept\n", id)
					}
				}
				if refused > 0 {
					return fmt.Errorf("%d of %s refused", refused, text.Count(len(args), "plan"))
				}
				return nil
			})
		},
	}
}
