package archive

import (
	"errors"
	"fmt"
	"time"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
)

// PruneOptions say what may go. What is younger than OlderThan, and the newest
// Keep plans and Keep sessions, stay in every case.
type PruneOptions struct {
	Now       time.Time
	OlderThan time.Duration
	Keep      int
	DryRun    bool
}

// Pruned is one thing that was removed, or would be.
type Pruned struct {
	Kind  string    `json:"kind"` // "session", "plan", "draft", "review copies", "leftover"
	ID    string    `json:"id"`
	Title string    `json:"title,omitempty"`
	Last  plan.Time `json:"last"`            // when it was last written
	Error string    `json:"error,omitempty"` // why it could not be removed

}

// PruneReport is what a run of Prune removed, or would.
type PruneReport struct {
	Removed []Pruned       `json:"removed"`
	Kept    map[string]int `json:"kept"` // what old things were kept, by the reason
	DryRun  bool           `json:"dryRun"`
}

// errNeeded refuses the removal of a plan that became needed meanwhile.
var errNeeded = errors.New("it is in use again")

// pruning is one run.
type pruning struct {
	s       *store.Store
	o       PruneOptions
	cutoff  time.Time
	report  PruneReport
	gone    map[string]bool        // sessions that go
	named   map[plan.ID]bool       // plans that a session which stays speaks of
	held    map[plan.ID]bool       // plans attached in, or worked on by, one that stays
	reviews map[plan.ReviewID]bool // reviews that one that stays opened and did not close
	unknown map[string]bool        // sessions of which not all can be read
}

// Prune removes sessions, plans, unsent texts and copies of reviews that nobody
// needs any more: never open work, an attached draft or an open review of a
// session that stays, anything that somebody has locked, or anything damaged,
// since nobody can tell what that is needed for. Each removal is judged again
// under the lock of what it removes.
func Prune(s *store.Store, o PruneOptions) (PruneReport, error) {
	p := &pruning{
		s: s, o: o, cutoff: o.Now.Add(-o.OlderThan),
		report: PruneReport{Removed: []Pruned{}, Kept: map[string]int{}, DryRun: o.DryRun},
		gone:   map[string]bool{}, named: map[plan.ID]bool{}, held: map[plan.ID]bool{},
		reviews: map[plan.ReviewID]bool{}, unknown: map[string]bool{},
	}
	for _, step := range []func() error{p.sessions, p.plans, p.drafts, p.leftovers} {
		if err := step(); err != nil {
			return p.report, fmt.Errorf("prune: %w", err)
		}
	}
	return p.report, nil
}

func (p *pruning) old(t time.Time) bool { return t.Before(p.cutoff) }

func (p *pruning) keep(why string) { p.report.Kept[why]++ }

// remove runs act unless this is a dry run, and reports it.
func (p *pruning) remove(x Pruned, act func() error) bool {
	if !p.o.DryRun {
		if err := act(); err != nil {
			x.Error = text.Line(err.Error())
		}
	}
	p.report.Removed = append(p.report.Removed, x)
	return x.Error == ""
}

func (p *pruning) sessions() error {
	list, _, err := List(p.s, "", int(^uint(0)>>1))
	if err != nil {
		return err
	}
	for i, sum := range list {
		if !p.old(sum.Modified.Time) || i < p.o.Keep {
			p.stays(sum)
			continue
		}
		r := Removal{Summary: sum}
		switch {
		case sum.Holder != nil:
			p.keep("session that is open")
		case r.refusal(RemoveOptions{}) != nil:
			p.keep("session with open work, or damaged")
		case p.remove(Pruned{Kind: "session", ID: sum.ID, Title: named(sum), Last: sum.Modified}, func() error {
			_, err := Remove(p.s, sum.ID, RemoveOptions{})
			return err
		}):
			p.gone[sum.ID] = true
			continue
		}
		p.stays(sum)
	}
	return nil
}

func named(sum Summary) string {
	if sum.Title != "" {
		return sum.Title
	}
	return sum.First
}

// stays learns what a session that is not removed needs.
func (p *pruning) stays(sum Summary) {
	log, err := p.s.ReadLog(sum.Path)
	if err != nil {
		p.unknown[sum.ID] = true
		return
	}
	defer log.Close() // it was only read
	if sum.damaged {
		p.unknown[sum.ID] = true
	}
	for _, e := range log.Tree().All() {
		ev, _, _ := tree.Event(e)
		switch ev := ev.(type) {
		case plan.RevisionSubmitted:
			p.named[ev.Ref.Plan] = true
		case plan.PlanApproved:
			p.named[ev.Ref.Plan] = true
			delete(p.reviews, ev.Review)
		case plan.WorkAdopted:
			p.named[ev.Ref.Plan] = true
		case plan.WorkRecovered:
			p.named[ev.Ref.Plan] = true
		case plan.RevisionAttached:
			p.held[ev.Ref.Plan] = true // on some branch
		case plan.ReviewOpened:
			p.named[ev.Ref.Plan] = true
			p.reviews[ev.Review] = true
		case plan.ReviewClosed:
			delete(p.reviews, ev.Review)
		case plan.ChangesRequested:
			delete(p.reviews, ev.Review)
		}
	}
	state, _ := tree.Fold(log.Tree().Current())
	if state.Planning != nil {
		p.held[state.Planning.Plan] = true
	}
	if w := state.OpenWork(); w != nil {
		p.held[w.Ref.Plan] = true
	}
}

func (p *pruning) plans() error {
	all, err := p.s.Plans()
	if err != nil {
		return err
	}
	for i, info := range all {
		if !p.old(info.UpdatedAt.Time) || i < p.o.Keep {
			p.copies(info)
			continue
		}
		if why := p.needed(info); why != "" {
			p.keep(why)
			p.copies(info)
			continue
		}
		p.remove(Pruned{Kind: "plan", ID: string(info.ID), Title: text.Line(info.Title), Last: info.UpdatedAt}, func() error {
			return p.s.RemovePlan(info.ID, func(m plan.Manifest) error {
				if !p.old(m.UpdatedAt.Time) || p.neededBy(m) != "" {
					return errNeeded
				}
				return nil
			})
		})
	}
	return nil
}

// needed says why a plan stays; empty if it may go.
func (p *pruning) needed(info store.PlanInfo) string {
	switch {
	case info.Newer:
		return "plan of a newer planmode"
	case info.Problem != "":
		return "plan that is damaged"
	}
	if _, held := p.s.PlanHolder(info.ID); held {
		return "plan that is being written to"
	}
	m, err := p.s.Manifest(info.ID)
	if err != nil {
		return "plan that is damaged"
	}
	return p.neededBy(m)
}

func (p *pruning) neededBy(m plan.Manifest) string {
	switch {
	case len(m.OpenWork()) > 0:
		return "plan with open work"
	case p.held[m.PlanID]:
		return "plan attached in a session"
	case p.named[m.PlanID] && !m.Settled():
		return "draft of a session"
	}
	for _, session := range m.Sessions {
		if p.unknown[session] {
			return "plan of a damaged session"
		}
		if _, held := p.s.Holder(session); held {
			return "plan of a session that is open"
		}
	}
	return ""
}

// copies removes the private copies of reviews that ended, of a plan that stays.
func (p *pruning) copies(info store.PlanInfo) {
	if info.Problem != "" {
		return // nobody can tell whether a review of it still needs them
	}
	left, err := p.s.ReviewCopies(info.ID)
	if err != nil {
		return // the plan is damaged, which its list says
	}
	for _, session := range info.Sessions {
		if _, held := p.s.Holder(session); held || p.unknown[session] {
			return
		}
	}
	seen := map[plan.ReviewID]bool{}
	for _, l := range left {
		if p.reviews[l.Review] || seen[l.Review] || !p.old(l.Time) {
			continue
		}
		seen[l.Review] = true
		p.remove(Pruned{Kind: "review copies", ID: string(info.ID) + " " + text.Line(string(l.Review)), Title: text.Line(info.Title), Last: plan.Stamp(l.Time)},
			func() error { return p.s.RemoveReviewCopies(l.Plan, l.Review) })
	}
}

// drafts removes the unsent texts of sessions that are no more.
func (p *pruning) drafts() error {
	drafts, err := p.s.Drafts()
	if err != nil {
		return err
	}
	infos, err := p.s.Sessions("")
	if err != nil {
		return err
	}
	exists := map[string]bool{}
	for _, info := range infos {
		exists[info.ID] = true
	}
	for session, l := range drafts {
		if exists[session] || p.gone[session] || !p.old(l.Time) {
			continue
		}
		if _, held := p.s.Holder(session); held {
			continue // it is about to write its first line
		}
		p.remove(Pruned{Kind: "draft", ID: session, Last: plan.Stamp(l.Time)}, func() error { return p.s.RemoveDraft(session) })
	}
	return nil
}

// leftovers removes what a crash left of plans on their way in or out.
func (p *pruning) leftovers() error {
	left, err := p.s.Unfinished()
	if err != nil {
		return err
	}
	for _, l := range left {
		if p.old(l.Time) {
			p.remove(Pruned{Kind: "leftover", ID: text.Line(l.Path), Last: plan.Stamp(l.Time)}, func() error { return p.s.RemoveUnfinished(l) })
		}
	}
	return nil
}
