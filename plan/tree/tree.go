package tree

import (
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
)

// ErrNoEntry reports an entry id that the tree does not hold.
var ErrNoEntry = errors.New("no such entry")

// ErrManyEntries reports the beginning of an entry id that does not name one alone.
var ErrManyEntries = errors.New("more than one such entry")

// ErrDuplicate reports an id that is already in the tree.
var ErrDuplicate = errors.New("entry id is already used")

// Tree holds the entries of one session in the order they were written and
// knows the leaf that the next entry will be a child of. The zero value is an
// empty tree. It is not safe for concurrent use.
type Tree struct {
	entries []Entry
	index   map[plan.EntryID]int
	kinds   map[plan.Kind]plan.Kind // the text of each kind, once
	leaf    plan.EntryID
}

// Add appends e, whose parent must be in the tree or empty. The leaf becomes e
// or, for a leaf entry, the entry it points to.
func (t *Tree) Add(e Entry) error {
	if _, dup := t.index[e.ID]; dup {
		return fmt.Errorf("%w: %s", ErrDuplicate, e.ID)
	}
	if _, ok := t.index[e.Parent]; e.Parent != "" && !ok {
		return fmt.Errorf("%w: parent %s of %s", ErrNoEntry, e.Parent, e.ID)
	}
	leaf := e.ID
	if e.Kind == KindLeaf {
		l, err := Decode[Leaf](e)
		if err != nil {
			return err
		}
		if _, ok := t.index[l.To]; l.To != "" && !ok {
			return fmt.Errorf("%w: leaf %s moves to %s", ErrNoEntry, e.ID, l.To)
		}
		leaf = l.To
	}
	if t.index == nil {
		t.index, t.kinds = map[plan.EntryID]int{}, map[plan.Kind]plan.Kind{}
	}
	e = t.share(e)
	t.index[e.ID] = len(t.entries)
	t.entries = append(t.entries, e)
	t.leaf = leaf
	return nil
}

// share lets the entry use the text of its kind and parent that is here already:
// in a long session most of the memory would be copies of them.
func (t *Tree) share(e Entry) Entry {
	if kind, ok := t.kinds[e.Kind]; ok {
		e.Kind = kind
	} else {
		t.kinds[e.Kind] = e.Kind
	}
	if e.Parent != "" {
		e.Parent = t.entries[t.index[e.Parent]].ID
	}
	return e
}

// Len is the number of entries.
func (t *Tree) Len() int { return len(t.entries) }

// Leaf is the entry that the next one will be a child of; empty in a new tree.
func (t *Tree) Leaf() plan.EntryID { return t.leaf }

// Entry finds an entry by id.
func (t *Tree) Entry(id plan.EntryID) (Entry, bool) {
	i, ok := t.index[id]
	if !ok {
		return Entry{}, false
	}
	return t.entries[i], true
}

// Find finds the entry whose id is, or alone begins with, what was given.
func (t *Tree) Find(id string) (Entry, error) {
	if e, ok := t.Entry(plan.EntryID(id)); ok {
		return e, nil
	}
	var found []Entry
	for _, e := range t.entries {
		if id != "" && strings.HasPrefix(string(e.ID), id) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return Entry{}, ErrNoEntry
	case 1:
		return found[0], nil
	}
	return Entry{}, fmt.Errorf("%w: %d entries begin with it", ErrManyEntries, len(found))
}

// All returns every entry in the order written. The caller must not change it.
func (t *Tree) All() []Entry { return t.entries }

// Branch returns the path from the root to leaf, both included; nil when leaf is
// empty or unknown.
func (t *Tree) Branch(leaf plan.EntryID) []Entry {
	length := 0
	for i, ok := t.index[leaf]; ok; i, ok = t.index[t.entries[i].Parent] {
		length++
	}
	if length == 0 {
		return nil
	}
	path := make([]Entry, length)
	for id := leaf; length > 0; length-- {
		path[length-1] = t.entries[t.index[id]]
		id = path[length-1].Parent
	}
	return path
}

// Current is the branch of the present leaf.
func (t *Tree) Current() []Entry { return t.Branch(t.leaf) }

// Skipped names an event of a branch that the law refused during a fold.
type Skipped struct {
	Entry plan.EntryID
	Err   error
}

// Fold replays the events of branch from the empty state. An event that cannot
// be decoded or is refused is skipped and reported. The state then stays where
// it was, unless the event would have turned planning on: then planning is on
// all the same, since damage must never give an agent more rights.
func Fold(branch []Entry) (plan.State, []Skipped) {
	s := plan.State{Mode: plan.ModeNormal}
	var skipped []Skipped
	for _, e := range branch {
		ev, ok, err := Event(e)
		if !ok {
			continue
		}
		if err == nil {
			s, err = plan.Apply(s, ev, plan.At{Entry: e.ID, Time: e.At.Time})
		}
		if err != nil {
			skipped = append(skipped, Skipped{e.ID, err})
			if e.Kind == plan.KindPlanningEntered || e.Kind == plan.KindRevisionAttached {
				s.Mode = plan.ModePlanning
			}
		}
	}
	return s, skipped
}
