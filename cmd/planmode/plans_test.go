//go:build unix

package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/store"
)

// withPlan leaves a plan of two revisions in home, the second one approved.
func withPlan(t testing.TB, home string) plan.ID {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := store.Open(dirsIn(home), store.Options{Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sub := store.Submission{Session: sessionID, Cwd: "/w/" + text.Line(hostile), Title: "A shopping cart 购物车 that has a rather long title to be cut", Author: plan.ByAgent,
		Text: []byte("# Cart\n\nUse the old way of it.\n"), Steps: []string{"one"}}
	m, _, err := s.Submit(sub)
	if err != nil {
		t.Fatal(err)
	}
	sub.Plan, sub.Text = m.PlanID, []byte("# Cart\n\nUse the new way of it.\n")
	m, ref, err := s.Submit(sub)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Decide(m.PlanID, plan.Decision{
		Revision: 2, Hash: ref.Hash, Kind: plan.DecidedApproved, By: plan.ByUser, Session: sessionID, Entry: "00000000000a", Notes: hostile, Head: strings.Repeat("a", 40),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m.PlanID
}

func TestPlansOnTheCommandLine(t *testing.T) {
	for name, c := range map[string]struct {
		args   []string // ID stands for the plan
		code   int
		out    string
		errors string
	}{
		"plans alone":                     {args: []string{"plans"}, code: 2, errors: "list, show, diff"},
		"a list":                          {args: []string{"plans", "list"}, out: "approved"},
		"a list by status":                {args: []string{"plans", "list", "--status", "open"}, out: "A shopping cart"},
		"a list of what there is not":     {args: []string{"plans", "list", "--status", "draft"}, errors: "none of 1 plan"},
		"a list by text":                  {args: []string{"plans", "list", "--text", "购物车 cart"}, out: "A shopping"},
		"a list by age":                   {args: []string{"plans", "list", "--older-than", "1d"}, out: "A shopping"},
		"a list of what is young":         {args: []string{"plans", "list", "--since", "1d"}, errors: "none of"},
		"a list of here":                  {args: []string{"plans", "list", "--here"}, errors: "none of"},
		"a list of a status unknown":      {args: []string{"plans", "list", "--status", "great"}, code: 2, errors: "it is one of draft"},
		"a list of no time":               {args: []string{"plans", "list", "--since", "soon"}, code: 2, errors: "no time such as"},
		"a list of two places":            {args: []string{"plans", "list", "--here", "--dir", "/w"}, code: 2},
		"a plan":                          {args: []string{"plans", "show", "ID"}, out: "Use the new way"},
		"an earlier revision":             {args: []string{"plans", "show", "ID@r1"}, out: "Use the old way"},
		"the bytes alone":                 {args: []string{"plans", "show", "ID@1", "--raw"}, out: "# Cart\n\nUse the old way of it.\n"},
		"who decided":                     {args: []string{"plans", "show", "ID", "--log"}, out: "approved by user"},
		"a revision that is none":         {args: []string{"plans", "show", "ID@r9"}, code: 1, errors: "no such revision"},
		"a revision that is no number":    {args: []string{"plans", "show", "ID@x"}, code: 2},
		"raw and JSON":                    {args: []string{"plans", "show", "ID", "--raw", "--json"}, code: 2},
		"a plan that is none":             {args: []string{"plans", "show", "nope"}, code: 1, errors: "no such plan"},
		"a comparison":                    {args: []string{"plans", "diff", "ID", "r1", "r2"}, out: "-Use the old way of it.\n+Use the new way of it."},
		"a comparison with what it is of": {args: []string{"plans", "diff", "ID"}, out: "@@ -1,3 +1,3 @@"},
		"a comparison for programs":       {args: []string{"plans", "diff", "ID", "1", "2", "--json"}, out: `"changed"`},
		"a comparison with none":          {args: []string{"plans", "diff", "ID", "r1", "r7"}, code: 1},
		"a verification":                  {args: []string{"plans", "verify"}, out: "1 of 1 plan verified"},
		"a verification of one":           {args: []string{"plans", "verify", "ID"}, out: "2 revisions and 1 decision are what was recorded"},
		"an export":                       {args: []string{"plans", "export", "ID"}, out: "**approved** by user"},
		"an export of r1":                 {args: []string{"plans", "export", "ID", "--revision", "1"}, out: "old way"},
		"an export of two revisions":      {args: []string{"plans", "export", "ID@r1", "--revision", "1"}, code: 2},
		"a discard of an approved plan":   {args: []string{"plans", "discard", "ID"}, code: 1, errors: "completed or abandoned, not discarded"},
		"an import of nothing":            {args: []string{"plans", "import", "/nonexistent"}, code: 1},
		"a prune keeps open work":         {args: []string{"plans", "prune", "--older-than", "0", "--yes"}, out: "old but kept: 1 plan with open work"},
		"a prune of no time":              {args: []string{"plans", "prune", "--older-than", "x"}, code: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			id := string(withPlan(t, home))
			args := make([]string, len(c.args))
			for i, a := range c.args {
				args[i] = strings.ReplaceAll(a, "ID", id[len(id)-8:])
			}
			r := execute(t, planmode(t, home, args...))
			if r.code != c.code || !strings.Contains(r.out, c.out) || !strings.Contains(r.errors, c.errors) {
				t.Errorf("%q ended with %d, want %d\n%s\n%s", args, r.code, c.code, r.out, r.errors)
			}
			if m, err := filepath.Glob(home + "/data/plans/*/revisions/r2.md"); err != nil || len(m) != 1 {
				t.Errorf("the plan is gone: %v, %v", m, err)
			}
		})
	}
}

func TestThePlanTableFitsItsTerminal(t *testing.T) {
	home := t.TempDir()
	withPlan(t, home)
	for _, columns := range []string{"80", "60"} {
		cmd := planmode(t, home, "plans", "list")
		cmd.Env = append(cmd.Env, "COLUMNS="+columns)
		r := execute(t, cmd)
		for line := range strings.Lines(r.out) {
			if w := text.Width(strings.TrimRight(line, "\n")); columns == "80" && w > 80 || columns == "60" && w > 60 {
				t.Errorf("%d cells at %s: %s", w, columns, line)
			}
		}
	}
}

func TestVerifyEndsWithOneAndNamesTheFile(t *testing.T) {
	home := t.TempDir()
	id := withPlan(t, home)
	path := filepath.Join(home, "data", "plans", string(id), "revisions", "r1.md")
	if err := os.WriteFile(path, []byte("# Cart\n\nUse the old way of iu.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := execute(t, planmode(t, home, "plans", "verify"))
	if r.code != 1 || !strings.Contains(r.out, "revisions/r1.md (r1): hash") || !strings.Contains(r.out, "expected sha256:") || !strings.Contains(r.errors, "1 problem found") {
		t.Errorf("%+v", r)
	}
	r = execute(t, planmode(t, home, "plans", "verify", "--json"))
	var v struct {
		Problems int
		Plans    []store.Verification
	}
	if err := json.Unmarshal([]byte(r.out), &v); err != nil || r.code != 1 || v.Problems != 1 || v.Plans[0].Problems[0].Revision != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if r = execute(t, planmode(t, home, "plans", "show", string(id)+"@r1")); r.code != 0 || !strings.Contains(r.out, "Its text cannot be shown") {
		t.Errorf("%+v", r)
	}
}

func TestPruneWithYesRemovesASettledPlan(t *testing.T) {
	home := t.TempDir()
	id := withPlan(t, home)
	s, err := store.Open(dirsIn(home), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Manifest(id)
	if err == nil {
		_, err = s.Decide(id, plan.Decision{Revision: 2, Kind: plan.DecidedCompleted, By: plan.ByAgent, Hash: m.Revisions[1].Hash})
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	if r := execute(t, planmode(t, home, "plans", "prune", "--older-than", "0")); r.code != 0 || !strings.Contains(r.out, "would remove plan "+string(id)) {
		t.Fatalf("%+v", r)
	}
	if r := execute(t, planmode(t, home, "plans", "prune", "--older-than", "0", "--keep", "1", "--yes")); r.code != 0 || !strings.Contains(r.out, "nothing to remove") {
		t.Fatalf("%+v", r)
	}
	if r := execute(t, planmode(t, home, "plans", "prune", "--older-than", "0", "--yes")); r.code != 0 || !strings.Contains(r.out, "removed plan "+string(id)) {
		t.Fatalf("%+v", r)
	}
	if left, err := os.ReadDir(filepath.Join(home, "data", "plans")); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
