package reviewer

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"planmode/plan/text"
	"planmode/revdiff/compare"
	"planmode/revdiff/record"
)

// subject is what is under review: one file, or two and their difference. It
// does not change after it was made, apart from what it remembers.
type subject struct {
	compare bool
	old     *textFile // only when comparing
	new     *textFile
	key     string // names the file in the notes
	name    string // shown instead of the names of the files, if set

	oldInfo, newInfo []lineInfo
	headings         []heading
	oldHeadings      []heading // made when a moved section is first named
	edits            []compare.Edit
	hunks            []hunk
	compared         *compare.Comparison // only when comparing
	at               map[byte][]int32    // line number to edit, by side

	marks map[int]*compare.Change // by hunk, filled when it is first drawn
}

// span is a half-open range of bytes.
type span = compare.Span

// The kinds of a compared line.
const (
	opSame    = record.Context
	opAdded   = record.Added
	opRemoved = record.Removed
)

// hunk is a run of changed edits: removed ones, then added ones.
type hunk struct{ first, middle, end int }

func newSubject(o Options) (*subject, error) {
	s := &subject{marks: map[int]*compare.Change{}, compared: &compare.Comparison{}}
	path := o.Only
	if o.New != "" {
		path, s.compare = o.New, true
		var err error
		if s.old, err = load(o.Old); err != nil {
			return nil, err
		}
	}
	var err error
	if s.new, err = load(path); err != nil {
		return nil, err
	}
	if s.key = filepath.Base(path); !s.compare {
		if s.key, err = absolute(path); err != nil {
			return nil, err
		}
	}
	if strings.Contains(s.key, "\n") {
		return nil, fmt.Errorf("review %s: a name with a line feed cannot be written into notes", path)
	}
	s.newInfo = classify(s.new.lines)
	s.headings = headingsOf(s.new.lines, s.newInfo)
	s.lay()
	return s, nil
}

// absolute joins with the working directory without resolving links, so that
// the key is the path as it was given.
func absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the absolute path of %s: %w", path, err)
	}
	return filepath.Join(dir, path), nil
}

// lay makes the edits and what is found through them.
func (s *subject) lay() {
	if s.compare {
		s.oldInfo = classify(s.old.lines)
		s.compared = compare.Text(s.old.lines, s.new.lines)
		s.edits = s.compared.Edits
		s.at = map[byte][]int32{opRemoved: make([]int32, len(s.old.lines)+1)}
	} else {
		s.edits = make([]compare.Edit, len(s.new.lines))
		for i := range s.edits {
			s.edits[i] = compare.Edit{Op: opSame, Old: i + 1, New: i + 1}
		}
		s.at = map[byte][]int32{}
	}
	s.at[opAdded] = make([]int32, len(s.new.lines)+1)
	for i, e := range s.edits {
		switch {
		case e.Op == opRemoved:
			s.at[opRemoved][e.Old] = int32(i)
		default:
			s.at[opAdded][e.New] = int32(i)
		}
	}
	s.hunks = hunksOf(s.edits)
}

func hunksOf(edits []compare.Edit) []hunk {
	var out []hunk
	for i := 0; i < len(edits); i++ {
		if edits[i].Op == opSame {
			continue
		}
		h := hunk{first: i}
		for i < len(edits) && edits[i].Op == opRemoved {
			i++
		}
		h.middle = i
		for i < len(edits) && edits[i].Op == opAdded {
			i++
		}
		h.end = i
		out = append(out, h)
	}
	return out
}

// placeOf is what a note on an edit is about.
func (s *subject) placeOf(i int) place {
	e := s.edits[i]
	if e.Op == opRemoved {
		return place{e.Old, opRemoved}
	}
	return place{e.New, e.Op}
}

// find is the edit that a place names.
func (s *subject) find(p place) (int, bool) {
	side := s.at[opAdded]
	if p.op == opRemoved {
		side = s.at[opRemoved]
	}
	if p.line < 1 || p.line >= len(side) {
		return 0, false
	}
	i := int(side[p.line])
	return i, s.edits[i].Op == p.op
}

func (s *subject) line(i int) (string, lineInfo) {
	if e := s.edits[i]; e.Op != opRemoved {
		return s.new.lines[e.New-1], s.newInfo[e.New-1]
	} else {
		return s.old.lines[e.Old-1], s.oldInfo[e.Old-1]
	}
}

// hunkAt is the index of the hunk that an edit is part of, or -1.
func (s *subject) hunkAt(i int) int {
	n := sort.Search(len(s.hunks), func(k int) bool { return s.hunks[k].end > i })
	if n < len(s.hunks) && s.hunks[n].first <= i {
		return n
	}
	return -1
}

var revisionName = regexp.MustCompile(`(?:^|-)(r\d+)\.md$`)

// title names what is shown in a few words.
func (s *subject) title() string {
	if s.name != "" {
		return s.name
	}
	if !s.compare {
		return text.Line(filepath.Base(s.new.path))
	}
	from, to := text.Line(filepath.Base(s.old.path)), text.Line(filepath.Base(s.new.path))
	a, b := revisionName.FindStringSubmatch(from), revisionName.FindStringSubmatch(to)
	if a != nil && b != nil && strings.TrimSuffix(from, a[0]) == strings.TrimSuffix(to, b[0]) {
		return a[1] + " → " + b[1]
	}
	return from + " → " + to
}

// sameText says in a sentence that there is nothing to compare, or is empty.
func (s *subject) sameText() string {
	switch {
	case !s.compare || len(s.hunks) > 0:
		return ""
	case s.old.hash == s.new.hash:
		return "The two files are identical."
	}
	return "The two files have the same lines; only line ends differ."
}

// headingAt is the index of the heading that a line of the new file is under, or
// -1.
func (s *subject) headingAt(line int) int {
	return sort.Search(len(s.headings), func(k int) bool { return s.headings[k].line > line }) - 1
}

// newLine is the line of the new file at or after an edit.
func (s *subject) newLine(i int) int {
	for ; i < len(s.edits); i++ {
		if n := s.edits[i].New; n > 0 {
			return n
		}
	}
	return len(s.new.lines)
}
