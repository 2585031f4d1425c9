package archive

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
)

var (
	// ErrApproved reports a plan that cannot be discarded because its current
	// revision is approved.
	ErrApproved = errors.New("its current revision is approved; an approved plan is completed or abandoned, not discarded")
	// ErrAttached reports a draft that somebody is planning on at this moment.
	ErrAttached = errors.New("it is attached in a session that is open; /plan discard there lets go of it")
	// ErrDiscarded reports a draft that was discarded before.
	ErrDiscarded = errors.New("it is discarded already")
)

// Standings are the words by which plans can be filtered: those that
// store.PlanInfo.Standing gives, and "open" for approved work that is not closed.
var Standings = []string{"draft", "changes_requested", "approved", "completed", "abandoned", "discarded", "damaged", "newer", "open"}

// PlanFilter chooses plans. The zero value takes all of them.
type PlanFilter struct {
	Text    string   // words that must all occur in title, id or directory, in any case
	Status  []string // any of Standings
	Dir     string   // this directory or one below it
	Since   time.Time
	Before  time.Time // last changed before
	Session string    // that this session may add revisions to
}

// Match says whether the filter takes the plan.
func (f PlanFilter) Match(p store.PlanInfo) bool {
	switch {
	case !f.Since.IsZero() && p.UpdatedAt.Before(f.Since):
		return false
	case !f.Before.IsZero() && !p.UpdatedAt.Before(f.Before):
		return false
	case f.Dir != "" && !within(p.Cwd, f.Dir):
		return false
	case f.Session != "" && !slices.Contains(p.Sessions, f.Session):
		return false
	case len(f.Status) > 0 && !slices.ContainsFunc(f.Status, func(s string) bool { return stands(p, s) }):
		return false
	}
	return f.Text == "" || holdsAll(strings.ToLower(p.Title+"\n"+string(p.ID)+"\n"+p.Cwd), strings.Fields(strings.ToLower(f.Text)))
}

func stands(p store.PlanInfo, standing string) bool {
	if standing == "open" {
		return p.Problem == "" && p.Work.Open()
	}
	return p.Standing() == standing
}

func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

func holdsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

// FindPlan is the id that a text names: whole, or the only one that begins with
// it, or whose last eight digits do.
func FindPlan(s *store.Store, name string) (plan.ID, error) {
	ids, err := s.PlanIDs()
	if err != nil {
		return "", err
	}
	var found []plan.ID
	for _, id := range ids {
		random := id[len(id)-8:]
		switch {
		case string(id) == name:
			return id, nil
		case name != "" && (strings.HasPrefix(string(id), name) || strings.HasPrefix(string(random), name)):
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("find plan %q: %w", text.Truncate(text.Line(name), 80), store.ErrNoPlan)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("find plan %q: %d plans begin like that; the newest is %s", name, len(found), found[0])
}

// DiscardPlan marks the draft of a plan as discarded. Its files are kept. A draft
// that a session which somebody has open is planning on is refused.
func DiscardPlan(s *store.Store, id plan.ID, at time.Time) (plan.Manifest, error) {
	m, err := s.Manifest(id)
	if err != nil {
		return m, err
	}
	switch m.StatusOf(m.CurrentRevision) {
	case plan.StatusApproved:
		return m, fmt.Errorf("discard %s: %w", id, ErrApproved)
	case plan.StatusDiscarded:
		return m, fmt.Errorf("discard %s: %w", id, ErrDiscarded)
	}
	for _, session := range m.Sessions {
		if holder, held := s.Holder(session); held && plansOn(s, session, id) {
			return m, fmt.Errorf("discard %s: %w (process %d on %s)", id, ErrAttached, holder.PID, text.Line(holder.Host))
		}
	}
	ref, _ := m.Ref(m.CurrentRevision)
	return s.Decide(id, plan.Decision{
		Revision: ref.Revision, Hash: ref.Hash, Kind: plan.DecidedDiscarded, By: plan.ByUser, At: plan.Stamp(at),
	})
}

// plansOn says whether the session has a draft of the plan attached.
func plansOn(s *store.Store, session string, id plan.ID) bool {
	log, err := s.ReadLog(session)
	if err != nil {
		return true // it may have
	}
	defer log.Close() // it was only read
	state, _ := tree.Fold(log.Tree().Current())
	return state.Planning != nil && state.Planning.Plan == id
}
