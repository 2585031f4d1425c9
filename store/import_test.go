package store_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/store"
)

const (
	piOne = "20260101T000000-oauth-00000001"
	piTwo = "20260102T000000-plan-00000002"
)

// piRevision is a revision of a store of version 2.
type piRevision struct {
	text, status, approvedAt string
	basedOn                  int
}

// piPlan writes a plan the way version 2 does: two-space JSON, private modes, no
// checksums but the hashes of the texts.
func piPlan(t testing.TB, plans, id, title string, revisions ...piRevision) {
	t.Helper()
	m := map[string]any{
		"version": 2, "planId": id, "title": title, "storage": "persistent", "sessionId": "pi-session/1", "cwd": "/w",
		"createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:01:00.000Z", "currentRevision": len(revisions),
	}
	var list []map[string]any
	for i, r := range revisions {
		hash := string(plan.HashOf([]byte(r.text)))
		e := map[string]any{
			"revision": i + 1, "status": r.status, "path": plan.RevisionPath(i + 1), "hash": hash,
			"createdAt": "2026-01-01T00:00:00.000Z", "steps": []string{"a"},
		}
		if r.basedOn > 0 {
			e["basedOn"] = r.basedOn
		}
		if r.approvedAt != "" {
			e["approvedAt"] = r.approvedAt
			m["approvedRevision"], m["approvedHash"] = i+1, hash
		}
		m["status"] = r.status
		list = append(list, e)
		write(t, filepath.Join(plans, id, "revisions", filepath.Base(plan.RevisionPath(i+1))), r.text)
	}
	m["revisions"] = list
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(plans, id, "manifest.json"), string(b)+"\n")
}

// snapshot is every name below a directory with its content.
func snapshot(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := e.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + st.Mode().String() + " " + st.ModTime().String())
		if e.Type().IsRegular() {
			c, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.Write(c)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func piStore(t testing.TB) string {
	t.Helper()
	agent := t.TempDir()
	plans := filepath.Join(agent, "plans")
	piPlan(t, plans, piOne, "旧 OAuth",
		piRevision{"# 一\n", "approved", "2026-01-01T00:00:30.000Z", 0}, piRevision{"# Two\r\n", "draft", "", 1})
	piPlan(t, plans, piTwo, "Other", piRevision{"# Three\n", "changes_requested", "", 0})
	write(t, filepath.Join(plans, piTwo, ".review", "annotations.md"), "## /x/r1.md:1 ( )\nwhy?\n")
	return agent
}

func TestAStoreOfTheReferenceIsTakenAsItIs(t *testing.T) {
	agent := piStore(t)
	before := snapshot(t, agent)
	for _, path := range []string{agent, filepath.Join(agent, "plans")} {
		home := t.TempDir()
		s := openIn(t, home, store.Options{})
		if dry, err := s.ImportPlans(path, true); err != nil || len(dry) != 2 || dry[0].Outcome != store.Imported {
			t.Fatalf("%+v, %v", dry, err)
		}
		if left, err := s.Plans(); err != nil || len(left) != 0 {
			t.Fatalf("a dry run wrote %v, %v", left, err)
		}
		list, err := s.ImportPlans(path, false)
		if err != nil || len(list) != 2 || list[0].Outcome != store.Imported || list[1].Outcome != store.Imported {
			t.Fatalf("%+v, %v", list, err)
		}
		m, err := s.Manifest(piOne)
		if err != nil || m.Title != "旧 OAuth" || m.ApprovedRevision != 1 || m.Approval(1) == nil || m.StatusOf(2) != plan.StatusDraft {
			t.Fatalf("%+v, %v", m, err)
		}
		ref, _ := m.Ref(2)
		if b, err := s.Revision(ref); err != nil || string(b) != "# Two\r\n" {
			t.Errorf("%q, %v", b, err)
		}
		if b, err := s.Review(piTwo, 1, 1); err != nil || !strings.Contains(string(b), "why?") {
			t.Errorf("%q, %v", b, err)
		}
		for _, id := range []plan.ID{piOne, piTwo} {
			if v, err := s.Verify(id); err != nil || len(v.Problems) > 0 {
				t.Errorf("%+v, %v", v, err)
			}
		}
		here := snapshot(t, filepath.Join(home, "data", "plans", piOne))
		again, err := s.ImportPlans(path, false)
		if err != nil || again[0].Outcome != store.Present || again[1].Outcome != store.Present || snapshot(t, filepath.Join(home, "data", "plans", piOne)) != here {
			t.Errorf("the second time: %+v, %v", again, err)
		}
	}
	if snapshot(t, agent) != before {
		t.Error("the source was changed")
	}
}

func TestOnePlanIsImportedByItsDirectory(t *testing.T) {
	agent := piStore(t)
	s := openIn(t, t.TempDir(), store.Options{})
	list, err := s.ImportPlans(filepath.Join(agent, "plans", piTwo), false)
	if err != nil || len(list) != 1 || list[0].Outcome != store.Imported {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestHostileSourcesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, plans string)
		reason string
	}{
		"a revision with other bytes": {func(t *testing.T, p string) { write(t, p+"/"+piOne+"/revisions/r1.md", "# Evil\n") }, "no longer holds"},
		"a revision that is a link": {func(t *testing.T, p string) {
			secret := filepath.Join(t.TempDir(), "secret")
			write(t, secret, "# 一\n")
			relink(t, secret, p+"/"+piOne+"/revisions/r1.md")
		}, "not a regular file"},
		"a manifest that is a link": {func(t *testing.T, p string) {
			moved := filepath.Join(t.TempDir(), "manifest.json")
			if err := os.Rename(p+"/"+piOne+"/manifest.json", moved); err != nil {
				t.Fatal(err)
			}
			relink(t, moved, p+"/"+piOne+"/manifest.json")
		}, "not a regular file"},
		"a directory that is a link": {func(t *testing.T, p string) {
			moved := filepath.Join(t.TempDir(), piOne)
			if err := os.Rename(p+"/"+piOne, moved); err != nil {
				t.Fatal(err)
			}
			relink(t, moved, p+"/"+piOne)
		}, "not a regular file"},
		"a plan of another id": {func(t *testing.T, p string) {
			edit(t, p+"/"+piOne+"/manifest.json", piOne, piTwo)
		}, "it describes plan"},
		"a path that leads away": {func(t *testing.T, p string) {
			edit(t, p+"/"+piOne+"/manifest.json", "revisions/r1.md", "../../x/r1.md")
		}, "path is"},
		"an id that leads away": {func(t *testing.T, p string) {
			edit(t, p+"/"+piOne+"/manifest.json", piOne, "../../etc/passwd")
		}, "not a plan id"},
		"a manifest that is no JSON": {func(t *testing.T, p string) { write(t, p+"/"+piOne+"/manifest.json", "{") }, "damaged"},
		"a name that is no id": {func(t *testing.T, p string) {
			if err := os.Rename(p+"/"+piOne, p+"/99999999T999999-x-00000000"); err != nil {
				t.Fatal(err)
			}
		}, "no plan id"},
	} {
		t.Run(name, func(t *testing.T) {
			plans := filepath.Join(piStore(t), "plans")
			c.change(t, plans)
			home := t.TempDir()
			s := openIn(t, home, store.Options{})
			list, err := s.ImportPlans(plans, false)
			if err != nil {
				t.Fatal(err)
			}
			refused := 0
			for _, i := range list {
				if i.Outcome == store.Refused {
					refused++
					if !strings.Contains(i.Reason, c.reason) {
						t.Errorf("refused because %q, want %q", i.Reason, c.reason)
					}
				}
			}
			left, err := s.Plans()
			if refused != 1 || err != nil || len(left) != 1 || left[0].ID != piTwo {
				t.Errorf("%+v, left %+v, %v", list, left, err)
			}
		})
	}
}

func relink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func TestAPlanWithOtherRevisionsIsNotOverwritten(t *testing.T) {
	agent := piStore(t)
	s := openIn(t, t.TempDir(), store.Options{})
	if _, err := s.ImportPlans(agent, false); err != nil {
		t.Fatal(err)
	}
	plans := filepath.Join(t.TempDir(), "plans")
	piPlan(t, plans, piOne, "旧 OAuth", piRevision{"# Else\n", "draft", "", 0})
	list, err := s.ImportPlans(plans, false)
	if err != nil || list[0].Outcome != store.Refused || !strings.Contains(list[0].Reason, "other revisions") {
		t.Errorf("%+v, %v", list, err)
	}
}
