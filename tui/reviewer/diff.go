package reviewer

import (
	"sort"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// The kinds of a compared line. They are the type bytes of the note grammar.
const (
	opSame    = ' '
	opAdded   = '+'
	opRemoved = '-'
)

// edit is one line of a comparison: its number in the old and in the new file,
// 0 where it is not part of that file.
type edit struct {
	op       byte
	old, new int
}

// smallSegment bounds the product of the two sizes up to which a segment
// without unique common lines is compared exactly. Beyond it the segment counts
// as replaced, so that two unrelated texts cost no more than two similar ones.
const smallSegment = 250_000

// differ compares by anchoring on lines that occur once on both sides and are
// in the same order, and compares what lies between exactly. For prose this
// keeps a moved or rewritten paragraph together better than a shortest script,
// and its cost does not explode on texts that share little.
type differ struct {
	a, b           []int
	countA, countB []int // how often a line occurs in the range looked at
	whereB         []int
	edits          []edit
}

// compareLines lists every line of both texts once, in order; within a change
// the removed lines come first.
func compareLines(old, new []string) []edit {
	d := &differ{edits: make([]edit, 0, max(len(old), len(new)))}
	ids := make(map[string]int, len(old))
	intern := func(lines []string) []int {
		out := make([]int, len(lines))
		for i, line := range lines {
			id, ok := ids[line]
			if !ok {
				id = len(ids)
				ids[line] = id
			}
			out[i] = id
		}
		return out
	}
	d.a, d.b = intern(old), intern(new)
	d.countA, d.countB, d.whereB = make([]int, len(ids)), make([]int, len(ids)), make([]int, len(ids))
	d.compare(0, len(d.a), 0, len(d.b))
	return removedFirst(d.edits)
}

// compare handles a[a0:a1] against b[b0:b1].
func (d *differ) compare(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && d.a[a0] == d.b[b0] {
		d.same(a0, b0)
		a0, b0 = a0+1, b0+1
	}
	tail := 0
	for a1-tail > a0 && b1-tail > b0 && d.a[a1-tail-1] == d.b[b1-tail-1] {
		tail++
	}
	a1, b1 = a1-tail, b1-tail
	d.middle(a0, a1, b0, b1)
	for i := range tail {
		d.same(a1+i, b1+i)
	}
}

func (d *differ) middle(a0, a1, b0, b1 int) {
	if a0 == a1 || b0 == b1 {
		d.replace(a0, a1, b0, b1)
		return
	}
	anchors := d.anchors(a0, a1, b0, b1)
	switch {
	case len(anchors) > 0:
		for _, at := range anchors {
			d.compare(a0, at[0], b0, at[1])
			d.same(at[0], at[1])
			a0, b0 = at[0]+1, at[1]+1
		}
		d.compare(a0, a1, b0, b1)
	case (a1-a0)*(b1-b0) <= smallSegment:
		d.exact(a0, a1, b0, b1)
	default:
		d.replace(a0, a1, b0, b1)
	}
}

func (d *differ) same(a, b int) { d.edits = append(d.edits, edit{opSame, a + 1, b + 1}) }

func (d *differ) replace(a0, a1, b0, b1 int) {
	for i := a0; i < a1; i++ {
		d.edits = append(d.edits, edit{op: opRemoved, old: i + 1})
	}
	for i := b0; i < b1; i++ {
		d.edits = append(d.edits, edit{op: opAdded, new: i + 1})
	}
}

// anchors are the pairs of lines that occur once on both sides, as the longest
// list that rises on both.
func (d *differ) anchors(a0, a1, b0, b1 int) [][2]int {
	for i := a0; i < a1; i++ {
		d.countA[d.a[i]]++
	}
	for i := b0; i < b1; i++ {
		d.countB[d.b[i]]++
		d.whereB[d.b[i]] = i
	}
	var pairs [][2]int
	for i := a0; i < a1; i++ {
		if id := d.a[i]; d.countA[id] == 1 && d.countB[id] == 1 {
			pairs = append(pairs, [2]int{i, d.whereB[id]})
		}
	}
	for i := a0; i < a1; i++ {
		d.countA[d.a[i]] = 0
	}
	for i := b0; i < b1; i++ {
		d.countB[d.b[i]] = 0
	}
	return rising(pairs)
}

// rising is the longest subsequence of pairs whose second members rise.
func rising(pairs [][2]int) [][2]int {
	var piles []int // index into pairs of the last card of each pile
	before := make([]int, len(pairs))
	for i, p := range pairs {
		at := sort.Search(len(piles), func(k int) bool { return pairs[piles[k]][1] > p[1] })
		before[i] = -1
		if at > 0 {
			before[i] = piles[at-1]
		}
		if at == len(piles) {
			piles = append(piles, i)
		} else {
			piles[at] = i
		}
	}
	if len(piles) == 0 {
		return nil
	}
	out := make([][2]int, len(piles))
	for i, k := piles[len(piles)-1], len(piles)-1; k >= 0; i, k = before[i], k-1 {
		out[k] = pairs[i]
	}
	return out
}

// exact compares a segment as two strings with one rune a line.
func (d *differ) exact(a0, a1, b0, b1 int) {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // a result must not depend on the speed of the machine
	ids := make(map[int]rune)
	spell := func(lines []int) []rune {
		out := make([]rune, len(lines))
		for i, id := range lines {
			r, ok := ids[id]
			if !ok {
				r = symbol(len(ids))
				ids[id] = r
			}
			out[i] = r
		}
		return out
	}
	for _, part := range dmp.DiffMainRunes(spell(d.a[a0:a1]), spell(d.b[b0:b1]), false) {
		n := len([]rune(part.Text))
		switch part.Type {
		case diffmatchpatch.DiffEqual:
			for i := range n {
				d.same(a0+i, b0+i)
			}
			a0, b0 = a0+n, b0+n
		case diffmatchpatch.DiffDelete:
			d.replace(a0, a0+n, b0, b0)
			a0 += n
		case diffmatchpatch.DiffInsert:
			d.replace(a0, a0, b0, b0+n)
			b0 += n
		}
	}
}

// symbol is the n-th rune that survives a trip through a Go string.
func symbol(n int) rune {
	r := rune(n + 1)
	if r >= 0xD800 {
		r += 0x800
	}
	return r
}

// removedFirst orders every run of changes: removed lines, then added ones.
func removedFirst(edits []edit) []edit {
	for i := 0; i < len(edits); {
		if edits[i].op == opSame {
			i++
			continue
		}
		end := i
		for end < len(edits) && edits[end].op != opSame {
			end++
		}
		run := edits[i:end]
		sort.SliceStable(run, func(x, y int) bool { return run[x].op == opRemoved && run[y].op == opAdded })
		i = end
	}
	return edits
}
