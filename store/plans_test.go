package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"planmode/plan"
	"planmode/store"
	"planmode/store/storetest"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// clock is a clock that moves a millisecond at every look.
func clock() func() time.Time {
	var mu sync.Mutex
	n := 0
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		n++
		return start.Add(time.Duration(n) * time.Millisecond)
	}
}

func dirsIn(home string) store.Dirs {
	return store.Dirs{Config: filepath.Join(home, "config"), Data: filepath.Join(home, "data"),
		State: filepath.Join(home, "state"), Run: filepath.Join(home, "run")}
}

func openIn(t testing.TB, home string, o store.Options) *store.Store {
	t.Helper()
	if o.Now == nil {
		o.Now = clock()
	}
	if o.Random == nil {
		o.Random = &storetest.Random{}
	}
	s, err := store.Open(dirsIn(home), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func first(text string) store.Submission {
	return store.Submission{Session: "s1", Cwd: "/w", Title: "OAuth migration", Text: []byte(text),
		Author: plan.ByAgent, Language: "en", Steps: []string{"one", "two"}}
}

func next(id plan.ID, basedOn int, text string) store.Submission {
	s := first(text)
	s.Plan, s.BasedOn = id, basedOn
	return s
}

func submit(t testing.TB, s *store.Store, sub store.Submission) (plan.Manifest, plan.Ref) {
	t.Helper()
	m, ref, err := s.Submit(sub)
	if err != nil {
		t.Fatal(err)
	}
	return m, ref
}

func approve(ref plan.Ref) plan.Decision {
	return plan.Decision{Revision: ref.Revision, Kind: plan.DecidedApproved, By: plan.ByUser, Hash: ref.Hash,
		Session: "s1", Entry: "0123456789ab", Review: plan.ReviewID(fmt.Sprintf("review-%d", ref.Revision)), Round: 1}
}

func TestRevisionsAreKeptByteForByte(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	m, r1 := submit(t, s, first("# 一\n"))
	_, r2 := submit(t, s, next(m.PlanID, 1, "# Two\n"))
	m, r3 := submit(t, s, next(m.PlanID, 1, "# Three\n"))
	if r2.Revision != 2 || r3.Revision != 3 || m.Find(3).BasedOn != 1 || m.Status != plan.StatusDraft {
		t.Errorf("got %v, %v, %+v", r2, r3, m)
	}
	again := openIn(t, home, store.Options{})
	for ref, want := range map[plan.Ref]string{r1: "# 一\n", r2: "# Two\n", r3: "# Three\n"} {
		if b, err := again.Revision(ref); err != nil || string(b) != want {
			t.Errorf("%s is %q, %v", ref, b, err)
		}
		if b, err := os.ReadFile(again.RevisionPath(ref)); err != nil || string(b) != want {
			t.Errorf("the path of %s holds %q, %v", ref, b, err)
		}
	}
	if got, err := again.Manifest(m.PlanID); err != nil || got.Sum != m.Sum {
		t.Errorf("the manifest that was returned is not the one on disk: %v", err)
	}
}

func TestEverythingIsPrivate(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	m, ref := submit(t, s, first("# One\n"))
	if err := s.SaveReview(m.PlanID, 1, 1, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReviewDir(m.PlanID, "rv"); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveDraft("s1", "text"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decide(m.PlanID, approve(ref)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(filepath.Join(home, "data"), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := e.Info()
		if err != nil {
			return err
		}
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[e.IsDir()]; st.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, st.Mode())
		}
		if strings.Contains(e.Name(), ".tmp-") {
			t.Errorf("%s was left behind", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSubmitRefuses(t *testing.T) {
	s := openIn(t, t.TempDir(), store.Options{})
	m, _ := submit(t, s, first("# One\n"))
	submit(t, s, next(m.PlanID, 1, "# Two\n"))
	foreign := next(m.PlanID, 2, "# Three\n")
	foreign.Session = "s2"
	long := first("# One\n")
	long.Title = strings.Repeat("x", 161)
	options := first("# One\n")
	options.Options = make([]plan.Option, 4)
	for name, c := range map[string]struct {
		sub  store.Submission
		want error
	}{
		"a session that is not listed":     {foreign, store.ErrForeign},
		"the bytes it is based on":         {next(m.PlanID, 2, "# Two\n"), store.ErrUnchanged},
		"the current bytes without a base": {next(m.PlanID, 0, "# Two\n"), store.ErrUnchanged},
		"a base that does not exist":       {next(m.PlanID, 7, "# Three\n"), store.ErrNoRevision},
		"a plan that does not exist":       {next("20260102T030405-none-00000000", 1, "x\n"), store.ErrNoPlan},
		"an id that is a path":             {next("../../etc", 1, "x\n"), plan.ErrBadID},
		"an empty text":                    {first(""), store.ErrTooLarge},
		"a text beyond 256 KiB":            {first(strings.Repeat("x", 256<<10+1)), store.ErrTooLarge},
		"a title beyond 160 characters":    {long, plan.ErrManifest},
		"more than three options":          {options, plan.ErrManifest},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			if _, _, err := s.Submit(c.sub); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if got, err := s.Manifest(m.PlanID); err != nil || got.CurrentRevision != 2 {
				t.Errorf("the plan is at r%d, %v", got.CurrentRevision, err)
			}
		})
	}
	t.Run("a refused first submission leaves nothing", func(t *testing.T) {
		home := t.TempDir()
		if _, _, err := openIn(t, home, store.Options{}).Submit(long); err == nil {
			t.Fatal("accepted")
		}
		if left, _ := filepath.Glob(filepath.Join(home, "data/plans/*")); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	t.Run("exactly 256 KiB is accepted", func(t *testing.T) {
		submit(t, s, first(strings.Repeat("x", 256<<10)))
	})
	t.Run("a session that adopted the plan is accepted", func(t *testing.T) {
		for range 2 {
			if m, err := s.Adopt(m.PlanID, "s2"); err != nil || !slices.Equal(m.Sessions, []string{"s1", "s2"}) {
				t.Fatalf("sessions are %v, %v", m.Sessions, err)
			}
		}
		submit(t, s, foreign)
	})
}

func TestConcurrentSubmissionsAreNumberedWithoutGap(t *testing.T) {
	home := t.TempDir()
	m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
	const each = 8
	var wg sync.WaitGroup
	for w := range 2 {
		s := openIn(t, home, store.Options{}) // its locks are as foreign as another process's
		wg.Go(func() {
			for i := range each {
				if _, _, err := s.Submit(next(m.PlanID, 1, fmt.Sprintf("# %d by %d\n", i, w))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	s := openIn(t, home, store.Options{})
	m, err := s.Manifest(m.PlanID)
	if err != nil || m.CurrentRevision != 1+2*each {
		t.Fatalf("current revision is %d, %v", m.CurrentRevision, err)
	}
	seen := map[string]bool{}
	for n := range m.CurrentRevision {
		ref, _ := m.Ref(n + 1)
		b, err := s.Revision(ref)
		if err != nil || seen[string(b)] {
			t.Errorf("%s holds %q, %v", ref, b, err)
		}
		seen[string(b)] = true
	}
}

func currentOf(t *testing.T, s *store.Store, id plan.ID) int {
	t.Helper()
	m, err := s.Manifest(id)
	if err != nil {
		t.Fatal(err)
	}
	return m.CurrentRevision
}

func TestPlansAreListedNewestFirst(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	if list, err := s.Plans(); err != nil || len(list) != 0 {
		t.Errorf("an empty store lists %v, %v", list, err)
	}
	a, refA := submit(t, s, first("# A\n"))
	b, _ := submit(t, s, first("# B\n"))
	if _, err := s.Decide(a.PlanID, approve(refA)); err != nil {
		t.Fatal(err)
	}
	// None of these is a plan.
	plans := filepath.Join(home, "data/plans")
	if err := errors.Join(os.Mkdir(filepath.Join(plans, "20260102T030405-crashed-00000000"), 0o700),
		os.Mkdir(filepath.Join(plans, "notes"), 0o700), os.WriteFile(filepath.Join(plans, "x.txt"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	list, err := s.Plans()
	if err != nil || len(list) != 2 || list[0].ID != a.PlanID || list[1].ID != b.PlanID {
		t.Fatalf("got %+v, %v", list, err)
	}
	if p := list[0]; p.Title != "OAuth migration" || p.Status != plan.StatusApproved || p.ApprovedRevision != 1 || p.Problem != "" {
		t.Errorf("got %+v", p)
	}
}

func TestAPlanOfVersion2IsReadAndUpgraded(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	const id plan.ID = "20260102T030405-old-0a1b2c3d"
	dir := filepath.Join(home, "data/plans", string(id))
	hash := plan.HashOf([]byte("# Old\n"))
	text := fmt.Sprintf(`{"version": 2, "planId": %q, "title": "Old", "status": "approved", "storage": "persistent", "sessionId": "s1",
		"cwd": "/w", "createdAt": "2026-01-02T03:04:05Z", "updatedAt": "yesterday", "currentRevision": 1,
		"approvedRevision": 1, "approvedHash": %q, "kept": [1], "revisions": [{"revision": 1, "status": "approved",
		"path": "revisions/r1.md", "hash": %q, "createdAt": "2026-01-02T03:04:05Z", "steps": ["a"]}]}`, id, hash, hash)
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "revisions"), 0o700),
		os.WriteFile(filepath.Join(dir, "revisions/r1.md"), []byte("# Old\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Plans(); err != nil || len(list) != 1 || list[0].Title != "Old" || !slices.Equal(list[0].Sessions, []string{"s1"}) || list[0].Problem != "" {
		t.Errorf("listed as %+v, %v", list, err)
	}
	m, err := s.Decide(id, plan.Decision{Revision: 1, Kind: plan.DecidedCompleted, By: plan.ByUser, Hash: hash})
	if err != nil || len(m.Decisions) != 2 || m.Approval(1) == nil {
		t.Fatalf("got %+v, %v", m, err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil || !bytes.Contains(b, []byte(`"version": 3`)) || !bytes.Contains(b, []byte(`"kept": [`)) {
		t.Errorf("written as %s, %v", b, err)
	}
	if _, err := s.Manifest(id); err != nil {
		t.Error(err)
	}
}
