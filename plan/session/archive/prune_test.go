package archive

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
	"planmode/store/storetest"
)

// moving is a clock that a test sets.
type moving struct{ at time.Time }

func (c *moving) now() time.Time { return c.at }

// world is a random store and what of it must survive any prune.
type world struct {
	t     *testing.T
	home  string
	s     *store.Store
	rng   *rand.Rand
	clock *moving
	held  []*store.Log // sessions that are open
	n     int

	plans    map[plan.ID]string // protected, and why
	sessions map[string]string
	known    []plan.Ref
}

const tooOld = 100 * 24 * time.Hour

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{
		t: t, home: t.TempDir(), rng: rand.New(rand.NewPCG(seed, 1)), clock: &moving{clock().Add(-2 * tooOld)},
		plans: map[plan.ID]string{}, sessions: map[string]string{},
	}
	var err error
	w.s, err = store.Open(dirs(w.home), store.Options{Now: w.clock.now, Random: &storetest.Random{}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		w.session(i)
	}
	w.clock.at = clock()
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) add(log *store.Log, kind plan.Kind, body any) plan.EntryID {
	w.t.Helper()
	w.n++
	e, err := tree.New(plan.EntryID(fmt.Sprintf("%012x", w.n)), log.Tree().Leaf(), plan.Stamp(w.clock.at), kind, body)
	w.must(err)
	w.must(log.Append(e))
	return e.ID
}

func (w *world) event(log *store.Log, ev plan.Event) plan.EntryID { return w.add(log, ev.Kind(), ev) }

// session makes one session, old or young, open or not, with a plan in some state.
func (w *world) session(i int) {
	id := fmt.Sprintf("20250101T0000%02d-%012x", i, i)
	log, err := w.s.CreateLog(tree.Header{Session: id, Cwd: "/w"})
	w.must(err)
	w.add(log, tree.KindUser, tree.User{Text: "x"})
	ref, attached, work := w.plan(log, id, i)
	young := w.rng.IntN(3) == 0
	open := w.rng.IntN(4) == 0
	path := log.Path()
	if open {
		w.held = append(w.held, log)
		w.t.Cleanup(func() { _ = log.Close() })
	} else {
		w.must(log.Close())
		when := w.clock.at
		if young {
			when = clock()
		}
		w.must(os.Chtimes(path, when, when))
	}
	switch {
	case open:
		w.sessions[id] = "it is open"
		w.protect(ref, "its session is open")
	case work:
		w.sessions[id] = "its work is open"
	case young:
		w.sessions[id] = "it is young"
	}
	if attached && w.sessions[id] != "" {
		w.protect(ref, "it is attached in a session that stays")
	}
	if work {
		w.protect(ref, "its work is open")
	}
}

func (w *world) protect(ref plan.Ref, why string) {
	if ref.Plan != "" {
		w.plans[ref.Plan] = why
	}
}

// plan gives the session a plan in a random state.
func (w *world) plan(log *store.Log, session string, i int) (ref plan.Ref, attached, work bool) {
	how := w.rng.IntN(6)
	if how == 0 {
		return plan.Ref{}, false, false
	}
	w.event(log, plan.PlanningEntered{})
	_, ref, err := w.s.Submit(store.Submission{Session: session, Cwd: "/w", Title: fmt.Sprint("plan ", i), Text: []byte("# x\n"), Author: plan.ByAgent})
	w.must(err)
	w.known = append(w.known, ref)
	entry := w.event(log, plan.RevisionSubmitted{Ref: ref, Title: "x", Author: plan.ByAgent})
	decide := func(k plan.DecisionKind) {
		_, err := w.s.Decide(ref.Plan, plan.Decision{Revision: 1, Hash: ref.Hash, Kind: k, By: plan.ByUser, At: plan.Stamp(w.clock.at), Session: session, Entry: entry})
		w.must(err)
	}
	if how == 1 {
		return ref, true, false // a draft
	}
	if how == 2 {
		w.event(log, plan.DraftDetached{Ref: ref, Discarded: true})
		decide(plan.DecidedDiscarded)
		return ref, false, false
	}
	w.event(log, plan.ReviewOpened{Review: "r", Ref: ref, Round: 1})
	if _, err := w.s.ReviewDir(ref.Plan, "r"); err != nil {
		w.t.Fatal(err)
	}
	if how == 3 {
		return ref, true, false // a review that is open
	}
	w.event(log, plan.PlanApproved{Review: "r", Ref: ref, Submission: entry, By: plan.ByUser, Title: "x"})
	decide(plan.DecidedApproved)
	if how == 4 {
		return ref, false, true
	}
	w.event(log, plan.WorkCompleted{Ref: ref, By: plan.ByUser, Title: "x"})
	decide(plan.DecidedCompleted)
	return ref, false, false
}

func TestPruneNeverTakesWhatIsNeeded(t *testing.T) {
	removed := 0
	for seed := range uint64(25) {
		w := newWorld(t, seed)
		o := PruneOptions{Now: w.clock.at, OlderThan: tooOld, Keep: w.rng.IntN(3)}
		o.DryRun = true
		before := names(t, w.home)
		dry, err := Prune(w.s, o)
		if err != nil || !slices.Equal(names(t, w.home), before) {
			t.Fatalf("seed %d: a dry run: %v", seed, err)
		}
		o.DryRun = false
		r, err := Prune(w.s, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Removed) != len(dry.Removed) {
			t.Errorf("seed %d: removed %d, and the dry run said %d", seed, len(r.Removed), len(dry.Removed))
		}
		for _, x := range r.Removed {
			if x.Error != "" {
				t.Errorf("seed %d: %+v", seed, x)
			}
			removed++
		}
		for id, why := range w.plans {
			if v, err := w.s.Verify(id); err != nil || len(v.Problems) > 0 {
				t.Errorf("seed %d: plan %s went, although %s: %v", seed, id, why, err)
			}
		}
		left, err := w.s.Sessions("")
		if err != nil {
			t.Fatal(err)
		}
		for id, why := range w.sessions {
			if !slices.ContainsFunc(left, func(i store.SessionInfo) bool { return i.ID == id }) {
				t.Errorf("seed %d: session %s went, although %s", seed, id, why)
			}
		}
		if plans, err := w.s.Plans(); err != nil || len(w.known) >= o.Keep && len(plans) < o.Keep || len(left) < o.Keep {
			t.Errorf("seed %d: fewer than %d are left", seed, o.Keep)
		}
		_ = w.s.Close()
	}
	if removed < 25 {
		t.Errorf("only %d were removed in all; the property proves nothing", removed)
	}
}

func names(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) != ".lock" {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestADamagedPlanAndTheDraftsOfNoSessionAtPrune(t *testing.T) {
	home := t.TempDir()
	s := open(t, home)
	_, ref, err := s.Submit(store.Submission{Session: id, Cwd: "/w", Author: plan.ByAgent, Title: "A plan", Text: []byte("# A plan\n")})
	if err != nil {
		t.Fatal(err)
	}
	copies, err := s.ReviewDir(ref.Plan, "0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(home, "data", "plans", string(ref.Plan), "manifest.json")
	if err := os.WriteFile(manifest, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveDraft("20250101T000000-gone", "text"); err != nil {
		t.Fatal(err)
	}
	r, err := Prune(s, PruneOptions{Now: time.Now().Add(time.Hour)})
	if err != nil || len(r.Removed) != 1 || r.Removed[0].Kind != "draft" || r.Kept["plan that is damaged"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, path := range []string{manifest, copies} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestAPlanOfANewerProgramIsNotDamaged(t *testing.T) {
	home := t.TempDir()
	s := open(t, home)
	_, ref, err := s.Submit(store.Submission{Session: id, Cwd: "/w", Author: plan.ByAgent, Title: "A plan", Text: []byte("# A plan\n")})
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(home, "data", "plans", string(ref.Plan), "manifest.json")
	if err := os.WriteFile(manifest, []byte(`{"version": 99}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Prune(s, PruneOptions{Now: time.Now().Add(time.Hour)})
	if err != nil || len(r.Removed) != 0 || r.Kept["plan of a newer planmode"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if all, err := s.Plans(); err != nil || len(all) != 1 || all[0].Standing() != "newer" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestOpenWorkStaysAlsoWhenItsSessionIsGone(t *testing.T) {
	s := open(t, t.TempDir())
	_, ref, err := s.Submit(store.Submission{Session: id, Cwd: "/w", Author: plan.ByAgent, Title: "A plan", Text: []byte("# A plan\n")})
	if err == nil {
		_, err = s.Decide(ref.Plan, plan.Decision{Revision: 1, Hash: ref.Hash, Kind: plan.DecidedApproved, By: plan.ByUser})
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := Prune(s, PruneOptions{Now: time.Now().Add(time.Hour)})
	if err != nil || len(r.Removed) != 0 || r.Kept["plan with open work"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
