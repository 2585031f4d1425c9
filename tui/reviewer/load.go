package reviewer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"planmode/plan/text"
)

const (
	maxFile   = 64 << 20
	maxNotes  = 1 << 20
	maxLines  = 2_000_000
	binaryAge = 8 << 10 // how far a NUL byte is looked for

	// maxLine is how much of one line is ever drawn. Longer lines are cut with
	// a mark, so that one of several megabytes cannot stop the screen.
	maxLine = 16 << 10
)

// textFile is one file as it is shown: its lines without line ends.
type textFile struct {
	path  string
	hash  string
	bytes int
	lines []string
}

// readFile reads a regular file of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: not a regular file", path)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("read %s: %d bytes are more than the %d that can be shown", path, info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer f.Close()
	raw := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := raw.ReadFrom(io.LimitReader(f, limit)); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return raw.Bytes(), nil
}

func load(path string) (*textFile, error) {
	raw, err := readFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(raw[:min(len(raw), binaryAge)], 0) >= 0 {
		return nil, fmt.Errorf("read %s: %w", path, errors.New("a binary file"))
	}
	if n := bytes.Count(raw, []byte("\n")); n > maxLines {
		return nil, fmt.Errorf("read %s: %d lines are more than the %d that can be shown", path, n, maxLines)
	}
	sum := sha256.Sum256(raw)
	return &textFile{path: path, hash: hex.EncodeToString(sum[:]), bytes: len(raw), lines: splitLines(string(raw))}, nil
}

// splitLines cuts at LF and drops the CR of a CRLF. A final line end opens no
// further line.
func splitLines(s string) []string {
	s = strings.TrimPrefix(s, "\ufeff")
	if s == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for s != "" {
		line, rest, _ := strings.Cut(s, "\n")
		lines = append(lines, strings.TrimSuffix(line, "\r"))
		s = rest
	}
	return lines
}

// drawable makes a source line safe for one row of cells: no control, escape or
// invisible character, tabs as spaces. Leading blanks are kept.
func drawable(line string) string {
	cut := len(line) > maxLine
	if cut {
		line = strings.ToValidUTF8(line[:maxLine], "")
	}
	if !plainASCII(line) {
		line = strings.ReplaceAll(text.Clean(strings.ReplaceAll(line, "\r", " ")), "\n", " ")
	}
	if cut {
		line += " [line cut here]"
	}
	return line
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
