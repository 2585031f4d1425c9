package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/store"
)

// plansCommand is about plans at rest. Its subcommands need no terminal.
func plansCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "plans",
		Short: "List, show, compare, verify, export, import and prune plans",
		Long: "Plans at rest: every revision, what was decided about it, and whether the files are what was stored.\n" +
			"A plan is named by its id, by how the id begins, or by its last eight digits.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage(errors.New("say what to do with plans: list, show, diff, verify, export, import, discard or prune"))
		},
	}
	c.AddCommand(plansListCommand(), plansShowCommand(), plansDiffCommand(), plansVerifyCommand(),
		plansExportCommand(), plansImportCommand(), plansDiscardCommand(), plansPruneCommand())
	return c
}

// planFlags are the flags by which plans are chosen.
type planFlags struct {
	text, dir, since, older string
	status                  []string
	here                    bool
}

func (f *planFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.text, "text", "", "only with all these `WORDS` in title, id or directory")
	fl.StringSliceVar(&f.status, "status", nil, "only of this `STATUS`: "+strings.Join(archive.Standings, ", "))
	fl.StringVar(&f.dir, "dir", "", "only of `DIR` and below it")
	fl.BoolVar(&f.here, "here", false, "only of this directory and below it")
	fl.StringVar(&f.since, "since", "", "only changed within `TIME`: 12h, 7d, 3w, or since 2026-01-31")
	fl.StringVar(&f.older, "older-than", "", "only not changed within `TIME`")
}

// filter reads the flags; what is wrong with them is a mistake in the call.
func (f *planFlags) filter(now time.Time) (archive.PlanFilter, error) {
	out := archive.PlanFilter{Text: f.text, Status: f.status}
	for _, s := range f.status {
		if !slices.Contains(archive.Standings, s) {
			return out, usage(fmt.Errorf("--status %q: it is one of %s", s, strings.Join(archive.Standings, ", ")))
		}
	}
	if f.here && f.dir != "" {
		return out, usage(errors.New("--here and --dir exclude each other"))
	}
	if f.here {
		f.dir = "."
	}
	if f.dir != "" {
		abs, err := filepath.Abs(f.dir)
		if err != nil {
			return out, fmt.Errorf("find the directory: %w", err)
		}
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		out.Dir = abs
	}
	var err error
	if f.since != "" {
		if out.Since, err = moment(f.since, now); err != nil {
			return out, usage(fmt.Errorf("--since: %w", err))
		}
	}
	if f.older != "" {
		if out.Before, err = moment(f.older, now); err != nil {
			return out, usage(fmt.Errorf("--older-than: %w", err))
		}
	}
	return out, nil
}

// moment reads a day, or a span of time before now.
func moment(s string, now time.Time) (time.Time, error) {
	if day, err := time.ParseInLocation("2006-01-02", s, now.Location()); err == nil {
		return day, nil
	}
	d, err := span(s)
	return now.Add(-d), err
}

// span reads a span of time in one unit: 90m, 12h, 7d, 3w, 1y.
func span(s string) (time.Duration, error) {
	units := map[byte]time.Duration{
		's': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour, 'y': 365 * 24 * time.Hour,
	}
	if s == "0" {
		return 0, nil
	}
	if len(s) > 1 {
		unit, known := units[s[len(s)-1]]
		n, err := strconv.ParseUint(s[:len(s)-1], 10, 32)
		if known && err == nil && time.Duration(n) < 200*365*24*time.Hour/unit {
			return time.Duration(n) * unit, nil
		}
	}
	return 0, fmt.Errorf("%q is no time such as 12h, 7d, 3w or 1y", s)
}

// planRef reads ID[@rN]; revision 0 when none is given.
func planRef(s *store.Store, arg string) (id plan.ID, revision int, err error) {
	name, at, given := strings.Cut(arg, "@")
	if given {
		if revision, err = revisionNumber(at); err != nil {
			return "", 0, usage(err)
		}
	}
	id, err = archive.FindPlan(s, name)
	return id, revision, err
}

func revisionNumber(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "r"))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no revision such as r2", s)
	}
	return n, nil
}

// withPlans opens the store for a command about plans, in which a mistake in the
// call keeps its code.
func withPlans(use func(s *store.Store) error) error {
	var mistake *codeError
	err := withStore(func(s *store.Store) error {
		err := use(s)
		errors.As(err, &mistake)
		return err
	})
	if mistake != nil {
		return mistake
	}
	return err
}

// isTerminal says whether text for people, in colour, is wanted there.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && terminalFile(f)
}
