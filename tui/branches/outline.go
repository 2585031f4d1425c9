package branches

import (
	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tree"
)

// Source is a session's tree prepared for browsing. Load may take a while for a
// long session and can run on any goroutine.
type Source struct {
	entries []session.Item
	parent  []int32 // index of the parent; -1 at a root
	active  []bool  // on the path in use
	leaf    int     // the end of that path; -1 when it is empty
	labels  map[plan.EntryID]string
}

// Load prepares the entries of a session, in the order written, and the leaf.
func Load(all []session.Item, leaf plan.EntryID) *Source {
	s := &Source{entries: all, parent: make([]int32, len(all)), active: make([]bool, len(all)), leaf: -1, labels: tree.Labels(all)}
	index := make(map[plan.EntryID]int32, len(all))
	for i := range all {
		s.parent[i] = -1
		if p, ok := index[all[i].Parent]; ok {
			s.parent[i] = p
		}
		index[all[i].ID] = int32(i)
	}
	if i, ok := index[leaf]; ok {
		s.leaf = int(i)
		for at := i; at >= 0; at = s.parent[at] {
			s.active[at] = true
		}
	}
	return s
}

// row is a node in sight.
type row struct {
	entry int32
	head  int32 // the row its branch begins with, -1 before the first fork
	up    int32 // of a head: the head of the branch it left
	depth int32 // forks above it
	last  bool  // of a head: no branch of the same fork follows
	forks int32 // children in sight of the filter
	under int32 // rows below it that a fold hides
}

// outline is the order and the shape in which nodes are drawn.
type outline struct {
	rows []row
	at   []int32 // of each entry, its row; -1 for none
}

// family is the tree of those entries that a filter lets through: an entry hangs
// on its nearest ancestor among them.
type family struct {
	parent, first, last, next []int32 // -1 for none; first of -1 is kept in root
	count                     []int32 // children
	below                     []int32 // all descendants
	root, rootLast, roots     int32
}

func (s *Source) family(shown []bool) *family {
	n := len(s.entries)
	room := make([]int32, 6*n)
	f := &family{root: -1, rootLast: -1}
	f.parent, f.first, f.last = room[:n], room[n:2*n], room[2*n:3*n]
	f.next, f.count, f.below = room[3*n:4*n], room[4*n:5*n], room[5*n:]
	for i := range n {
		f.first[i], f.last[i], f.next[i] = -1, -1, -1
		p := s.parent[i]
		if p >= 0 && !shown[p] {
			p = f.parent[p]
		}
		f.parent[i] = p
		if shown[i] {
			f.hang(int32(i), p)
		}
	}
	for i := n - 1; i >= 0; i-- {
		if p := f.parent[i]; shown[i] && p >= 0 {
			f.below[p] += f.below[i] + 1
		}
	}
	return f
}

func (f *family) hang(i, p int32) {
	switch {
	case p < 0 && f.rootLast < 0:
		f.root = i
	case p < 0:
		f.next[f.rootLast] = i
	case f.last[p] < 0:
		f.first[p] = i
	default:
		f.next[f.last[p]] = i
	}
	if p < 0 {
		f.rootLast = i
		f.roots++
		return
	}
	f.last[p] = i
	f.count[p]++
}

// flatten puts the entries in the order in which they are drawn: each before what
// follows it, a branch of a fork after the other. Nothing below a folded entry is
// there.
func (s *Source) flatten(shown []bool, folded map[plan.EntryID]bool) outline {
	f := s.family(shown)
	o := outline{at: make([]int32, len(s.entries))}
	for i := range o.at {
		o.at[i] = -1
	}
	type visit struct{ entry, from int32 } // from: the row of its parent, -1 for a root
	stack := []visit{}
	push := func(first, from int32) {
		begin := len(stack)
		for c := first; c >= 0; c = f.next[c] {
			stack = append(stack, visit{c, from})
		}
		for i, j := begin, len(stack)-1; i < j; i, j = i+1, j-1 {
			stack[i], stack[j] = stack[j], stack[i]
		}
	}
	push(f.root, -1)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		r := row{entry: v.entry, head: -1, up: -1, forks: f.count[v.entry]}
		siblings := f.roots
		if v.from >= 0 {
			r.head, r.depth, siblings = o.rows[v.from].head, o.rows[v.from].depth, o.rows[v.from].forks
		}
		if siblings > 1 {
			r.up, r.head, r.depth, r.last = r.head, int32(len(o.rows)), r.depth+1, f.next[v.entry] < 0
		}
		o.at[v.entry] = int32(len(o.rows))
		if folded[s.entries[v.entry].ID] && f.first[v.entry] >= 0 {
			r.under = f.below[v.entry]
		} else {
			push(f.first[v.entry], int32(len(o.rows)))
		}
		o.rows = append(o.rows, r)
	}
	return o
}

// nearest is the row of an entry or of its nearest ancestor that has one; -1 if
// there is none.
func (s *Source) nearest(o *outline, entry int) int {
	for at := int32(entry); at >= 0; at = s.parent[at] {
		if r := o.at[at]; r >= 0 {
			return int(r)
		}
	}
	return -1
}
