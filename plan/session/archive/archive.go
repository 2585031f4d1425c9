// Package archive is about sessions at rest: it lists and describes them, removes
// one for good, and writes one as Markdown. Nothing of it needs an agent, a desk or
// a terminal. Every text in a Summary is clean and on one line.
package archive

import (
	"fmt"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
)

// Summary is one session as its log shows it.
type Summary struct {
	ID        string          `json:"id"`
	Path      string          `json:"path"`
	Directory string          `json:"directory"`
	Parent    string          `json:"parent,omitempty"` // the session it was forked from
	Created   plan.Time       `json:"created"`
	Modified  plan.Time       `json:"modified"`
	Title     string          `json:"title,omitempty"`
	First     string          `json:"first,omitempty"` // the first message of the person
	Entries   int             `json:"entries"`
	Mode      plan.Mode       `json:"mode,omitempty"`
	Plan      *Plan           `json:"plan,omitempty"`
	Work      plan.WorkStatus `json:"work,omitempty"`
	Holder    *store.Holder   `json:"holder,omitempty"` // who has it open for writing
	Problems  []string        `json:"problems,omitempty"`

	damaged bool // the work may be other than it looks
}

// Plan is the draft of a session or, without one, its latest work.
type Plan struct {
	ID       plan.ID   `json:"id"`
	Revision int       `json:"revision"`
	Hash     plan.Hash `json:"hash"`
	Title    string    `json:"title"`
	Draft    bool      `json:"draft"` // under planning or parked, not approved
}

// List describes the sessions of a directory, or all when cwd is empty, the one
// written to last first, at most most of them; more is how many were left out.
// Each log is read whole: the plan and the work are known only from its end back to
// its beginning.
func List(s *store.Store, cwd string, most int) (list []Summary, more int, err error) {
	infos, err := s.Sessions(cwd)
	if err != nil {
		return nil, 0, err
	}
	if len(infos) > most {
		infos, more = infos[:most], len(infos)-most
	}
	list = []Summary{}
	for _, info := range infos {
		list = append(list, describe(s, info))
	}
	return list, more, nil
}

// Describe describes one session, named as store.OpenLog takes it.
func Describe(s *store.Store, session string) (Summary, error) {
	log, err := s.ReadLog(session)
	if err != nil {
		return Summary{}, err
	}
	id := log.Header().Session
	if err := log.Close(); err != nil {
		return Summary{}, err
	}
	infos, err := s.Sessions("")
	if err != nil {
		return Summary{}, err
	}
	for _, info := range infos {
		if info.ID == id {
			return describe(s, info), nil
		}
	}
	return Summary{}, fmt.Errorf("describe session %s: %w", id, store.ErrNoSession)
}

func describe(s *store.Store, info store.SessionInfo) Summary {
	sum := Summary{
		ID: info.ID, Path: info.Path, Directory: text.Line(info.Cwd), Parent: text.Line(info.Parent),
		Created: info.Created, Modified: info.Modified, Title: info.Title, First: info.First, Entries: info.Entries,
	}
	log, err := s.ReadLog(info.Path)
	if err != nil {
		sum.problem(err.Error())
		sum.damaged = true
		return sum
	}
	defer log.Close() // it was only read
	sum.read(s, log)
	return sum
}

func (sum *Summary) problem(p string) { sum.Problems = append(sum.Problems, text.Line(p)) }

// read fills in what only the whole log says.
func (sum *Summary) read(s *store.Store, log *store.Log) {
	if h, held := s.Holder(log.Path()); held {
		sum.Holder = &h
	}
	for _, p := range log.Problems() {
		sum.problem(p)
	}
	branch := log.Tree().Current()
	state, skipped := tree.Fold(branch)
	for _, sk := range skipped {
		sum.problem(fmt.Sprintf("entry %s cannot be used: %v", sk.Entry, sk.Err))
	}
	if err := log.Unwritable(); err != nil {
		sum.problem(err.Error())
	}
	sum.damaged = log.Unwritable() != nil || log.Lost() > 0 || len(skipped) > 0
	sum.Entries, sum.Mode = log.Tree().Len(), state.Mode
	if state.Work != nil {
		sum.Work = state.Work.Status
	}
	if unrecorded(s, log) {
		sum.Work = plan.Unknown
		sum.problem("a plan is approved in its own record, but not in this session: planmode stopped in between; resume the session to put that right")
	}
	ref := state.Planning
	if ref == nil && state.Work != nil {
		ref = &state.Work.Ref
	}
	if ref != nil {
		sum.Plan = &Plan{ID: ref.Plan, Revision: ref.Revision, Hash: ref.Hash, Title: titleOf(branch, *ref), Draft: state.Planning != nil}
	}
}

// titleOf is the title of a revision as the branch gave it last.
func titleOf(branch []tree.Entry, ref plan.Ref) string {
	for i := len(branch) - 1; i >= 0; i-- {
		var title string
		var of plan.Ref
		switch ev, _, _ := tree.Event(branch[i]); ev := ev.(type) {
		case plan.RevisionSubmitted:
			of, title = ev.Ref, ev.Title
		case plan.PlanApproved:
			of, title = ev.Ref, ev.Title
		case plan.WorkAdopted:
			of, title = ev.Ref, ev.Title
		}
		if of == ref && title != "" {
			return text.Line(title)
		}
	}
	return string(ref.Plan)
}

// unrecorded says whether an approval of this session is in a plan's record but
// not in the log: its work is open although the log does not say so.
func unrecorded(s *store.Store, log *store.Log) bool {
	session := log.Header().Session
	seen := map[plan.ID]bool{}
	for _, e := range log.Tree().All() {
		ev, _, _ := tree.Event(e)
		sub, ok := ev.(plan.RevisionSubmitted)
		if !ok || seen[sub.Ref.Plan] {
			continue
		}
		seen[sub.Ref.Plan] = true
		m, err := s.Manifest(sub.Ref.Plan)
		if err != nil {
			continue
		}
		for _, d := range m.Decisions {
			approved := d.Kind == plan.DecidedApproved || d.Kind == plan.DecidedAutoApproved
			if _, known := log.Tree().Entry(d.Entry); approved && d.Session == session && d.Entry != "" && !known {
				return true
			}
		}
	}
	return false
}
