package compare

import (
	"unicode"
	"unicode/utf8"

	"planmode/revdiff/record"
)

// Move is a block of lines that stands at another place of the new text. Within
// its bounds a few lines may have changed, too.
type Move struct {
	Old, OldEnd int // first and last line in the old text
	New, NewEnd int
}

const (
	// minInk is how many letters and digits a line needs to be known as moved by
	// itself, and minMove how many a whole block needs: shorter ones recur by
	// chance. A Chinese character counts as three.
	minInk  = 12
	minMove = 16

	// maxBreak is how many changed lines may stand between two parts of one move.
	maxBreak = 4
)

// moves pairs removed lines with equal added ones elsewhere: those that occur
// once on both sides, and what is equal around them.
func moves(old, new []string, edits []Edit) []Move {
	m := mover{old: old, new: new, gone: make([]int32, len(old)+2), fresh: make([]int32, len(new)+2), edits: edits}
	seeds := m.seeds()
	for _, s := range seeds {
		m.grow(s[0], s[1])
	}
	return m.blocks()
}

// mover holds, for each line that is only in one text, its edit plus one.
type mover struct {
	old, new    []string
	gone, fresh []int32
	edits       []Edit
}

// telling says that a line is known as moved when it occurs once on both sides.
// A title is, however short: its section decides whether the move counts.
func telling(line string) bool { return line != "" && line[0] == '#' || ink(line) >= minInk }

// seeds are the pairs of telling lines that occur once among the removed and
// once among the added ones.
func (m *mover) seeds() [][2]int {
	type place struct{ gone, fresh int } // -1 when it occurs more often
	at := map[string]place{}
	for i, e := range m.edits {
		switch e.Op {
		case record.Removed:
			m.gone[e.Old] = int32(i + 1)
			if line := m.old[e.Old-1]; telling(line) {
				p := at[line]
				if p.gone != 0 {
					p.gone = -1
				} else {
					p.gone = e.Old
				}
				at[line] = p
			}
		case record.Added:
			m.fresh[e.New] = int32(i + 1)
			if line := m.new[e.New-1]; telling(line) {
				p := at[line]
				if p.fresh != 0 {
					p.fresh = -1
				} else {
					p.fresh = e.New
				}
				at[line] = p
			}
		}
	}
	var out [][2]int
	for _, e := range m.edits {
		if e.Op != record.Removed {
			continue
		}
		if p := at[m.old[e.Old-1]]; p.gone == e.Old && p.fresh > 0 {
			out = append(out, [2]int{p.gone, p.fresh})
		}
	}
	return out
}

// grow pairs two lines and the equal ones before and after them.
func (m *mover) grow(a, b int) {
	if !m.pair(a, b) {
		return
	}
	for x, y := a+1, b+1; m.pair(x, y); x, y = x+1, y+1 {
	}
	for x, y := a-1, b-1; m.pair(x, y); x, y = x-1, y-1 {
	}
}

func (m *mover) pair(a, b int) bool {
	if a < 1 || b < 1 || a > len(m.old) || b > len(m.new) || m.gone[a] == 0 || m.fresh[b] == 0 || m.old[a-1] != m.new[b-1] {
		return false
	}
	x, y := &m.edits[m.gone[a]-1], &m.edits[m.fresh[b]-1]
	if x.Twin != 0 || y.Twin != 0 {
		return false
	}
	x.Twin, y.Twin = b, a
	return true
}

// blocks joins the pairs to moves, and lets go of those that say too little.
func (m *mover) blocks() []Move {
	var out []Move
	var open *Move
	weight := 0
	end := func() {
		if open != nil && weight < minMove {
			m.undo(*open)
			out = out[:len(out)-1]
		}
		open, weight = nil, 0
	}
	for a := 1; a <= len(m.old); a++ {
		b := m.twin(a)
		if b == 0 {
			continue
		}
		if open == nil || a-open.OldEnd-1 > maxBreak || b <= open.NewEnd || b-open.NewEnd-1 > maxBreak ||
			!m.apart(m.gone, open.OldEnd+1, a) || !m.apart(m.fresh, open.NewEnd+1, b) {
			end()
			out = append(out, Move{a, a, b, b})
			open = &out[len(out)-1]
		}
		open.OldEnd, open.NewEnd = a, b
		weight += ink(m.old[a-1])
	}
	end()
	for _, v := range out {
		m.blank(v)
	}
	return out
}

// blank pairs the empty line that parted a block from its neighbours with the
// one that does so now, on whichever side of it.
func (m *mover) blank(v Move) {
	free := func(lines []string, side []int32, at int) bool {
		return at >= 1 && at <= len(lines) && lines[at-1] == "" && side[at] > 0 && m.edits[side[at]-1].Twin == 0
	}
	for _, a := range []int{v.OldEnd + 1, v.Old - 1} {
		for _, b := range []int{v.NewEnd + 1, v.New - 1} {
			if free(m.old, m.gone, a) && free(m.new, m.fresh, b) {
				m.pair(a, b)
				return
			}
		}
	}
}

// apart says that the lines from to end are in one text only.
func (m *mover) apart(side []int32, from, end int) bool {
	for ; from < end; from++ {
		if side[from] == 0 {
			return false
		}
	}
	return true
}

func (m *mover) twin(a int) int {
	if m.gone[a] == 0 {
		return 0
	}
	return m.edits[m.gone[a]-1].Twin
}

func (m *mover) undo(v Move) {
	for a := v.Old; a <= v.OldEnd; a++ {
		if b := m.twin(a); b > 0 {
			m.edits[m.gone[a]-1].Twin, m.edits[m.fresh[b]-1].Twin = 0, 0
		}
	}
}

// ink is how much a line says: letters and digits, wide ones counted as three.
func ink(line string) int {
	n := 0
	for _, r := range line {
		if r < utf8.RuneSelf {
			if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				n++
			}
		} else if unicode.IsLetter(r) {
			n += 3
		}
		if n >= 4*minMove {
			break
		}
	}
	return n
}
