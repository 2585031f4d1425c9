// Package record is the annotation grammar of revdiff: blocks of a header line
// and a body, separated by one empty line.
//
//	## plan-r2.md:12-14 (+)
//	Body, verbatim. A line that would look like a header is indented by one space.
//
//	## plan-r2.md (file-level)
//	A comment on the whole file.
//
// The writer is strict: what it writes, other readers of the format accept. The
// reader is tolerant: it takes CRLF files and missing separators. The package is
// pure, and Parse never fails on a body, only on text before the first header.
package record

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The types of a line: which side of a comparison its number counts in.
const (
	Added   byte = '+' // a line of the new file
	Removed byte = '-' // a line of the old file
	Context byte = ' ' // a line of both; numbered in the new file
)

// Record is one annotation. Line counts from 1; Line 0 is a comment on the whole
// file, and then End and Type mean nothing. End is the last line of a range, or 0
// for a single line.
type Record struct {
	Path string
	Line int
	End  int
	Type byte
	Body string
}

// FileLevel reports whether r is about the file and not about a line.
func (r Record) FileLevel() bool { return r.Line == 0 }

// ErrBadRecord reports a record that the grammar cannot express.
var ErrBadRecord = errors.New("not a valid annotation record")

// Check says why the grammar cannot express r, or returns nil. Only a checked
// record survives Format and Parse unchanged.
func (r Record) Check() error {
	switch {
	case r.Path == "":
		return fmt.Errorf("%w: empty path", ErrBadRecord)
	case strings.Contains(r.Path, "\n"):
		return fmt.Errorf("%w: line feed in path %q", ErrBadRecord, r.Path)
	case r.Line < 0:
		return fmt.Errorf("%w: line %d of %q", ErrBadRecord, r.Line, r.Path)
	case r.Line == 0:
		if r.End != 0 || r.Type != 0 {
			return fmt.Errorf("%w: a range or type on the whole of %q", ErrBadRecord, r.Path)
		}
		return nil
	case r.End != 0 && r.End <= r.Line:
		return fmt.Errorf("%w: range %d-%d of %q", ErrBadRecord, r.Line, r.End, r.Path)
	case r.Type != Added && r.Type != Removed && r.Type != Context:
		return fmt.Errorf("%w: type %q at %q line %d", ErrBadRecord, r.Type, r.Path, r.Line)
	}
	return nil
}

var (
	fileHeader = regexp.MustCompile(`^## (.+) \(file-level\)$`)
	lineHeader = regexp.MustCompile(`^## (.+?):(\d+)(?:-(\d+))? \(([-+ ])\)$`)
)

const (
	mark = "## " // starts a header
	bom  = "\xef\xbb\xbf"
)

// Parse reads records. Blank lines before the first header are skipped; any
// other text there is an error that names its line.
func Parse(b []byte) ([]Record, error) {
	text := strings.TrimPrefix(string(b), bom)
	text = strings.TrimSuffix(text, "\n")
	p := parser{}
	for i, line := range strings.Split(text, "\n") {
		if next, ok := header(strings.TrimSuffix(line, "\r")); ok {
			p.close(true)
			p.open(next, strings.HasSuffix(line, "\r"))
			continue
		}
		if p.current == nil {
			if strings.TrimSpace(line) == "" {
				continue
			}
			return nil, fmt.Errorf("read annotations: line %d is not a record header: %.60q", i+1, line)
		}
		p.add(line)
	}
	p.close(false)
	return p.records, nil
}

type parser struct {
	records []Record
	current *Record
	crlf    bool // the header ended in CRLF, so its body does, too
	body    []string
}

func (p *parser) open(r Record, crlf bool) {
	p.current, p.crlf, p.body = &r, crlf, nil
}

func (p *parser) add(line string) {
	if p.crlf {
		line = strings.TrimSuffix(line, "\r")
	}
	p.body = append(p.body, unescape(line))
}

// close ends the open record. Another header after it means that its last empty
// line is the separator and not text.
func (p *parser) close(followed bool) {
	if p.current == nil {
		return
	}
	if n := len(p.body); followed && n > 0 && p.body[n-1] == "" {
		p.body = p.body[:n-1]
	}
	p.current.Body = strings.Join(p.body, "\n")
	p.records = append(p.records, *p.current)
	p.current = nil
}

// header reads a header line. A number of the whole-file form belongs to the
// path; in the other form the last number before the type is the position.
func header(line string) (Record, bool) {
	if !strings.HasPrefix(line, mark) {
		return Record{}, false
	}
	if m := fileHeader.FindStringSubmatch(line); m != nil {
		return Record{Path: m[1]}, true
	}
	m := lineHeader.FindStringSubmatch(line)
	if m == nil {
		return Record{}, false
	}
	r := Record{Path: m[1], Type: m[4][0]}
	var err error
	if r.Line, err = strconv.Atoi(m[2]); err != nil || r.Line == 0 {
		return Record{}, false
	}
	if m[3] != "" {
		if r.End, err = strconv.Atoi(m[3]); err != nil {
			return Record{}, false
		}
	}
	if r.End <= r.Line {
		r.End = 0
	}
	return r, true
}

// Format writes records in the order given. A record that does not pass Check is
// written in the nearest legal form, so that one odd value cannot turn a note
// into a note on something else.
func Format(records []Record) []byte { return Append(nil, records) }

// Append is Format onto dst, which must be empty or end a record.
func Append(dst []byte, records []Record) []byte {
	for _, r := range records {
		if len(dst) > 0 {
			dst = append(dst, '\n')
		}
		dst = appendHeader(dst, r)
		for line := range strings.SplitSeq(r.Body, "\n") {
			dst = append(append(dst, escape(line)...), '\n')
		}
	}
	return dst
}

func appendHeader(dst []byte, r Record) []byte {
	path := strings.ReplaceAll(r.Path, "\n", " ")
	if path == "" {
		path = "-"
	}
	dst = append(append(dst, mark...), path...)
	if r.Line <= 0 {
		return append(dst, " (file-level)\n"...)
	}
	dst = strconv.AppendInt(append(dst, ':'), int64(r.Line), 10)
	if r.End > r.Line {
		dst = strconv.AppendInt(append(dst, '-'), int64(r.End), 10)
	}
	kind := r.Type
	if kind != Added && kind != Removed {
		kind = Context
	}
	return append(dst, ' ', '(', kind, ')', '\n')
}

func looksLikeHeader(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " "), mark)
}

func escape(line string) string {
	if looksLikeHeader(line) {
		return " " + line
	}
	return line
}

func unescape(line string) string {
	if strings.HasPrefix(line, " ") && looksLikeHeader(line) {
		return line[1:]
	}
	return line
}

// Sort orders records as revdiff does: by the bytes of the path, then by line
// with whole-file comments first, equal ones as they were.
func Sort(records []Record) {
	slices.SortStableFunc(records, func(a, b Record) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
}

// Blank reports whether b holds nothing that could be a record.
func Blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
