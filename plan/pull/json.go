package pull

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds of a document.
const (
	maxBytes = 1 << 20
	maxDepth = 32
)

type kind string

const (
	kindNull   kind = "null"
	kindBool   kind = "true or false"
	kindNumber kind = "a whole number"
	kindString kind = "a string"
	kindArray  kind = "a list"
	kindObject kind = "an object"
)

// node is a value of a document that was read without any leniency.
type node struct {
	kind  kind
	yes   bool
	num   int64
	str   string
	items []node   // of a list, or the values of an object
	keys  []string // of an object, in the order of the document
}

// scanner reads one JSON document. It knows nothing that JSON does not know, and of
// numbers only whole ones in their one usual form.
type scanner struct {
	s  string
	at int
}

type syntaxError struct {
	at   int
	text string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.at, e.text) }

func (c *scanner) fail(format string, args ...any) error {
	return &syntaxError{c.at, fmt.Sprintf(format, args...)}
}

// parse reads a document that ends with its value and at most one line end.
func parse(s string) (node, error) {
	c := &scanner{s: s}
	c.space()
	n, err := c.value(0)
	if err != nil {
		return node{}, err
	}
	if rest := c.s[c.at:]; rest != "" && rest != "\n" {
		return node{}, c.fail("something follows the object")
	}
	return n, nil
}

func (c *scanner) space() {
	for c.at < len(c.s) && strings.IndexByte(" \t\n\r", c.s[c.at]) >= 0 {
		c.at++
	}
}

func (c *scanner) next() byte {
	if c.at >= len(c.s) {
		return 0
	}
	return c.s[c.at]
}

func (c *scanner) value(depth int) (node, error) {
	if depth > maxDepth {
		return node{}, c.fail("nested more than %d deep", maxDepth)
	}
	switch b := c.next(); {
	case b == '{':
		return c.object(depth)
	case b == '[':
		return c.array(depth)
	case b == '"':
		s, err := c.text()
		return node{kind: kindString, str: s}, err
	case b == '-' || b >= '0' && b <= '9':
		return c.number()
	}
	for word, n := range map[string]node{"null": {kind: kindNull}, "true": {kind: kindBool, yes: true}, "false": {kind: kindBool}} {
		if strings.HasPrefix(c.s[c.at:], word) {
			c.at += len(word)
			return n, nil
		}
	}
	return node{}, c.fail("no JSON value")
}

func (c *scanner) object(depth int) (node, error) {
	n := node{kind: kindObject}
	seen := map[string]bool{}
	c.at++
	for c.space(); c.next() != '}'; c.space() {
		if len(n.keys) > 0 {
			if c.next() != ',' {
				return n, c.fail("a comma or } is missing")
			}
			c.at++
			c.space()
		}
		if c.next() != '"' {
			return n, c.fail("a key is missing")
		}
		key, err := c.text()
		if err != nil {
			return n, err
		}
		if seen[key] {
			return n, c.fail("the key %q stands there twice", key)
		}
		seen[key] = true
		c.space()
		if c.next() != ':' {
			return n, c.fail("a colon is missing")
		}
		c.at++
		c.space()
		v, err := c.value(depth + 1)
		if err != nil {
			return n, err
		}
		n.keys, n.items = append(n.keys, key), append(n.items, v)
	}
	c.at++
	return n, nil
}

func (c *scanner) array(depth int) (node, error) {
	n := node{kind: kindArray}
	c.at++
	for c.space(); c.next() != ']'; c.space() {
		if len(n.items) > 0 {
			if c.next() != ',' {
				return n, c.fail("a comma or ] is missing")
			}
			c.at++
			c.space()
		}
		v, err := c.value(depth + 1)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, v)
	}
	c.at++
	return n, nil
}

func (c *scanner) number() (node, error) {
	end := c.at + 1
	for end < len(c.s) && strings.IndexByte("0123456789+-.eE", c.s[end]) >= 0 {
		end++
	}
	word := c.s[c.at:end]
	v, err := strconv.ParseInt(word, 10, 64)
	if err != nil || strconv.FormatInt(v, 10) != word {
		return node{}, c.fail("%.30q is no whole number in its usual form", word)
	}
	c.at = end
	return node{kind: kindNumber, num: v}, nil
}

func (c *scanner) text() (string, error) {
	var b strings.Builder
	for c.at++; ; {
		if c.at >= len(c.s) {
			return "", c.fail("a string has no end")
		}
		switch ch := c.s[c.at]; {
		case ch == '"':
			c.at++
			return b.String(), nil
		case ch == '\\':
			if err := c.escape(&b); err != nil {
				return "", err
			}
		case ch < 0x20:
			return "", c.fail("a control character in a string")
		default:
			r, size := utf8.DecodeRuneInString(c.s[c.at:])
			if r == utf8.RuneError && size <= 1 {
				return "", c.fail("not UTF-8")
			}
			b.WriteString(c.s[c.at : c.at+size])
			c.at += size
		}
	}
}

func (c *scanner) escape(b *strings.Builder) error {
	if c.at+1 >= len(c.s) {
		return c.fail("a string has no end")
	}
	ch := c.s[c.at+1]
	if ch == 'u' {
		return c.unicode(b)
	}
	i := strings.IndexByte(`"\/bfnrt`, ch)
	if i < 0 {
		return c.fail("no such escape: \\%c", ch)
	}
	b.WriteByte("\"\\/\b\f\n\r\t"[i])
	c.at += 2
	return nil
}

func (c *scanner) unicode(b *strings.Builder) error {
	r, ok := c.unit()
	if !ok || r == 0 {
		return c.fail("no such escape")
	}
	if utf16.IsSurrogate(r) {
		low, ok := rune(0), false
		if strings.HasPrefix(c.s[c.at:], `\u`) {
			low, ok = c.unit()
		}
		if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
			return c.fail("half a surrogate pair")
		}
	}
	b.WriteRune(r)
	return nil
}

// unit reads one \uXXXX.
func (c *scanner) unit() (rune, bool) {
	if c.at+6 > len(c.s) {
		return 0, false
	}
	for _, d := range c.s[c.at+2 : c.at+6] {
		if !strings.ContainsRune("0123456789abcdefABCDEF", d) {
			return 0, false
		}
	}
	v, err := strconv.ParseUint(c.s[c.at+2:c.at+6], 16, 32)
	c.at += 6
	return rune(v), err == nil
}
