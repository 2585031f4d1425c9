package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

// exam looks at what a crash, a fault or a power failure left of a world.
type exam struct {
	w      *world
	facts  []fact
	synced bool // only what was synced has to be there
	errs   []error
}

// examine checks that nothing of the facts is lost, that nothing is half, and
// that every session comes back in a safe state and says what happened.
func examine(base string, facts []fact, synced bool) error {
	x := &exam{w: newWorld(base, 77, nil, func(fact) {}), facts: facts, synced: synced}
	x.w.clock.now = x.w.clock.now.Add(24 * time.Hour)
	if c, warnings := store.LoadConfig(dirsBelow(base)); c.ContentLanguage != "en" {
		x.fail("the configuration is lost: %q", warnings)
	}
	st, err := store.Open(dirsBelow(base), store.Options{})
	if err != nil {
		return fmt.Errorf("the store does not open: %w", err)
	}
	x.w.store = st
	x.plans()
	_ = st.Close()
	var done []string
	for _, f := range facts {
		if !slices.Contains(done, f.Session) {
			done = append(done, f.Session)
			x.session(f.Session)
		}
	}
	return errors.Join(x.errs...)
}

func (x *exam) fail(format string, args ...any) { x.errs = append(x.errs, fmt.Errorf(format, args...)) }

// plans checks that every plan is whole and that nothing is approved that the
// person did not approve.
func (x *exam) plans() {
	list, err := x.w.store.Plans()
	if err != nil {
		x.fail("the plans cannot be listed: %w", err)
	}
	for _, p := range list {
		m, err := x.w.store.Manifest(p.ID)
		if p.Problem != "" || err != nil {
			x.fail("%s is damaged: %s %v", p.ID, p.Problem, err)
			continue
		}
		for _, r := range m.Revisions {
			if _, err := x.w.store.Revision(plan.Ref{Plan: p.ID, Revision: r.Revision, Hash: r.Hash}); err != nil {
				x.fail("r%d is damaged: %w", r.Revision, err)
			}
		}
		for _, d := range m.Decisions {
			ref := plan.Ref{Plan: p.ID, Revision: d.Revision, Hash: d.Hash}
			given := func(f fact) bool { return f.What == "approving" && f.Ref == ref }
			if d.Kind.Approves() && !slices.ContainsFunc(x.facts, given) {
				x.fail("%s is approved, and nobody did that", ref)
			}
		}
	}
}

// session resumes a session twice and talks to it.
func (x *exam) session(id string) {
	var mine []fact
	for _, f := range x.facts {
		if f.Session == id {
			mine = append(mine, f)
		}
	}
	before, ok := x.log(id, mine)
	if !ok {
		return
	}
	x.draft(id, mine)
	if !x.open(id) {
		return
	}
	x.w.desk.ask = nil // "keep it as a draft"
	after := x.w.session.View().State
	x.resumed(id, before, after)
	x.w.session.Begin(context.Background(), false)
	after = x.w.session.View().State
	if after.Review != nil {
		x.fail("the review is still open after it was answered")
	}
	n := len(x.w.session.Items(0))
	x.w.close()
	if !x.open(id) {
		return
	}
	if got := x.w.session.View().State; !reflect.DeepEqual(got, after) {
		x.fail("the second resume gives %s, the first gave %s", shown(got), shown(after))
	}
	if items := x.w.session.Items(0); len(items) != n {
		x.fail("the second resume wrote %s: %s", items[n].Kind, items[n].Body)
	}
	if err := x.w.session.Send("go on"); err != nil {
		x.fail("it cannot go on: %w", err)
	}
	x.w.close()
}

func (x *exam) open(id string) bool {
	err := x.w.start(id)
	if err != nil {
		x.fail("session %s does not open: %w", id, err)
	}
	return err == nil
}

// log checks the log as it was found and returns its fold.
func (x *exam) log(id string, mine []fact) (found, bool) {
	st, err := store.Open(dirsBelow(x.w.base), store.Options{})
	if err != nil {
		x.fail("the store does not open again: %w", err)
		return found{}, false
	}
	defer st.Close()
	log, err := st.ReadLog(id)
	spoke := func(f fact) bool { return x.must(f) && f.Kind != tree.KindNotice }
	if errors.Is(err, store.ErrNoSession) && !slices.ContainsFunc(mine, spoke) {
		return found{}, false // only planmode spoke in it
	}
	if err != nil {
		x.fail("session %s is lost: %w", id, err)
		return found{}, false
	}
	defer log.Close()
	if log.Lost() > 0 && !x.synced {
		x.fail("lines are damaged: %v", log.Problems())
	}
	for _, f := range mine {
		if x.must(f) {
			x.entry(st, log.Tree(), f)
		}
	}
	state, skipped := tree.Fold(log.Tree().Current())
	if len(skipped) > 0 && log.Lost() == 0 {
		x.fail("the law refuses what was logged: %v", skipped)
	}
	return found{state, len(log.Tree().Current()), log.Problems(), log.Lost(), x.pending(st, log.Tree(), id)}, true
}

// found is a session as it lay there.
type found struct {
	state    plan.State
	entries  int
	problems []string
	lost     int
	pending  []plan.Decision // recorded with a plan, and not here
}

// must says whether a fact has to be there.
func (x *exam) must(f fact) bool {
	if f.What != "entry" {
		return false
	}
	_, event, _ := tree.Event(tree.Entry{Kind: f.Kind, Body: f.Body})
	return !x.synced || event || f.Kind == tree.KindLeaf || f.Kind == tree.KindAnnotations || f.Kind == tree.KindDecision
}

// entry checks one entry and what it refers to.
func (x *exam) entry(st *store.Store, t *tree.Tree, f fact) {
	e, ok := t.Entry(f.ID)
	if !ok || e.Kind != f.Kind || !bytes.Equal(e.Body, f.Body) {
		x.fail("entry %s (%s) is lost; found %q", f.ID, f.Kind, e.Kind)
		return
	}
	ev, _, err := tree.Event(e)
	var id plan.ID
	switch ev := ev.(type) {
	case plan.RevisionSubmitted:
		_, err = st.Revision(ev.Ref)
	case plan.PlanApproved:
		id = ev.Ref.Plan
	case plan.WorkCompleted:
		id = ev.Ref.Plan
	}
	if e.Kind == tree.KindAnnotations {
		a, _ := tree.Decode[tree.Annotations](e)
		_, err = st.Review(a.Ref.Plan, a.Ref.Revision, a.Round)
	}
	if err != nil {
		x.fail("what %s refers to is lost: %w", f.Kind, err)
	}
	if id == "" {
		return
	}
	m, err := st.Manifest(id)
	if err != nil || !slices.ContainsFunc(m.Decisions, func(d plan.Decision) bool { return d.Entry == f.ID }) {
		x.fail("the record of %s lacks %s: %v", id, f.Kind, err)
	}
}

// pending are the decisions of the session that are the last of their plan and
// that its log does not have.
func (x *exam) pending(st *store.Store, t *tree.Tree, session string) (out []plan.Decision) {
	var latest plan.Time
	for _, e := range t.All() {
		if _, event, _ := tree.Event(e); event || e.Kind == tree.KindLeaf {
			latest = e.At
		}
	}
	list, _ := st.Plans()
	for _, p := range list {
		m, _ := st.Manifest(p.ID)
		var last *plan.Decision
		for i, d := range m.Decisions {
			if d.Session == session && d.Entry != "" {
				last = &m.Decisions[i]
			}
		}
		if last == nil || latest.After(last.At.Time) {
			continue // none, or it was reported as failed and life went on
		}
		if _, ok := t.Entry(last.Entry); !ok {
			out = append(out, *last)
		}
	}
	return out
}

// draft checks that the text being composed is the last one that was kept, or
// one that was being kept after it.
func (x *exam) draft(session string, mine []fact) {
	var may []string
	for _, f := range mine {
		switch f.What {
		case "drafted":
			may = []string{f.Text}
		case "drafting":
			may = append(may, f.Text)
		}
	}
	st, err := store.Open(dirsBelow(x.w.base), store.Options{})
	if err != nil {
		return
	}
	defer st.Close()
	text, err := st.Draft(session)
	kept := slices.ContainsFunc(mine, func(f fact) bool { return f.What == "drafted" })
	if err != nil || kept && !slices.Contains(may, text) {
		x.fail("the unsent text is %q, %v; want one of %q", text, err, may)
	}
}

// resumed compares a session that was resumed with what lay there.
func (x *exam) resumed(id string, before found, after plan.State) {
	said := 0
	for _, e := range x.w.session.Items(before.entries) {
		if e.Kind != tree.KindNotice {
			continue
		}
		n, _ := tree.Decode[tree.Notice](e)
		if said++; n.Text == "" || strings.Contains(n.Text, "\n") {
			x.fail("what happened is not said in one line: %q", n.Text)
		}
	}
	if said == 0 && (len(before.problems) > 0 || !reflect.DeepEqual(before.state, after)) {
		x.fail("nothing is said about %q, %s → %s", before.problems, shown(before.state), shown(after))
	}
	if before.state.IsPlanning() && !after.IsPlanning() {
		x.fail("the gate is gone")
	}
	if !reflect.DeepEqual(before.state.Work, after.Work) && len(before.pending) == 0 {
		x.fail("work went from %s to %s by itself", shown(before.state), shown(after))
	}
	for _, d := range before.pending {
		if d.Kind.Approves() && (after.Work == nil || after.Work.Ref.Hash != d.Hash) {
			x.fail("the approval of r%d is not there: %s", d.Revision, shown(after))
		}
	}
	if w := after.OpenWork(); w != nil {
		m, err := x.w.store.Manifest(w.Ref.Plan)
		if err != nil || m.Approval(w.Ref.Revision) == nil {
			x.fail("%s is open in session %s without an approval: %v", w.Ref, id, err)
		}
	}
}

// shown is a state for a failure.
func shown(st plan.State) string {
	b, err := json.Marshal(st)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
