package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	esc      = 0x1b
	zwj      = 0x200d
	tabCells = "    "
)

// Clean makes multi-line text fit for a screen. Terminal sequences are removed
// whole, as are control, bidi and invisible characters; line ends become LF, a
// TAB four spaces and invalid UTF-8 U+FFFD. Cleaning clean text changes nothing.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	c := cleaner{}
	c.out.Grow(len(s))
	for i := 0; i < len(s); {
		i += c.step(s[i:])
	}
	return c.out.String()
}

// Line is Clean made one line: every run of blanks and line ends is one space,
// and there is none at either end.
func Line(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// isPlain is the fast path: printable ASCII and LF need no cleaning.
func isPlain(s string) bool {
	for i := range len(s) {
		if b := s[i]; (b < 0x20 && b != '\n') || b >= 0x7f {
			return false
		}
	}
	return true
}

// cleaner collects clean text. A joiner is written only once the letter after
// it is known to be written too.
type cleaner struct {
	out    strings.Builder
	last   rune
	joiner bool
}

// step handles the beginning of s and returns how many bytes it used.
func (c *cleaner) step(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		c.put(utf8.RuneError)
	case r == esc:
		return escape(s)
	case r == 0x9b:
		return size + csi(s[size:])
	case isStringIntroducer(r):
		return size + controlString(s[size:], r == 0x9d)
	case r == '\r':
		c.put('\n')
		if strings.HasPrefix(s[size:], "\n") {
			return size + 1
		}
	case r == 0x2028 || r == 0x2029:
		c.put('\n')
	case r == '\t':
		c.out.WriteString(tabCells)
		c.last, c.joiner = ' ', false
	case r == zwj:
		c.joiner = c.joiner || joins(c.last)
	case r == '\n' || !Hidden(r):
		c.put(r)
	}
	return size
}

func (c *cleaner) put(r rune) {
	if isNonCharacter(r) {
		r = utf8.RuneError
	}
	if c.joiner && unicode.Is(unicode.Lo, r) {
		c.out.WriteRune(zwj)
	}
	c.joiner = false
	c.out.WriteRune(r)
	c.last = r
}

// joins says whether a joiner after r can shape a letter. Scripts with upper and
// lower case never need one, so there it would only hide.
func joins(r rune) bool { return unicode.In(r, unicode.Lo, unicode.M) }

// Hidden says whether r draws nothing of its own: a control, a bidi control, a
// variation selector, a tag or any other invisible character. LF and TAB are
// hidden in this sense, a space is not.
func Hidden(r rune) bool {
	if r < 0x80 {
		return r < 0x20 || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

func isNonCharacter(r rune) bool {
	return r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef
}

// isStringIntroducer says whether r begins a string up to ST in its one-character
// form: DCS, SOS, OSC, PM or APC.
func isStringIntroducer(r rune) bool {
	return r == 0x90 || r == 0x98 || r >= 0x9d && r <= 0x9f
}

// escape returns the length of the escape sequence that s begins with.
func escape(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch b := s[1]; {
	case b == '[':
		return 2 + csi(s[2:])
	case b == 'P', b == 'X', b == ']', b == '^', b == '_':
		return 2 + controlString(s[2:], b == ']')
	}
	i := 1
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
		return i + 1
	}
	return i
}

// csi returns the length of the parameters, intermediates and final byte that
// follow a control sequence introducer.
func csi(s string) int {
	i := 0
	for i < len(s) && s[i] >= 0x30 && s[i] <= 0x3f {
		i++
	}
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
		return i + 1
	}
	return i
}

// controlString returns the length of a string with its terminator: ST, or BEL
// where bell is set. A string that is never terminated has length 0, so that it
// cannot hide the rest of a text; every control that could begin another
// sequence stops the search, which keeps the whole linear.
func controlString(s string, bell bool) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == 0x9c, r == '\a' && bell:
			return i + size
		case r == esc:
			if strings.HasPrefix(s[i+1:], `\`) {
				return i + 2
			}
			return 0
		case r == 0x18, r == 0x1a, r >= 0x80 && r <= 0x9f:
			return 0
		}
		i += size
	}
	return 0
}
