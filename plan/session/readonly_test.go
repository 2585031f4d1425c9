package session

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

// onlooker opens the session of r a second time, as another process does while
// the first still runs.
func onlooker(t *testing.T, r *rig) *rig {
	t.Helper()
	log, err := r.store.ReadLog(r.opt.Session)
	if err != nil {
		t.Fatal(err)
	}
	b := &rig{t: t, dirs: r.dirs, dir: r.dir, agent: &scriptAgent{}, desk: &scriptDesk{}, clock: r.clock, ids: r.ids, store: r.store}
	b.open(log, true)
	return b
}

// onDisk is every file of the store with its content. Locks are left out: they
// say who holds them.
func onDisk(t *testing.T, r *rig) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(r.dirs.Data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, before, after map[string]string) {
	t.Helper()
	for path, content := range before {
		if after[path] != content {
			t.Errorf("%s changed or is gone", path)
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			t.Errorf("%s is new", path)
		}
	}
}

func TestASecondProcessOnlyLooks(t *testing.T) {
	r := reviewing(t)
	if err := r.SaveDraft("the first one is writing"); err != nil {
		t.Fatal(err)
	}
	before := onDisk(t, r)
	b := onlooker(t, r)
	b.desk.set(func(d *scriptDesk) { d.ask = chooseLabel("Review it again"); d.confirm = yes })
	b.Begin(context.Background(), true)
	for _, arg := range []string{"off", "review", "discard", "complete", "abandon", "revise", "on"} {
		b.plan(arg)
	}
	if err := b.Send("hello"); err == nil {
		t.Error("a message was taken")
	}
	if err := b.SaveDraft(""); err != nil || b.Draft() != "" {
		t.Errorf("draft: %v, %q", err, b.Draft())
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if len(b.desk.asked) > 0 || len(b.desk.shown()) > 0 {
		t.Errorf("it asked %v", b.desk.asked)
	}
	if said := b.notices(); !strings.Contains(said, "open in another planmode (process ") {
		t.Errorf("said:\n%s", said)
	}
	same(t, before, onDisk(t, r))
}

// reviewing is a session with a review open and notes saved by its reviewer.
func reviewing(t *testing.T) *rig {
	t.Helper()
	r := interrupted(t)
	if r.View().State.Review == nil {
		t.Fatal("no review is open")
	}
	return r
}

func TestNothingIsDecidedInASessionThatCanOnlyBeRead(t *testing.T) {
	r, ref := approved(t)
	b := onlooker(t, r)
	err := b.applyWith(plan.WorkCompleted{Ref: ref, By: plan.ByUser}, func(plan.EntryID) error {
		t.Error("the manifest was written first")
		return nil
	})
	if err == nil {
		t.Error("completed")
	}
}

func TestADamagedHeaderIsToldAndNothingIsTouched(t *testing.T) {
	r, _ := submitted(t)
	path, id := r.opt.Log.Path(), r.opt.Session
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[3] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	before := onDisk(t, r)
	log, err := r.store.OpenLog(id)
	if err != nil {
		t.Fatal(err)
	}
	r.open(log, true)
	r.plan("off")
	if said := r.notices(); !strings.Contains(said, "can only be read: session log has a damaged header") {
		t.Errorf("said:\n%s", said)
	}
	same(t, before, onDisk(t, r))
}

func TestNoticesThatCannotBeRecordedAreToldApart(t *testing.T) {
	r, _ := submitted(t)
	b := onlooker(t, r)
	b.Session.say(tree.Info, "one")
	b.Session.say(tree.Info, "two")
	seen := map[plan.EntryID]bool{}
	for _, e := range b.Items(0) {
		if seen[e.ID] {
			t.Errorf("two entries have the id %s", e.ID)
		}
		seen[e.ID] = true
	}
}

func TestWhoHasASessionIsNamedWithItsAge(t *testing.T) {
	began := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	h := store.Holder{PID: 12, Host: "box", Since: began}
	since := ", since " + began.Local().Format("2006-01-02 15:04")
	for name, c := range map[string]struct {
		holder store.Holder
		after  time.Duration
		want   string
	}{
		"one that is unknown is not made up": {store.Holder{}, time.Hour, "which process is not known"},
		"just now":                           {h, 59 * time.Second, "process 12 on box, for less than a minute" + since},
		"a minute":                           {h, 90 * time.Second, "process 12 on box, for 1 minute" + since},
		"hours":                              {h, 5 * time.Hour, "process 12 on box, for 5 hours" + since},
		"days":                               {h, 49 * time.Hour, "process 12 on box, for 2 days" + since},
		"a clock that went back has no age":  {h, -time.Hour, "process 12 on box" + since},
	} {
		if got := holderText(c.holder, began.Add(c.after)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
