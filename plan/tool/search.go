package tool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// search is one grep on its way through files.
type search struct {
	line    *regexp.Regexp
	whole   *regexp.Regexp // nil when a whole file cannot be asked
	context int

	buf           bytes.Buffer
	out           strings.Builder
	matches       int
	binary, large int
}

// file searches one regular file. A file that vanished or cannot be read is
// passed over, as everything else of a tree is still worth searching.
func (s *search) file(ctx context.Context, path, shown string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags|noFollow, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil || !info.Mode().IsRegular() || kernelFile(f):
		return nil
	case info.Size() > maxGrepFile:
		s.large++
		return nil
	}
	_ = f.SetReadDeadline(time.Now().Add(time.Second))
	s.buf.Reset()
	if _, err := s.buf.ReadFrom(io.LimitReader(contextReader{ctx, f}, maxGrepFile)); err != nil {
		return ctx.Err()
	}
	data := s.buf.Bytes()
	if bytes.IndexByte(data[:min(len(data), sniffBytes)], 0) >= 0 {
		s.binary++
		return nil
	}
	if hopeless, err := s.hopeless(ctx, data); hopeless || err != nil {
		return err
	}
	return s.lines(ctx, data, shown)
}

// hopeless says whether surely no line matches, by looking at many lines at once.
func (s *search) hopeless(ctx context.Context, data []byte) (bool, error) {
	// Before a carriage return the end of a line is not where (?m) sees it.
	if s.whole == nil || bytes.IndexByte(data, '\r') >= 0 {
		return false, nil
	}
	for len(data) > 0 {
		if ctx.Err() != nil {
			return true, ctx.Err()
		}
		piece := data
		if len(piece) > maxAtOnce {
			end := bytes.LastIndexByte(piece[:maxAtOnce], '\n') + 1
			if end == 0 {
				return false, nil // a very long line is left to the search by line
			}
			piece = piece[:end]
		}
		if s.whole.Match(piece) {
			return false, nil
		}
		data = data[len(piece):]
	}
	return true, nil
}

// lines goes through a file that may match.
func (s *search) lines(ctx context.Context, data []byte, shown string) error {
	var before [][]byte // the last lines not shown, as context for the next match
	after := 0          // how many lines to show after the last match
	last := 0           // the last line shown
	for n := 1; len(data) > 0; n++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var line []byte
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end], data[end+1:]
		} else {
			line, data = data, nil
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		at := s.line.FindIndex(line[:min(len(line), maxLineGrep)])
		if at == nil {
			if after > 0 {
				after--
				s.put(shown, '-', n, line, 0)
				last = n
			} else if s.context > 0 {
				before = append(before[max(0, len(before)-s.context+1):], line)
			}
			continue
		}
		if s.matches++; s.matches > maxMatches || s.out.Len() > maxGrepBytes {
			return errEnough
		}
		if s.context > 0 && last > 0 && n-len(before) > last+1 {
			s.out.WriteString("--\n")
		}
		for i, b := range before {
			s.put(shown, '-', n-len(before)+i, b, 0)
		}
		before = nil
		s.put(shown, ':', n, line, at[0])
		last, after = n, s.context
	}
	return nil
}

// put writes one line; of a long one, the part around the byte at.
func (s *search) put(shown string, sep byte, n int, line []byte, at int) {
	fmt.Fprintf(&s.out, "%s%c%d%c", shown, sep, n, sep)
	text := line
	from := 0
	if len(line) > maxShownLine {
		from = max(0, min(at-maxShownLine/4, len(line)-maxShownLine))
		for from > 0 && !utf8.RuneStart(line[from]) {
			from--
		}
		to := from + maxShownLine
		for to < len(line) && !utf8.RuneStart(line[to]) {
			to++
		}
		text = line[from:min(to, len(line))]
		if from > 0 {
			s.out.WriteString("…")
		}
	}
	s.out.WriteString(strings.ToValidUTF8(string(text), "\uFFFD"))
	if len(text) < len(line) {
		fmt.Fprintf(&s.out, "… [line cut, %d bytes long]", len(line))
	}
	s.out.WriteByte('\n')
}
