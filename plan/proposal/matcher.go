package proposal

import (
	"unicode"
	"unicode/utf8"
)

// matcher follows one line for as long as it may be a tag: blanks, the beginning
// of one of the tags, blanks. It looks at every character once.
type matcher struct {
	tag string // the one that is left, empty while both are
	n   int    // how many bytes of it were read
	gap bool   // blanks follow, so that only blanks may
}

// feedByte is feed for ASCII.
func (m *matcher) feedByte(c byte) bool {
	if isBlank(c) {
		m.gap = m.n > 0
		return true
	}
	if m.gap || m.n == len(CloseTag) {
		return false
	}
	switch {
	case m.n == 0:
		if c != '<' {
			return false
		}
	case m.n == 1:
		if m.tag = OpenTag; c == '/' {
			m.tag = CloseTag
		}
		if m.tag[1] != c {
			return false
		}
	case m.n >= len(m.tag) || m.tag[m.n] != c:
		return false
	}
	m.n++
	return true
}

// isBlank is unicode.IsSpace for ASCII, without the newline, which ends lines.
func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// feed takes the next character, and reports whether the line may still be a tag.
func (m *matcher) feed(c rune) bool {
	if c < utf8.RuneSelf {
		return m.feedByte(byte(c))
	}
	if !unicode.IsSpace(c) {
		return false
	}
	m.gap = m.n > 0
	return true
}

// is says whether the line, complete as it is, is tag.
func (m *matcher) is(tag string) bool { return m.n == len(tag) && m.tag == tag }
