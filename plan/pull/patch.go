package pull

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The sides of a diff: the old lines are left, the new ones right.
const (
	Left  = "LEFT"
	Right = "RIGHT"
)

// PatchLine is one line of a hunk. Kind is ' ', '+' or '-'; a number is 0 on the side
// where the line does not exist.
type PatchLine struct {
	Kind     byte
	Old, New int64
	Text     string
}

// Hunk is one stretch of a patch.
type Hunk struct {
	OldStart, OldCount, NewStart, NewCount int64
	Lines                                  []PatchLine
}

// Patch is what a pull request does to one file.
type Patch struct{ Hunks []Hunk }

var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// ParsePatch reads the hunks of one file. Counts that do not add up are an error: no
// position in such a patch can be trusted.
func ParsePatch(text string) (Patch, error) {
	var p Patch
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return p, nil
	}
	r := hunkReader{}
	for i, line := range strings.Split(text, "\n") {
		if err := r.line(&p, line); err != nil {
			return Patch{}, fmt.Errorf("parse patch, line %d: %w", i+1, err)
		}
	}
	if !r.done() {
		return Patch{}, fmt.Errorf("parse patch: its last hunk is cut off")
	}
	return p, nil
}

// hunkReader knows what is still to come of the hunk it is in.
type hunkReader struct{ old, new, oldLeft, newLeft int64 }

func (r *hunkReader) done() bool { return r.oldLeft == 0 && r.newLeft == 0 }

func (r *hunkReader) line(p *Patch, line string) error {
	if r.done() {
		if strings.HasPrefix(line, `\`) && len(p.Hunks) > 0 {
			return nil
		}
		return r.head(p, line)
	}
	if line == "" {
		return fmt.Errorf("a line without its mark")
	}
	h := &p.Hunks[len(p.Hunks)-1]
	l := PatchLine{Kind: line[0], Text: line[1:]}
	switch l.Kind {
	case '\\':
		return nil
	case ' ', '-', '+':
	default:
		return fmt.Errorf("%.20q has no mark of a patch", line)
	}
	if l.Kind != '+' {
		l.Old, r.old, r.oldLeft = r.old, r.old+1, r.oldLeft-1
	}
	if l.Kind != '-' {
		l.New, r.new, r.newLeft = r.new, r.new+1, r.newLeft-1
	}
	if r.oldLeft < 0 || r.newLeft < 0 {
		return fmt.Errorf("more lines than the hunk announces")
	}
	h.Lines = append(h.Lines, l)
	return nil
}

func (r *hunkReader) head(p *Patch, line string) error {
	m := hunkHead.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("%.40q is no head of a hunk", line)
	}
	var n [4]int64
	for i, s := range m[1:] {
		n[i] = 1
		if s != "" {
			n[i], _ = strconv.ParseInt(s, 10, 64)
		}
	}
	p.Hunks = append(p.Hunks, Hunk{OldStart: n[0], OldCount: n[1], NewStart: n[2], NewCount: n[3]})
	r.old, r.oldLeft, r.new, r.newLeft = n[0], n[1], n[2], n[3]
	return nil
}

// find says in which hunk and at which of its lines a position lies. A line that both
// sides have is known by its new number only.
func (p Patch) find(side string, line int64) (hunk, at int, ok bool) {
	for h := range p.Hunks {
		for i, l := range p.Hunks[h].Lines {
			if side == Right && l.New == line && l.Kind != '-' || side == Left && l.Old == line && l.Kind == '-' {
				return h, i, true
			}
		}
	}
	return 0, 0, false
}

// Normal gives a position of an unchanged line its name on the right side.
func (p Patch) Normal(side string, line int64) (string, int64, bool) {
	if side == Left {
		for _, h := range p.Hunks {
			for _, l := range h.Lines {
				if l.Kind == ' ' && l.Old == line {
					return Right, l.New, true
				}
			}
		}
	}
	_, _, ok := p.find(side, line)
	return side, line, ok
}

// Anchor is where a comment is put; StartLine is 0 for a single line.
type Anchor struct {
	Side      string
	Line      int64
	StartSide string
	StartLine int64
}

// CheckAnchor says why a comment cannot stand there; empty if it can.
func (p Patch) CheckAnchor(a Anchor) string {
	hunk, at, ok := p.find(a.Side, a.Line)
	switch {
	case !ok:
		return fmt.Sprintf("line %d %s is not part of the diff", a.Line, a.Side)
	case a.StartLine == 0 && a.StartSide == "":
		return ""
	case a.StartLine >= a.Line:
		return fmt.Sprintf("a range has to begin before line %d", a.Line)
	}
	h, i, ok := p.find(a.StartSide, a.StartLine)
	switch {
	case !ok:
		return fmt.Sprintf("start line %d %s is not part of the diff", a.StartLine, a.StartSide)
	case h != hunk:
		return "a range has to lie in one hunk"
	case i >= at:
		return "a range has to begin before it ends"
	}
	return ""
}

// around gives the new lines first to last, and the ones just outside where the patch
// shows them.
func (p Patch) around(first, last int64) (in []string, before, after *string) {
	for _, h := range p.Hunks {
		for i := range h.Lines {
			l := &h.Lines[i]
			switch {
			case l.Kind == '-':
			case l.New == first-1:
				before = &l.Text
			case l.New == last+1:
				after = &l.Text
			case l.New >= first && l.New <= last:
				in = append(in, l.Text)
			}
		}
	}
	return in, before, after
}
