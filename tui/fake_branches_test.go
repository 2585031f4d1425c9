package tui

import (
	"context"

	"planmode/plan"
	"planmode/plan/session"
)

// branching is what a fake answers about its tree.
type branching struct {
	moves, forks []plan.EntryID
	focus        []string
	labels       map[plan.EntryID]string
	again        string // what a move gives back
	forked       string // the id of a fork
	err          error
	stay         bool // the person does not leave
}

func (f *fake) Tree() (all []session.Item, leaf plan.EntryID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	// The fake's entries have no parents of their own; here each follows the other.
	for i, e := range f.items {
		if i > 0 {
			e.Parent = f.items[i-1].ID
		}
		all, leaf = append(all, e), e.ID
	}
	return all, leaf
}

func (f *fake) Move(_ context.Context, to plan.EntryID) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moves = append(f.moves, to)
	return f.again, f.err
}

func (f *fake) Label(entry plan.EntryID, label string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.labels == nil {
		f.labels = map[plan.EntryID]string{}
	}
	f.labels[entry] = label
	return f.err
}

func (f *fake) Fork(_ context.Context, at plan.EntryID) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forks = append(f.forks, at)
	return f.forked, f.err
}

func (f *fake) Compact(_ context.Context, focus string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.focus = append(f.focus, focus)
	return f.err
}

func (f *fake) MayLeave(context.Context) bool { return !f.stay }
