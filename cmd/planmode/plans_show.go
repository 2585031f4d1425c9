package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

// shownPlan is a plan as `plans show --json` prints it.
type shownPlan struct {
	ID        plan.ID         `json:"id"`
	Title     string          `json:"title"`
	Directory string          `json:"directory"`
	Sessions  []string        `json:"sessions"`
	Created   plan.Time       `json:"created"`
	Updated   plan.Time       `json:"updated"`
	Current   int             `json:"currentRevision"`
	Shown     int             `json:"revision"` // the one that is shown
	Hash      plan.Hash       `json:"hash"`
	Status    plan.Status     `json:"status"`
	Work      plan.WorkStatus `json:"work,omitempty"`
	Path      string          `json:"path"`
	Reach     *archive.Reach  `json:"reach,omitempty"`
	Revisions []plan.Revision `json:"revisions"`
	Decisions []plan.Decision `json:"decisions"`
	Text      string          `json:"text"`
	Problem   string          `json:"problem,omitempty"` // why there is no text

	manifest plan.Manifest
}

func plansShowCommand() *cobra.Command {
	var raw, log, asJSON bool
	c := &cobra.Command{
		Use:   "show PLAN[@rN]",
		Short: "Show a plan: what is known of it, and the text of one revision",
		Long: "Show a plan: what is known of it and the text of its latest revision, or of rN. --log tells who decided\n" +
			"what, when, on which hash, in which session. --raw prints the exact bytes of the revision and nothing else.",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completePlanRefs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if raw && (log || asJSON) {
				return usage(fmt.Errorf("--raw prints the text alone: it excludes --log and --json"))
			}
			return withPlans(func(s *store.Store) error {
				v, err := lookAtPlan(s, args[0])
				if err != nil {
					return err
				}
				out := cmd.OutOrStdout()
				switch {
				case raw && v.Problem != "":
					return fmt.Errorf("%s r%d cannot be shown: %s", v.ID, v.Shown, v.Problem)
				case raw && isTerminal(out):
					return print(out, text.Clean(v.Text))
				case raw:
					return print(out, v.Text)
				case asJSON:
					return printJSON(out, v)
				case log:
					return print(out, archive.LogText(v.manifest))
				}
				return print(out, planPage(v))
			})
		},
	}
	c.Flags().BoolVar(&raw, "raw", false, "print the bytes of the revision alone (cleaned on a terminal)")
	c.Flags().BoolVar(&log, "log", false, "print who decided what, when and on which hash")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// lookAtPlan reads what is shown of a plan. A text that cannot be read is no error:
// the rest is still worth seeing.
func lookAtPlan(s *store.Store, arg string) (shownPlan, error) {
	id, n, err := planRef(s, arg)
	if err != nil {
		return shownPlan{}, err
	}
	m, err := s.Manifest(id)
	if err != nil {
		return shownPlan{}, fmt.Errorf("%w; planmode plans verify %s says more", err, id)
	}
	if n == 0 {
		n = m.CurrentRevision
	}
	ref, ok := m.Ref(n)
	if !ok {
		return shownPlan{}, fmt.Errorf("%s r%d: %w; it has %s", id, n, store.ErrNoRevision, text.Count(m.CurrentRevision, "revision"))
	}
	v := shownPlan{
		ID: id, Title: m.Revisions[n-1].Title, Directory: m.Cwd, Sessions: m.Sessions, Created: m.CreatedAt, Updated: m.UpdatedAt,
		Current: m.CurrentRevision, Shown: n, Hash: ref.Hash, Status: m.StatusOf(n), Work: m.WorkOf(n), Path: s.RevisionPath(ref),
		Revisions: m.Revisions, Decisions: m.Decisions, manifest: m,
	}
	if reach, ok := archive.ReachOf(m, n); ok {
		v.Reach = &reach
	}
	b, err := s.Revision(ref)
	if err != nil {
		v.Problem = err.Error()
	}
	v.Text = string(b)
	return v, nil
}

const timeLayout = "2006-01-02 15:04:05"

func planPage(v shownPlan) string {
	rows := [][]string{
		{"id", string(v.ID)},
		{"title", text.Line(v.Title)},
		{"directory", text.Line(v.Directory)},
		{"sessions", text.Line(strings.Join(v.Sessions, ", "))},
		{"created", v.Created.Local().Format(timeLayout)},
		{"last changed", v.Updated.Local().Format(timeLayout)},
		{"revision", fmt.Sprintf("r%d of %d", v.Shown, v.Current)},
		{"hash", string(v.Hash)},
		{"status", string(v.Status)},
	}
	if v.Work != "" {
		rows = append(rows, []string{"work", string(v.Work)})
	}
	if v.Reach != nil {
		rows = append(rows, reachRows(*v.Reach)...)
	}
	rows = append(rows, []string{"decisions", strconv.Itoa(len(v.Decisions)) + " (--log)"}, []string{"file", text.Line(v.Path)})
	page := table(rows)
	if v.Problem != "" {
		return page + "\nIts text cannot be shown: " + text.Line(v.Problem) + "\n"
	}
	return page + "\n" + strings.TrimRight(text.Clean(v.Text), "\n") + "\n"
}
