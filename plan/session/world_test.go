package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/git"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/record"
	"planmode/store"
)

// world is a person and an agent at work in a directory of their own, as chance
// has it: the one generator of what the durability rig breaks. It needs no test,
// because it also runs in a child that is killed.
type world struct {
	base   string
	chance *rand.Rand
	probe  store.Probe
	tell   func(fact)

	store   *store.Store
	session *Session
	agent   *scriptAgent
	desk    *scriptDesk
	clock   *clock
	told    int // entries of this session that were told
	texts   int // texts written so far, so that no two are equal
}

// fact is something that was acknowledged, or that the person was about to do.
type fact struct {
	What    string // entry, approving, drafting, drafted
	Session string
	ID      plan.EntryID `json:",omitempty"`
	Kind    plan.Kind    `json:",omitempty"`
	Body    []byte       `json:",omitempty"` // not JSON here: it must arrive byte for byte
	Ref     plan.Ref
	Text    string `json:",omitempty"`
	Step    int    // steps taken before it was told, where they are counted
}

// chancy is a source of bytes for ids. It is safe for concurrent use.
type chancy struct {
	mu   sync.Mutex
	from *rand.ChaCha8
}

func newChancy(chance *rand.Rand) *chancy {
	var key [32]byte
	for i := range key {
		key[i] = byte(chance.IntN(256))
	}
	return &chancy{from: rand.NewChaCha8(key)}
}

func (c *chancy) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.from.Read(b)
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func dirsBelow(base string) store.Dirs {
	in := func(name string) string { return filepath.Join(base, name) }
	return store.Dirs{Config: in("config"), Data: in("data"), State: in("state"), Run: in("run")}
}

// furnish makes what is there before the first start: a place to work in and the
// configuration of an older program.
func furnish(base string) error {
	for _, name := range []string{"config", "state", "work"} {
		if err := os.MkdirAll(filepath.Join(base, name), 0o700); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(base, "config", "plan-mode.json"), []byte(`{"contentLanguage":"en"}`), 0o600)
}

func newWorld(base string, seed uint64, probe store.Probe, tell func(fact)) *world {
	return &world{
		base: base, chance: seeded(seed), probe: probe, tell: tell,
		agent: &scriptAgent{}, clock: &clock{now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)},
	}
}

// live starts the session and does some things in it. An error means that the
// world could not be opened any more.
func (w *world) live() error {
	if err := w.start(""); err != nil {
		return err
	}
	defer w.close()
	for range 6 + w.chance.IntN(10) {
		if err := w.act(); err != nil {
			return err
		}
	}
	return nil
}

// start opens the store and the session of that id, or a new one.
func (w *world) start(id string) error {
	dirs := dirsBelow(w.base)
	o := store.Options{
		Now: w.clock.Now, Random: newChancy(w.chance), Probe: w.probe,
		After: func(time.Duration, func()) func() { return func() {} },
	}
	config, _ := store.LoadConfigWith(dirs, o)
	st, err := store.Open(dirs, o)
	if err != nil {
		return err
	}
	var log *store.Log
	if id == "" {
		log, err = st.CreateLog(tree.Header{Cwd: filepath.Join(w.base, "work")})
	} else {
		log, err = st.OpenLog(id)
	}
	if err != nil {
		return errors.Join(err, st.Close())
	}
	config.Reviewer = "builtin"
	w.conduct(st, log, config, id != "")
	return nil
}

func (w *world) conduct(st *store.Store, log *store.Log, config store.Config, resumed bool) {
	self, _ := os.Executable()
	w.store, w.told, w.desk = st, 0, &scriptDesk{}
	w.answers()
	dir := filepath.Join(w.base, "work")
	w.session = New(Options{
		Store: st, Log: log, Session: log.Header().Session, Resumed: resumed, Config: config,
		Agent: w.agent, Desk: w.desk, Dir: dir, Temp: filepath.Join(w.base, "work"), Env: []string{"PATH=" + os.Getenv("PATH")},
		Finder: revdiff.FindOptions{Choice: revdiff.ChooseBuiltin, Getenv: func(string) string { return "" }, Self: self},
		Repo:   git.Open(dir), Now: w.clock.Now, Random: newChancy(w.chance),
	})
	w.publish()
}

func (w *world) close() {
	if w.session != nil {
		w.rest()
		_ = w.session.Close() // what it cannot write is the point
		_ = w.store.Close()
		w.session = nil
	}
}

// publish tells every entry that a screen could show by now.
func (w *world) publish() {
	items := w.session.Items(0)
	for _, e := range items[min(w.told, len(items)):] {
		if !strings.HasPrefix(string(e.ID), "unsaved-") {
			w.tell(fact{What: "entry", Session: w.session.opt.Session, ID: e.ID, Kind: e.Kind, Body: e.Body})
		}
	}
	w.told = len(items)
}

// rest waits until nothing runs.
func (w *world) rest() {
	for w.session.View().Running {
		<-w.session.Poked()
	}
}

// answers are those of the person: anything, with a leaning to go on.
func (w *world) answers() {
	w.desk.review = w.reviewing
	w.desk.decide = w.deciding
	w.desk.ask = func(_ context.Context, q Question) (int, error) {
		w.publish()
		return w.chance.IntN(len(q.Choices)), nil
	}
	w.desk.confirm = func(context.Context, Confirmation) (bool, error) {
		w.publish()
		return w.chance.IntN(4) > 0, nil
	}
}

func (w *world) reviewing(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
	w.publish()
	how := w.chance.IntN(8)
	if how < 3 {
		return revdiff.Exit{Started: true}, nil
	}
	raw := record.Format([]record.Record{{Path: j.Copy, Line: 1 + w.chance.IntN(4), Type: record.Context, Body: w.text()}})
	if err := os.WriteFile(j.Output, raw, 0o600); err != nil {
		return revdiff.Exit{}, err
	}
	if how == 3 {
		return revdiff.Exit{}, errors.New("the reviewer could not be run")
	}
	return revdiff.Exit{Started: true, Code: 10}, nil
}

func (w *world) deciding(_ context.Context, c Card) (Verdict, error) {
	w.publish()
	rows := []Row{RowApprove, RowApprove, RowApprove, RowApprove, RowRequestChanges, RowKeep, RowCancel, RowLeave}
	v := Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: rows[w.chance.IntN(len(rows))], Text: w.text()}
	if v.Row == RowApprove {
		w.tell(fact{What: "approving", Session: w.session.opt.Session, Ref: c.Ref})
	}
	return v, nil
}

func (w *world) text() string {
	w.texts++
	return fmt.Sprintf("text %d", w.texts)
}

// deed is something the person may do now, and how likely.
type deed struct {
	weight int
	do     func() error
}

func (w *world) plan(arg string) func() error {
	return func() error { return w.session.Plan(context.Background(), arg) }
}

// act does one thing and waits until it has happened.
func (w *world) act() error {
	deeds := []deed{{1, w.chat}, {1, w.compose}, {1, w.again}, {1, w.move}, {1, w.fork}, {1, w.shorten}}
	st := w.session.View().State
	switch {
	case st.IsPlanning() && st.Planning == nil:
		deeds = append(deeds, deed{6, w.submit}, deed{2, w.propose}, deed{1, w.plan("off")})
	case st.IsPlanning():
		deeds = append(deeds, deed{5, w.submit}, deed{2, w.propose}, deed{3, w.plan("review")}, deed{1, w.plan("off")}, deed{1, w.plan("discard")})
	case st.OpenWork() != nil:
		deeds = append(deeds, deed{3, w.finish}, deed{2, w.plan("complete")}, deed{1, w.plan("abandon")}, deed{2, w.plan("revise")}, deed{1, w.plan("on")})
	default:
		deeds = append(deeds, deed{7, w.plan("on")}, deed{1, w.plan("revise")}, deed{2, w.adopt})
	}
	total := 0
	for _, d := range deeds {
		total += d.weight
	}
	at := w.chance.IntN(total)
	for _, d := range deeds {
		if at -= d.weight; at < 0 {
			if err := d.do(); err != nil {
				return err
			}
			break
		}
	}
	w.rest()
	w.publish()
	return nil
}

// chat is a turn in which the agent only talks.
func (w *world) chat() error {
	w.agent.then(func(_ context.Context, _ agent.Turn, h agent.Host) error {
		h.Emit(agent.TextDelta{Text: w.text()})
		h.Emit(agent.MessageDone{})
		return nil
	})
	_ = w.session.Send(w.text()) // refused, it is not acknowledged
	return nil
}

// submit is a turn in which the agent submits a plan.
func (w *world) submit() error {
	st := w.session.View().State
	id := plan.ID("")
	if st.Planning != nil {
		id = st.Planning.Plan
	}
	w.agent.then(submitting(id, "A plan", planText(w.text())))
	_ = w.session.Send(w.text())
	return nil
}

// propose is a turn in which the agent writes a plan into its message.
func (w *world) propose() error {
	w.agent.then(writing(inBlock(planText(w.text()))))
	_ = w.session.Send(w.text())
	return nil
}

// finish is a turn in which the agent completes the work.
func (w *world) finish() error {
	ref := w.session.View().State.Work.Ref
	w.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		_, _, err := call(ctx, h, "complete_plan", tool.CompleteArgs{
			PlanID: string(ref.Plan), Revision: ref.Revision, Summary: "Done.", Verification: []string{"tests pass"},
		})
		return err
	})
	_ = w.session.Send(w.text())
	return nil
}

// compose keeps the text of a message that is not sent yet.
func (w *world) compose() error {
	f := fact{What: "drafting", Session: w.session.opt.Session, Text: w.text()}
	w.tell(f)
	if w.session.SaveDraft(f.Text) == nil {
		f.What = "drafted"
		w.tell(f)
	}
	return nil
}

// again ends the session and resumes it.
func (w *world) again() error {
	id := w.session.opt.Session
	if !slices.ContainsFunc(w.session.Items(0), func(e Item) bool { return e.Kind != tree.KindNotice }) {
		return nil // a session in which only planmode spoke leaves no file
	}
	w.close()
	if err := w.start(id); err != nil {
		return err
	}
	w.session.Begin(context.Background(), false)
	return nil
}

// move goes on from any entry.
func (w *world) move() error {
	all, _ := w.session.Tree()
	if len(all) == 0 {
		return nil
	}
	_, _ = w.session.Move(context.Background(), all[w.chance.IntN(len(all))].ID) // refused, it is not acknowledged
	w.told = 0                                                                   // another branch: all of it is shown
	return nil
}

// fork goes on in a session of its own, from any entry or the end.
func (w *world) fork() error {
	all, _ := w.session.Tree()
	at := plan.EntryID("")
	if len(all) > 0 && w.chance.IntN(2) == 0 {
		at = all[w.chance.IntN(len(all))].ID
	}
	id, err := w.session.Fork(context.Background(), at)
	if err != nil || id == "" {
		return nil // refused, it is not acknowledged
	}
	w.close()
	return w.start(id)
}

// shorten makes a summary for the agent.
func (w *world) shorten() error { return w.session.Compact(context.Background(), "") }

// adopt goes on with an approved plan in a new session.
func (w *world) adopt() error {
	plans, err := w.store.Plans()
	if err != nil {
		return err
	}
	for _, p := range plans {
		if p.ApprovedRevision == 0 {
			continue
		}
		w.close()
		if err := w.start(""); err != nil {
			return err
		}
		_ = w.session.Adopt(context.Background(), p.ID) // refused, it is not acknowledged
		return nil
	}
	return nil
}
