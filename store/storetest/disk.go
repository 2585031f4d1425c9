package storetest

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"planmode/store"
)

// Disk records every change below a directory and works out what a disk may hold
// after a power failure: all that was synced, and of the rest any part in any
// order. Its Probe lets every step pass.
type Disk struct {
	base  string
	first *node

	mu    sync.Mutex
	steps []store.Step
}

// NewDisk records from now on; what base holds already counts as synced.
func NewDisk(base string) (*Disk, error) {
	first, err := load(base)
	return &Disk{base: base, first: first}, err
}

// Probe implements store.Probe.
func (d *Disk) Probe(s store.Step) error {
	s.Data = slices.Clone(s.Data)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps = append(d.steps, s)
	return nil
}

// Len is how many steps were recorded.
func (d *Disk) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.steps)
}

// Cut writes into a new directory what base may hold when the power fails just
// after the first n steps. The same source of chance gives the same outcome.
func (d *Disk) Cut(n int, chance *rand.Rand, into string) error {
	d.mu.Lock()
	steps := d.steps[:n]
	d.mu.Unlock()
	root := d.first.clone()
	for _, s := range steps {
		root.apply(d.relative(s.Path), d.relative(s.From), s)
	}
	return root.survive(fate(chance.IntN(3)), chance, into)
}

func (d *Disk) relative(path string) []string {
	rel, err := filepath.Rel(d.base, path)
	if path == "" || err != nil || rel == "." || strings.HasPrefix(rel, "..") {
		return nil
	}
	return strings.Split(rel, string(filepath.Separator))
}

// fate is what becomes of that which was not synced.
type fate int

const (
	allLost fate = iota
	allKept
	anyPart
)

func (f fate) spares(chance *rand.Rand) bool {
	return f == allKept || f == anyPart && chance.IntN(2) == 0
}

// node is a file or a directory: what programs see, and what is safe.
type node struct {
	dir     bool
	now     map[string]*node // of a directory
	safe    map[string]*node
	renames []change
	bytes   []byte // of a file, safe
	writes  []write
}

// change is one operation on the names of a directory; a nil node is a removal.
type change map[string]*node

// write is a write to a file, or a cut to the length at.
type write struct {
	data []byte
	at   int64
	cut  bool
}

func newDir() *node { return &node{dir: true, now: map[string]*node{}, safe: map[string]*node{}} }

func load(path string) (*node, error) {
	st, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		b, err := os.ReadFile(path)
		return &node{bytes: b}, err
	}
	n := newDir()
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		child, err := load(filepath.Join(path, e.Name()))
		if err != nil {
			return nil, err
		}
		n.now[e.Name()], n.safe[e.Name()] = child, child
	}
	return n, err
}

func (n *node) clone() *node {
	c := *n
	if n.dir {
		c.now, c.safe = map[string]*node{}, map[string]*node{}
		for name, child := range n.now {
			child = child.clone()
			c.now[name], c.safe[name] = child, child
		}
	}
	return &c
}

func (n *node) find(path []string) *node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		n = n.now[name]
	}
	return n
}

func (n *node) change(c change) {
	for name, child := range c {
		if child == nil {
			delete(n.now, name)
		} else {
			n.now[name] = child
		}
	}
	n.renames = append(n.renames, c)
}

// apply takes a step as the system call would, also where the call fails.
func (n *node) apply(path, from []string, s store.Step) {
	if s.Op == store.OpSyncDir {
		if d := n.find(path); d != nil {
			d.safe, d.renames = cloneMap(d.now), nil
		}
		return
	}
	if len(path) == 0 {
		return
	}
	name := path[len(path)-1]
	parent, target := n.find(path[:len(path)-1]), n.find(path)
	if parent == nil {
		return
	}
	switch s.Op {
	case store.OpMkdir:
		if target == nil {
			parent.change(change{name: newDir()})
		}
	case store.OpCreate, store.OpLock:
		if target == nil {
			parent.change(change{name: &node{}})
		}
	case store.OpLink:
		if source := n.find(from); target == nil && source != nil {
			parent.change(change{name: source})
		}
	case store.OpRename:
		if source := n.find(from); source != nil {
			parent.change(change{name: source, from[len(from)-1]: nil})
		}
	case store.OpRemove:
		if target != nil {
			parent.change(change{name: nil})
		}
	default:
		if target != nil {
			target.touch(s)
		}
	}
}

// touch takes a step on the content of a file.
func (n *node) touch(s store.Step) {
	switch s.Op {
	case store.OpWrite:
		n.writes = append(n.writes, write{s.Data, s.At, false})
	case store.OpTruncate:
		n.writes = append(n.writes, write{nil, s.At, true})
	case store.OpSync:
		for _, w := range n.writes {
			n.bytes = w.onto(n.bytes)
		}
		n.writes = nil
	}
}

func (w write) onto(b []byte) []byte {
	end := w.at + int64(len(w.data))
	b = slices.Clone(b)
	if w.cut {
		end = w.at
	}
	if short := end - int64(len(b)); short > 0 {
		b = append(b, make([]byte, short)...)
	}
	if w.cut {
		return b[:end]
	}
	copy(b[w.at:], w.data)
	return b
}

func cloneMap(m map[string]*node) map[string]*node {
	c := make(map[string]*node, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// survive writes what is left of a directory. Names are walked in order, so that
// chance alone decides.
func (n *node) survive(f fate, chance *rand.Rand, into string) error {
	if !n.dir {
		return os.WriteFile(into, n.content(f, chance), 0o600)
	}
	if err := os.Mkdir(into, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	left := cloneMap(n.safe)
	for _, c := range n.renames {
		if !f.spares(chance) {
			continue
		}
		for name, child := range c {
			if child == nil {
				delete(left, name)
			} else {
				left[name] = child
			}
		}
	}
	names := make([]string, 0, len(left))
	for name := range left {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := left[name].survive(f, chance, filepath.Join(into, name)); err != nil {
			return err
		}
	}
	return nil
}

// content is what is left of a file: of what was written since the last sync
// each part may be there, be half there, be zeros of the right length, or not.
func (n *node) content(f fate, chance *rand.Rand) []byte {
	b := n.bytes
	for _, w := range n.writes {
		if !f.spares(chance) {
			continue
		}
		if f == anyPart && !w.cut {
			switch chance.IntN(3) {
			case 0:
				w.data = w.data[:chance.IntN(len(w.data)+1)]
			case 1:
				w.data = make([]byte, len(w.data))
			}
		}
		b = w.onto(b)
	}
	return b
}
