package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

// verified is what `plans verify --json` prints.
type verified struct {
	Plans    []store.Verification `json:"plans"`
	Sessions []archive.Summary    `json:"sessions"` // of those that were examined, the ones with problems
	Examined int                  `json:"sessionsExamined"`
	Problems int                  `json:"problems"`
}

func plansVerifyCommand() *cobra.Command {
	var all, asJSON bool
	c := &cobra.Command{
		Use:   "verify [PLAN...]",
		Short: "Check that plans are what was stored: sums, hashes, chains, digests",
		Long: "Recompute the sum of the manifest, the hash of every revision, the chain, the digest of every decision and\n" +
			"the hash of the notes it was taken on, and name what differs. Without an argument (or with --all) every plan\n" +
			"is checked, and the checksums of every session log. Ends with 1 if something differs. It guards against\n" +
			"accidents, not against somebody who can write the data directory.",
		ValidArgsFunction: completePlanRefs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPlans(func(s *store.Store) error {
				v, err := verifyPlans(s, args, all)
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), v)
				} else {
					err = print(cmd.OutOrStdout(), verifyText(v, len(args) > 0))
				}
				if err == nil && v.Problems > 0 {
					err = fmt.Errorf("%s found; nothing was changed. A backup, or the session's own record (planmode sessions export), may have what is missing", text.Count(v.Problems, "problem"))
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&all, "all", false, "all plans, and all session logs")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func verifyPlans(s *store.Store, args []string, all bool) (verified, error) {
	v := verified{Plans: []store.Verification{}, Sessions: []archive.Summary{}}
	var ids []plan.ID
	for _, a := range args {
		id, err := archive.FindPlan(s, a)
		if err != nil {
			return v, err
		}
		ids = append(ids, id)
	}
	all = all || len(args) == 0
	if all {
		var err error
		if ids, err = s.PlanIDs(); err != nil {
			return v, err
		}
	}
	for _, id := range ids {
		one, err := s.Verify(id)
		if errors.Is(err, store.ErrNoPlan) && len(args) == 0 {
			continue // a submission that was never acknowledged
		}
		if err != nil {
			return v, err
		}
		v.Plans = append(v.Plans, one)
		v.Problems += len(one.Problems)
	}
	if !all {
		return v, nil
	}
	sessions, _, err := archive.List(s, "", math.MaxInt)
	v.Examined = len(sessions)
	for _, sum := range sessions {
		if len(sum.Problems) > 0 {
			v.Sessions = append(v.Sessions, sum)
			v.Problems += len(sum.Problems)
		}
	}
	return v, err
}

func verifyText(v verified, each bool) string {
	var b strings.Builder
	good := 0
	for _, p := range v.Plans {
		if len(p.Problems) == 0 {
			good++
		}
		if len(p.Problems) == 0 && !each {
			continue
		}
		verdict := "ok  "
		if len(p.Problems) > 0 {
			verdict = "FAIL"
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", verdict, p.Plan, text.Line(p.Title))
		for _, f := range p.Problems {
			finding(&b, f)
		}
		for _, f := range p.Notes {
			fmt.Fprintf(&b, "      note: %s: %s (%s)\n", text.Line(f.File), text.Line(f.What), text.Line(f.Found))
		}
		if len(p.Problems) == 0 {
			fmt.Fprintf(&b, "      %s and %s are what was recorded\n", text.Count(p.Revisions, "revision"), text.Count(p.Decisions, "decision"))
		}
	}
	for _, s := range v.Sessions {
		fmt.Fprintf(&b, "FAIL  session %s\n", s.ID)
		for _, p := range s.Problems {
			fmt.Fprintf(&b, "      %s\n", p)
		}
	}
	fmt.Fprintf(&b, "%d of %s verified\n", good, text.Count(len(v.Plans), "plan"))
	if v.Examined > 0 {
		fmt.Fprintf(&b, "%d of %s verified\n", v.Examined-len(v.Sessions), text.Count(v.Examined, "session"))
	}
	return b.String()
}

func finding(b *strings.Builder, f store.Finding) {
	about := ""
	if f.Revision > 0 {
		about = fmt.Sprintf(" (r%d)", f.Revision)
	}
	fmt.Fprintf(b, "      %s%s: %s\n", text.Line(f.File), about, text.Line(f.What))
	if f.Expected != "" {
		fmt.Fprintf(b, "        expected %s\n", text.Line(f.Expected))
	}
	if f.Found != "" {
		fmt.Fprintf(b, "        found    %s\n", text.Line(f.Found))
	}
}
