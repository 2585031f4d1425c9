package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store/storetest"
)

// fork makes a session from r at an entry and opens it beside.
func (r *rig) fork(at plan.EntryID) *rig {
	r.t.Helper()
	id, err := r.Fork(context.Background(), at)
	if err != nil {
		r.t.Fatal(err)
	}
	log, err := r.store.OpenLog(id)
	if err != nil {
		r.t.Fatal(err)
	}
	b := &rig{t: r.t, dirs: r.dirs, dir: r.dir, agent: &scriptAgent{}, desk: &scriptDesk{}, clock: r.clock, ids: r.ids, fuse: r.fuse, seen: &recorder{}, store: r.store}
	b.open(log, true)
	return b
}

func TestAForkCarriesTheDraftAndBothReviseIt(t *testing.T) {
	a, ref := submitted(t)
	b := a.fork("")
	if !reflect.DeepEqual(a.View().State, b.View().State) {
		t.Fatalf("here %+v\nthere %+v", a.View().State, b.View().State)
	}
	if h := b.opt.Log.Header(); h.Parent != a.opt.Session || h.Session == a.opt.Session {
		t.Errorf("header %+v", h)
	}
	for _, r := range []*rig{b, a} {
		r.desk.set(func(d *scriptDesk) { d.decide = row(RowApprove) })
		r.agent.then(submitting(ref.Plan, "Login", planText("login of "+r.opt.Session)))
		r.say("revise")
		if w := r.View().State.OpenWork(); w == nil || w.Ref.Plan != ref.Plan {
			t.Fatalf("state %+v\n%s", r.View().State, r.notices())
		}
	}
	m, err := a.store.Manifest(ref.Plan)
	if err != nil || len(m.Sessions) != 2 || m.CurrentRevision != 3 || m.Revisions[1].BasedOn != 1 || m.Revisions[2].BasedOn != 1 {
		t.Fatalf("%+v %v", m, err)
	}
	for _, r := range []*rig{b, a} {
		r.desk.set(func(d *scriptDesk) { d.confirm = yes })
		r.plan("complete")
		if w := r.View().State.Work; w.Status != plan.Completed {
			t.Errorf("work %+v\n%s", w, r.notices())
		}
		log, err := r.store.ReadLog(r.opt.Session)
		if err != nil {
			t.Fatal(err)
		}
		if st, skipped := tree.Fold(log.Tree().Current()); st.Work.Status != plan.Completed || len(skipped) > 0 {
			t.Errorf("the log folds to %+v, %v", st, skipped)
		}
		closeRead(log)
	}
}

func TestAForkAtAMessageBeginsBeforeIt(t *testing.T) {
	a := newRig(t)
	a.say("one")
	a.say("two")
	all, _ := a.Tree()
	b := a.fork(entryOf(t, a.Session, tree.KindUser).ID)
	if got := b.Draft(); got != "two" {
		t.Errorf("to be written anew: %q", got)
	}
	theirs, _ := b.Tree()
	if len(theirs) != 3 || theirs[0].ID != all[0].ID || theirs[2].Kind != tree.KindNotice {
		t.Errorf("entries %v", theirs)
	}
	if again, _ := a.Tree(); len(again) != len(all) {
		t.Error("the old session changed")
	}
	b.say("another two")
	used := map[plan.EntryID]bool{}
	for _, e := range all {
		used[e.ID] = true
	}
	theirs, _ = b.Tree()
	for _, e := range theirs[2:] {
		if used[e.ID] {
			t.Errorf("id %s is used again", e.ID)
		}
	}
}

func TestLabelsOfOtherBranchesComeAlong(t *testing.T) {
	a := newRig(t)
	a.say("one")
	first := entryOf(t, a.Session, tree.KindUser).ID
	answer := entryOf(t, a.Session, tree.KindAssistant).ID
	a.say("two")
	if err := a.Label(first, "start"); err != nil {
		t.Fatal(err)
	}
	a.move(answer)
	all, _ := a.fork("").Tree()
	if l := tree.Labels(all); l[first] != "start" {
		t.Errorf("labels %v", l)
	}
}

func TestAForkFindsItsEntryByHowTheIDBegins(t *testing.T) {
	r, _ := submitted(t)
	all, _ := r.Tree()
	at := all[0].ID
	var short plan.EntryID
	for n := 1; ; n++ { // until it is alone
		short = at[:n]
		if e, err := r.opt.Log.Tree().Find(string(short)); err == nil && e.ID == at {
			break
		}
	}
	if b := r.fork(short); len(b.Items(0)) > 2 {
		t.Errorf("the fork has %d entries", len(b.Items(0)))
	}
	if _, err := r.Fork(context.Background(), "zz"); !errors.Is(err, tree.ErrNoEntry) {
		t.Errorf("got %v", err)
	}
}

func TestASessionThatAnotherProcessHasCanBeForked(t *testing.T) {
	r := reviewing(t)
	path := r.opt.Log.Path()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b := onlooker(t, r).fork("")
	st := b.View().State
	if st.Review != nil || !st.IsPlanning() || st.Planning == nil || b.View().ReadOnly != "" {
		t.Errorf("state %+v, read-only %q\n%s", st, b.View().ReadOnly, b.notices())
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the log of the other process changed: %v", err)
	}
	if r.View().State.Review == nil {
		t.Error("the review of the other process ended")
	}
}

func TestAForkOfAnUntrustedLogIsRefused(t *testing.T) {
	r, _ := submitted(t)
	path, id := r.opt.Log.Path(), r.opt.Session
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(string) string{
		"a damaged header": func(s string) string { return strings.Replace(s, `"session"`, `"sessiom"`, 1) },
		"a newer version": func(s string) string {
			line, rest, _ := strings.Cut(s, "\n")
			h, err := tree.ParseHeader([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			h.Version++
			newer, err := tree.AppendHeader(nil, h)
			if err != nil {
				t.Fatal(err)
			}
			return string(newer) + rest
		},
	} {
		t.Run(name, func(t *testing.T) {
			damaged := change(string(b))
			if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
				t.Fatal(err)
			}
			log, err := r.store.OpenLog(id)
			if err != nil {
				t.Fatal(err)
			}
			r.open(log, true)
			if _, err := r.Fork(context.Background(), ""); err == nil {
				t.Error("it was forked")
			}
			if _, err := r.Move(context.Background(), r.View().Leaf); err == nil {
				t.Error("it was moved")
			}
			if err := r.Compact(context.Background(), ""); err == nil {
				t.Error("it was shortened")
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != damaged {
				t.Errorf("the log was rewritten: %v", err)
			}
		})
	}
}

func TestAForkOfALogWithLostLinesIsReadOnlyForTheAgent(t *testing.T) {
	r, _ := approved(t)
	path := r.opt.Log.Path()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(b, "garbage\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := r.store.ReadLog(r.opt.Session)
	if err != nil {
		t.Fatal(err)
	}
	r.open(log, true)
	if st := r.fork("").View().State; !st.IsPlanning() || st.OpenWork() == nil {
		t.Errorf("state %+v", st)
	}
}

func TestAForkThatCannotBeWrittenIsNotThere(t *testing.T) {
	r, _ := submitted(t)
	sessions := func() int {
		logs, err := filepath.Glob(filepath.Join(r.dirs.Data, "sessions", "*", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return len(logs)
	}
	before := sessions()
	r.fuse.set(&storetest.Rig{At: 1, Kind: storetest.Crash})
	if _, err := r.Fork(context.Background(), ""); err == nil {
		t.Fatal("forked on a full disk")
	}
	if after := sessions(); after != before {
		t.Errorf("%d logs before, %d after", before, after)
	}
}
