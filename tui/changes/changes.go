// Package changes compares two texts line by line and word by word, for a person
// to read: as lines of a screen and as values for programs. The lines are those
// that the built-in reviewer shows.
//
// It takes any text, never fails and is pure. Text is cleaned before it is
// compared, so that what is shown is what was compared.
package changes

import (
	"strings"

	"planmode/plan/text"
	"planmode/revdiff/compare"
	"planmode/revdiff/record"
)

// Around is how many unchanged lines are shown beside a change.
const Around = 3

// Line is one line of a hunk. Op is " ", "-" or "+"; the numbers count from 1 and
// are 0 where the line is not part of that text.
type Line struct {
	Op      string   `json:"op"`
	Old     int      `json:"old,omitempty"`
	New     int      `json:"new,omitempty"`
	Text    string   `json:"text"`
	Changed [][2]int `json:"changed,omitempty"` // byte ranges of Text whose words changed
}

// Hunk is a run of changes with what stands around it.
type Hunk struct {
	Lines []Line `json:"lines"`
}

// Diff is all changes between two texts.
type Diff struct {
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Hunks   []Hunk `json:"hunks"`
}

// Of compares two texts.
func Of(old, new string) Diff {
	a, b := split(old), split(new)
	edits := compare.Lines(a, b)
	d := Diff{Hunks: []Hunk{}}
	size := compare.Count(edits)
	d.Added, d.Removed = size.Added, size.Removed
	lines := make([]Line, len(edits))
	for i, e := range edits {
		lines[i] = lineOf(e, a, b)
	}
	mark(lines)
	for _, r := range runs(lines) {
		d.Hunks = append(d.Hunks, Hunk{Lines: lines[r[0]:r[1]]})
	}
	return d
}

func split(s string) []string {
	s = strings.TrimSuffix(text.Clean(s), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func lineOf(e compare.Edit, a, b []string) Line {
	switch e.Op {
	case record.Removed:
		return Line{Op: "-", Old: e.Old, Text: a[e.Old-1]}
	case record.Added:
		return Line{Op: "+", New: e.New, Text: b[e.New-1]}
	}
	return Line{Op: " ", Old: e.Old, New: e.New, Text: b[e.New-1]}
}

// mark finds, in every run of changes, which words of the lines changed.
func mark(lines []Line) {
	for i := 0; i < len(lines); {
		if lines[i].Op == " " {
			i++
			continue
		}
		var removed, added []int
		for ; i < len(lines) && lines[i].Op != " "; i++ {
			if lines[i].Op == "-" {
				removed = append(removed, i)
			} else {
				added = append(added, i)
			}
		}
		for r, to := range compare.Pairs(texts(lines, removed), texts(lines, added)) {
			if to >= 0 {
				from, into := &lines[removed[r]], &lines[added[to]]
				gone, fresh := compare.Words(from.Text, into.Text)
				from.Changed, into.Changed = ranges(gone), ranges(fresh)
			}
		}
	}
}

func ranges(spans []compare.Span) [][2]int {
	var out [][2]int
	for _, s := range spans {
		out = append(out, [2]int{s.Start, s.End})
	}
	return out
}

func texts(lines []Line, at []int) []string {
	out := make([]string, len(at))
	for i, n := range at {
		out[i] = lines[n].Text
	}
	return out
}

// runs are the half-open ranges of lines that are worth showing.
func runs(lines []Line) [][2]int {
	var out [][2]int
	for i, l := range lines {
		if l.Op == " " {
			continue
		}
		from, to := max(i-Around, 0), min(i+1+Around, len(lines))
		if n := len(out); n > 0 && from <= out[n-1][1] {
			out[n-1][1] = to
			continue
		}
		out = append(out, [2]int{from, to})
	}
	return out
}
