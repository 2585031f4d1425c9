// Package compare finds what two texts share: lines that are the same, lines
// that were moved, paragraphs that were only wrapped anew, and the words that
// changed in the others. It is what the built-in reviewer shows and what the
// decision card counts, so that both say the same of one change.
//
// Its results depend on the texts alone, never on the speed of the machine, and
// its cost stays near linear whatever the texts are. It is pure and never fails.
package compare

import (
	"sort"

	"github.com/sergi/go-diff/diffmatchpatch"

	"planmode/revdiff/record"
)

// Edit is one line of a comparison: its number in the old and in the new text,
// 0 where it is not part of that text. Op is one of the type bytes of the note
// grammar: record.Context for a line of both, record.Added or record.Removed.
//
// A line that was moved is listed twice, as removed and as added; Twin is then
// the number of its other self, and Rewrapped is set on lines of a paragraph
// that differs in its line ends only.
type Edit struct {
	Op        byte
	Rewrapped bool
	Old, New  int
	Twin      int
}

func (e Edit) moved() bool { return e.Twin > 0 }

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
	edits          []Edit
}

// Lines lists every line of both texts once, in order; within a change
// the removed lines come first.
func Lines(old, new []string) []Edit {
	d := &differ{edits: make([]Edit, 0, max(len(old), len(new)))}
	ids := make(map[string]int, len(old))
	d.a, d.b = number(ids, old), number(ids, new)
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

func (d *differ) same(a, b int) {
	d.edits = append(d.edits, Edit{Op: record.Context, Old: a + 1, New: b + 1})
}

func (d *differ) replace(a0, a1, b0, b1 int) {
	for i := a0; i < a1; i++ {
		d.edits = append(d.edits, Edit{Op: record.Removed, Old: i + 1})
	}
	for i := b0; i < b1; i++ {
		d.edits = append(d.edits, Edit{Op: record.Added, New: i + 1})
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

func (d *differ) exact(a0, a1, b0, b1 int) {
	for _, e := range Exact(d.a[a0:a1], d.b[b0:b1]) {
		switch e.Op {
		case record.Context:
			d.same(a0+e.Old-1, b0+e.New-1)
		case record.Removed:
			d.replace(a0+e.Old-1, a0+e.Old, 0, 0)
		case record.Added:
			d.replace(0, 0, b0+e.New-1, b0+e.New)
		}
	}
}

// Exact lists every element of both sequences by a shortest script. Its cost
// grows with the product of their lengths when they share little, so a caller
// bounds that.
func Exact[T comparable](old, new []T) []Edit {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // a result must not depend on the speed of the machine
	ids := make(map[T]int)
	var out []Edit
	a, b := 0, 0
	for _, part := range dmp.DiffMainRunes(spell(number(ids, old)), spell(number(ids, new)), false) {
		for range part.Text {
			e := Edit{Op: record.Context, Old: a + 1, New: b + 1}
			switch part.Type {
			case diffmatchpatch.DiffDelete:
				e = Edit{Op: record.Removed, Old: a + 1}
			case diffmatchpatch.DiffInsert:
				e = Edit{Op: record.Added, New: b + 1}
			}
			a, b = max(a, e.Old), max(b, e.New)
			out = append(out, e)
		}
	}
	return out
}

// number gives equal elements the same number, starting with 0.
func number[T comparable](ids map[T]int, elements []T) []int {
	out := make([]int, len(elements))
	for i, e := range elements {
		id, ok := ids[e]
		if !ok {
			id = len(ids)
			ids[e] = id
		}
		out[i] = id
	}
	return out
}

// spell writes each number as a rune that survives a trip through a Go string.
func spell(ids []int) []rune {
	out := make([]rune, len(ids))
	for i, id := range ids {
		if out[i] = rune(id + 1); out[i] >= 0xD800 {
			out[i] += 0x800
		}
	}
	return out
}

// Size says how much differs, in lines. Moved lines are neither added nor
// removed, and so are those that were only wrapped anew.
type Size struct{ Added, Removed, Moved, Rewrapped int }

// Count adds up the edits.
func Count(edits []Edit) Size {
	var s Size
	for _, e := range edits {
		switch {
		case e.Op == record.Context:
		case e.Op == record.Added && e.Twin > 0:
			s.Moved++
		case e.Op == record.Added && e.Rewrapped:
			s.Rewrapped++
		case e.Twin > 0 || e.Rewrapped:
		case e.Op == record.Added:
			s.Added++
		default:
			s.Removed++
		}
	}
	return s
}

// removedFirst orders every run of changes: removed lines, then added ones.
func removedFirst(edits []Edit) []Edit {
	for i := 0; i < len(edits); {
		if edits[i].Op == record.Context {
			i++
			continue
		}
		end := i
		for end < len(edits) && edits[end].Op != record.Context {
			end++
		}
		run := edits[i:end]
		sort.SliceStable(run, func(x, y int) bool { return run[x].Op == record.Removed && run[y].Op == record.Added })
		i = end
	}
	return edits
}
