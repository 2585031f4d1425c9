package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/store"
	"planmode/tui/changes"
	"planmode/tui/theme"
)

// planDiff is what `plans diff --json` prints.
type planDiff struct {
	ID  plan.ID `json:"id"`
	Old int     `json:"old"`
	New int     `json:"new"`
	changes.Diff
}

func plansDiffCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff PLAN [rA [rB]]",
		Short: "Compare two revisions of a plan",
		Long: "Compare two revisions: rA with rB, rA with the latest, or the latest with the one it is based on. On a\n" +
			"terminal the changed words are marked; --json names them. Ends with 0, also when there is no change.",
		Args:              cobra.RangeArgs(1, 3),
		ValidArgsFunction: completePlanRefs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlans(func(s *store.Store) error {
				d, err := comparePlan(s, args)
				if err != nil {
					return err
				}
				out := cmd.OutOrStdout()
				if asJSON {
					return printJSON(out, d)
				}
				head := fmt.Sprintf("--- %s r%d\n+++ %s r%d\n", d.ID, d.Old, d.ID, d.New)
				if !isTerminal(out) {
					return print(out, head+d.Plain())
				}
				th := theme.New(theme.Options{Dark: true})
				styled := colorprofile.NewWriter(out, os.Environ())
				return print(styled, head+strings.Join(append(d.Styled(th), ""), "\n"))
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// comparePlan compares the two revisions that the arguments name.
func comparePlan(s *store.Store, args []string) (planDiff, error) {
	var numbers []int
	for _, a := range args[1:] {
		n, err := revisionNumber(a)
		if err != nil {
			return planDiff{}, usage(err)
		}
		numbers = append(numbers, n)
	}
	id, err := archive.FindPlan(s, args[0])
	if err != nil {
		return planDiff{}, err
	}
	m, err := s.Manifest(id)
	if err != nil {
		return planDiff{}, err
	}
	d := planDiff{ID: id, New: m.CurrentRevision}
	switch len(numbers) {
	case 0:
		if d.Old = m.Revisions[d.New-1].BasedOn; d.Old == 0 {
			return planDiff{}, fmt.Errorf("%s r%d is based on no other revision; there is nothing to compare it with", id, d.New)
		}
	case 1:
		d.Old = numbers[0]
	case 2:
		d.Old, d.New = numbers[0], numbers[1]
	}
	var texts [2]string
	for i, n := range []int{d.Old, d.New} {
		ref, ok := m.Ref(n)
		if !ok {
			return planDiff{}, fmt.Errorf("%s r%d: %w", id, n, store.ErrNoRevision)
		}
		b, err := s.Revision(ref)
		if err != nil {
			return planDiff{}, err
		}
		texts[i] = string(b)
	}
	d.Diff = changes.Of(texts[0], texts[1])
	return d, nil
}

func terminalFile(f *os.File) bool { return term.IsTerminal(f.Fd()) }
