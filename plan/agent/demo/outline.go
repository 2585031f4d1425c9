package demo

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"planmode/plan/document"
)

// shape is what a block of lines is.
type shape int

const (
	paragraph shape = iota
	item
	heading
	other // a fence, a table, a quotation: text that a word cannot be added to
)

// block is the lines that belong together around a line: an item with what is
// nested in it, a paragraph, a heading.
type block struct {
	first, last int // 0 for no block
	kind        shape
	indent      string // of an item: what its own lines are indented by
}

// outline is the shape of a plan, as far as notes are about it.
type outline struct {
	lines  []editLine
	fenced []bool
	steps  []block
	marker string // what a new step starts with
	heads  map[int]bool
}

var (
	itemStart = regexp.MustCompile(`^( {0,3})([-*+]|\d{1,9}[.)])(\s+)\S`)
	fenceLine = regexp.MustCompile("^ {0,3}(```+|~~~+)")
)

// fences says for each line whether it belongs to a fenced block.
func fences(lines []string) []bool {
	in := make([]bool, len(lines))
	open := ""
	for i, line := range lines {
		m := fenceLine.FindStringSubmatch(line)
		switch {
		case open == "" && m != nil:
			open, in[i] = m[1], true
		case open != "":
			in[i] = true
			if m != nil && strings.HasPrefix(m[1], open) && strings.Trim(strings.TrimSpace(line), m[1][:1]) == "" {
				open = ""
			}
		}
	}
	return in
}

func outlineOf(doc *document.Document, lines []editLine) outline {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.text
	}
	o := outline{lines: lines, fenced: fences(texts), marker: "1.", heads: map[int]bool{}}
	for _, h := range doc.Headings() {
		o.heads[h.Line] = true
	}
	for _, s := range doc.Sections() {
		if s.Name == "Execution steps" {
			o.findSteps(s.Heading.Line+1, min(s.End, len(lines)-1))
			break
		}
	}
	return o
}

// findSteps takes the numbered items at the outer level; bullets if there is no
// number.
func (o *outline) findSteps(first, last int) {
	for _, numbered := range []bool{true, false} {
		for i := first; i <= last; i++ {
			m := itemStart.FindStringSubmatch(o.lines[i].text)
			if m == nil || o.fenced[i] || m[1] != "" || numbered == strings.Contains("-*+", m[2]) {
				continue
			}
			b := o.block(i)
			o.steps = append(o.steps, b)
			o.marker = m[2]
			i = b.last
		}
		if len(o.steps) > 0 {
			return
		}
	}
}

// block finds the block that a line belongs to.
func (o *outline) block(line int) block {
	switch {
	case line < 1 || line >= len(o.lines):
		return block{}
	case o.heads[line]:
		return block{first: line, last: line, kind: heading}
	case o.fenced[line]:
		b := block{first: line, last: line, kind: other}
		for b.last+1 < len(o.lines) && o.fenced[b.last+1] {
			b.last++
		}
		return b
	}
	if first := o.itemAbove(line); first > 0 {
		return o.itemAt(first)
	}
	b := block{first: line, last: line}
	for b.first > 1 && o.plain(b.first-1) {
		b.first--
	}
	for b.last+1 < len(o.lines) && o.plain(b.last+1) {
		b.last++
	}
	if text := strings.TrimSpace(o.lines[b.first].text); text == "" || strings.ContainsAny(text[:1], "|><-=") || strings.HasPrefix(o.lines[b.first].text, "    ") {
		b.kind = other
	}
	return b
}

// plain says whether a line can be the middle of a paragraph.
func (o *outline) plain(i int) bool {
	return strings.TrimSpace(o.lines[i].text) != "" && !o.heads[i] && !o.fenced[i] && !itemStart.MatchString(o.lines[i].text)
}

// itemAbove is the line where the item that holds line begins, or 0.
func (o *outline) itemAbove(line int) int {
	for i := line; i >= 1 && !o.heads[i]; i-- {
		text := o.lines[i].text
		if itemStart.MatchString(text) && !o.fenced[i] {
			return i
		}
		if strings.TrimSpace(text) == "" && i < line && !strings.HasPrefix(o.lines[i+1].text, " ") {
			return 0
		}
	}
	return 0
}

// itemAt measures the item that begins at first: up to the next item, heading,
// or text that is not indented after a blank line.
func (o *outline) itemAt(first int) block {
	m := itemStart.FindStringSubmatch(o.lines[first].text)
	b := block{first: first, last: first, kind: item, indent: strings.Repeat(" ", len(m[1])+len(m[2])+min(len(m[3]), 4))}
	for i := first + 1; i < len(o.lines) && !o.heads[i]; i++ {
		text := o.lines[i].text
		if itemStart.MatchString(text) && !o.fenced[i] && indentOf(text) < len(b.indent) {
			break
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		if i > b.last+1 && indentOf(text) < 2 {
			break
		}
		b.last = i
	}
	return b
}

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func (o *outline) isStep(b block) bool {
	return b.first > 0 && slices.ContainsFunc(o.steps, func(s block) bool { return s.first == b.first })
}

// mentioned is the line of the step that a note names by number, or 0.
func (o *outline) mentioned(note string) int {
	m := stepPattern.FindStringSubmatch(note)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1] + m[2] + m[3])
	if err != nil || n < 1 || n > len(o.steps) {
		return 0
	}
	return o.steps[n-1].first
}

// beforeLast is the line behind which a further step goes: the last step is
// always the one that checks the result.
func (o *outline) beforeLast() int {
	switch n := len(o.steps); n {
	case 0:
		return 0
	case 1:
		return o.steps[0].last
	default:
		return o.steps[n-2].last
	}
}
