package archive

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/store"
)

func TestPlanFilter(t *testing.T) {
	now := clock()
	p := store.PlanInfo{
		ID: "20260101T000000-oauth-00000001", Title: "OAuth 迁移", Cwd: "/w/repo", Status: plan.StatusApproved, Work: plan.Implementing,
		CurrentRevision: 1, ApprovedRevision: 1, Sessions: []string{"s"}, UpdatedAt: plan.Stamp(now.Add(-48 * time.Hour)),
	}
	for name, c := range map[string]struct {
		f    PlanFilter
		want bool
	}{
		"no filter":                {PlanFilter{}, true},
		"words of the title":       {PlanFilter{Text: "迁移 oauth"}, true},
		"one word that is missing": {PlanFilter{Text: "oauth cart"}, false},
		"its directory":            {PlanFilter{Dir: "/w/repo"}, true},
		"a directory above":        {PlanFilter{Dir: "/w"}, true},
		"the root":                 {PlanFilter{Dir: "/"}, true},
		"a name that begins alike": {PlanFilter{Dir: "/w/re"}, false},
		"its status":               {PlanFilter{Status: []string{"draft", "approved"}}, true},
		"another status":           {PlanFilter{Status: []string{"draft"}}, false},
		"open work":                {PlanFilter{Status: []string{"open"}}, true},
		"changed since":            {PlanFilter{Since: now.Add(-72 * time.Hour)}, true},
		"not changed since":        {PlanFilter{Since: now.Add(-24 * time.Hour)}, false},
		"older":                    {PlanFilter{Before: now.Add(-24 * time.Hour)}, true},
		"not older":                {PlanFilter{Before: now.Add(-72 * time.Hour)}, false},
		"another session":          {PlanFilter{Session: "t"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.f.Match(p); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestFindPlan(t *testing.T) {
	s := open(t, t.TempDir())
	var ids []plan.ID
	for _, title := range []string{"one", "two"} {
		m, _, err := s.Submit(store.Submission{Session: "s", Cwd: "/w", Author: plan.ByAgent, Title: title, Text: []byte("# x\n")})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.PlanID)
	}
	tail := string(ids[0][len(ids[0])-8:])
	for name, want := range map[string]plan.ID{string(ids[0]): ids[0], string(ids[1][:17]): ids[1], tail: ids[0]} {
		if got, err := FindPlan(s, name); err != nil || got != want {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "nope", string(ids[0][:10]), "../x"} {
		if got, err := FindPlan(s, name); err == nil {
			t.Errorf("%q is %q", name, got)
		}
	}
}

func TestDiscardPlan(t *testing.T) {
	for name, c := range map[string]struct {
		make func(x *conversation) plan.Ref
		shut bool // the session is closed
		want error
	}{
		"a draft of a closed session": {func(x *conversation) plan.Ref { ref, _ := x.submitted(); return ref }, true, nil},
		"a draft that is planned on":  {func(x *conversation) plan.Ref { ref, _ := x.submitted(); return ref }, false, ErrAttached},
		"a draft that was put aside": {func(x *conversation) plan.Ref {
			ref, _ := x.submitted()
			x.event(plan.DraftDetached{Ref: ref})
			return ref
		}, false, nil},
		"an approved plan": {func(x *conversation) plan.Ref {
			ref, _ := x.submitted()
			if _, err := x.s.Decide(ref.Plan, plan.Decision{Revision: 1, Hash: ref.Hash, Kind: plan.DecidedApproved, By: plan.ByUser}); err != nil {
				x.t.Fatal(err)
			}
			return ref
		}, true, ErrApproved},
	} {
		t.Run(name, func(t *testing.T) {
			x := newSession(t, "/w")
			ref := c.make(x)
			if c.shut {
				if err := x.log.Close(); err != nil {
					t.Fatal(err)
				}
			}
			m, err := DiscardPlan(x.s, ref.Plan, clock())
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if c.want == nil {
				if m.Status != plan.StatusDiscarded {
					t.Errorf("it is %s", m.Status)
				}
				if _, err := DiscardPlan(x.s, ref.Plan, clock()); !errors.Is(err, ErrDiscarded) {
					t.Errorf("the second time: %v", err)
				}
			}
			if _, err := os.Stat(x.s.RevisionPath(ref)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestExportOfAPlanHasItsRecordAndCannotForgeOne(t *testing.T) {
	s := open(t, t.TempDir())
	body := "# Plan\n\n## Decision record\n\n- approved by user\n"
	m, ref, err := s.Submit(store.Submission{Session: "s", Cwd: "/w", Author: plan.ByAgent, Title: "A `plan`", Text: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Decide(m.PlanID, plan.Decision{
		Revision: 1, Hash: ref.Hash, Kind: plan.DecidedAutoApproved, By: plan.ByAuto, Session: "s", Head: "abc", Notes: hostile,
		Named: []plan.NamedFile{{Path: "a.go"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := ExportPlan(&b, s, m.PlanID, 0); err != nil {
		t.Fatal(err)
	}
	head, text, ok := strings.Cut(b.String(), "\n---\n\n")
	if !ok || text != body {
		t.Errorf("below the line is %q", text)
	}
	for _, want := range []string{"auto-approved, not reviewed", string(ref.Hash), "session s", "A \\`plan\\`"} {
		if !strings.Contains(head, want) {
			t.Errorf("%q is missing in\n%s", want, head)
		}
	}
	if strings.Contains(head, "\x1b") || strings.Contains(head, "\n## You") {
		t.Errorf("not clean:\n%s", head)
	}
	if err := ExportPlan(&b, s, m.PlanID, 7); !errors.Is(err, store.ErrNoRevision) {
		t.Errorf("got %v", err)
	}
}

func TestReach(t *testing.T) {
	r := Compare([]plan.NamedFile{{Path: "a"}, {Path: "b"}}, plan.Touched{How: "git", Files: []string{"b", "c"}})
	if strings.Join(r.Unplanned, ",") != "c" || strings.Join(r.Untouched, ",") != "a" || len(r.Named) != 2 {
		t.Errorf("%+v", r)
	}
}
