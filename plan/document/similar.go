package document

import (
	"strings"
	"unicode"

	"planmode/plan"
)

// similar returns the first line of the passage in spans that is most like the
// quote, or 0 if none reaches the threshold. Passages have as many lines as the
// quote. Of equals, the one nearest to the old line counts, then the earlier.
func (d *Document) similar(old plan.Annotation, spans []span) int {
	want := newPairs(old.Quote)
	if want.total == 0 {
		return 0
	}
	height := strings.Count(old.Quote, "\n") + 1
	best, bestAt := 0.0, 0
	for _, s := range spans {
		w := window{want: want, have: make([]int, len(want.count))}
		for at := s.first; at <= s.last; at++ {
			w.add(want.index(d.Line(at)), 1)
			first := at - height + 1
			if first < s.first && at < s.last {
				continue // not full yet, and more lines follow
			}
			if first = max(first, s.first); w.likeness() > best ||
				w.likeness() == best && best > 0 && abs(first-old.Line) < abs(bestAt-old.Line) {
				best, bestAt = w.likeness(), first
			}
			w.add(want.index(d.Line(first)), -1)
		}
	}
	if best < threshold {
		return 0
	}
	return bestAt
}

func abs(n int) int { return max(n, -n) }

// pairs counts the pairs of neighbouring letters of a text, without regard to
// case, blanks and punctuation. They compare Chinese as well as English.
type pairs struct {
	ids   map[[2]rune]int
	count []int
	total int
}

func newPairs(s string) *pairs {
	p := &pairs{ids: map[[2]rune]int{}}
	for line := range strings.SplitSeq(s, "\n") {
		eachPair(line, func(pair [2]rune) {
			id, ok := p.ids[pair]
			if !ok {
				id = len(p.count)
				p.ids[pair] = id
				p.count = append(p.count, 0)
			}
			p.count[id]++
			p.total++
		})
	}
	return p
}

// indexed is a line as the pairs it shares with the quote, and how many it has.
type indexed struct {
	shared []int
	total  int
}

func (p *pairs) index(line string) indexed {
	var x indexed
	eachPair(line, func(pair [2]rune) {
		x.total++
		if id, ok := p.ids[pair]; ok {
			x.shared = append(x.shared, id)
		}
	})
	return x
}

// eachPair calls f for every pair of a line. A word of one letter pairs with
// the end of the line, so that no text is without any.
func eachPair(line string, f func([2]rune)) {
	last := rune(0)
	n := 0
	for _, r := range line {
		if !letterOrDigit(r) {
			continue
		}
		r = unicode.ToLower(r)
		if n++; n > 1 {
			f([2]rune{last, r})
		}
		last = r
	}
	if n > 0 {
		f([2]rune{last, 0})
	}
}

// window slides over a document and knows how much it shares with the quote,
// so that the work is linear in the document.
type window struct {
	want   *pairs
	have   []int
	common int
	total  int
}

func (w *window) add(line indexed, sign int) {
	w.total += sign * line.total
	for _, id := range line.shared {
		before := min(w.have[id], w.want.count[id])
		w.have[id] += sign
		w.common += min(w.have[id], w.want.count[id]) - before
	}
}

// likeness is the share of common pairs, from 0 to 1.
func (w *window) likeness() float64 {
	return 2 * float64(w.common) / float64(w.total+w.want.total)
}
