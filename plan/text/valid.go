package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxFaults = 5 // how many Valid names before it only counts

// Valid checks text that will be stored, hashed and shown as the very same
// bytes. It allows LF and TAB and refuses invalid UTF-8, every other control
// character, line and paragraph separators, bidi controls, a byte order mark
// and characters that could carry text nobody sees. The error names line,
// column (in characters) and character of the first few, so that whoever wrote
// the text can correct it.
func Valid(b []byte) error {
	var faults []string
	total := 0
	line, column := 1, 1
	for i := 0; i < len(b); column++ {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		if why := fault(r, size, b[i]); why != "" {
			if total++; total <= maxFaults {
				faults = append(faults, fmt.Sprintf("line %d, column %d: %s", line, column, why))
			}
		}
		if r == '\n' {
			line, column = line+1, 0
		}
		i += size
	}
	if total == 0 {
		return nil
	}
	if more := total - len(faults); more > 0 {
		faults = append(faults, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s", strings.Join(faults, "; "))
}

// fault says what is wrong with one character, or nothing.
func fault(r rune, size int, first byte) string {
	switch {
	case r >= 0x20 && r < 0x7f || r == '\n' || r == '\t':
		return ""
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("byte 0x%02X is not valid UTF-8; write UTF-8 text", first)
	case r == '\r':
		return "U+000D carriage return is not allowed; end lines with a line feed alone"
	case r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return fmt.Sprintf("U+%04X %s is not allowed; use a line feed", r, name(r))
	case refused(r):
		return fmt.Sprintf("U+%04X %s is not allowed; remove it", r, name(r))
	}
	return ""
}

// refused lists what a reader of the text cannot see and may be misled by.
// Joiners and variation selectors stay allowed: ordinary emoji, Persian and
// Indic text are spelled with them.
func refused(r rune) bool {
	switch {
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r), isNonCharacter(r):
		return true
	case r == 0xfeff, r == 0x200b, r >= 0x2060 && r <= 0x206f, r >= 0xfff9 && r <= 0xfffb:
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f
}

var names = map[rune]string{
	0x00: "null", 0x07: "bell", 0x08: "backspace", 0x0b: "vertical tab", 0x0c: "form feed", 0x1b: "escape",
	0x7f: "delete", 0x85: "next line", 0x9b: "control sequence introducer",
	0x061c: "arabic letter mark", 0x200b: "zero width space", 0x200e: "left-to-right mark",
	0x200f: "right-to-left mark", 0x2028: "line separator", 0x2029: "paragraph separator",
	0x202a: "left-to-right embedding", 0x202b: "right-to-left embedding",
	0x202c: "pop directional formatting", 0x202d: "left-to-right override",
	0x202e: "right-to-left override", 0x2060: "word joiner",
	0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate", 0x2068: "first strong isolate",
	0x2069: "pop directional isolate", 0xfeff: "byte order mark",
}

func name(r rune) string {
	if n, ok := names[r]; ok {
		return n
	}
	switch {
	case unicode.Is(unicode.Cc, r):
		return "control character"
	case isNonCharacter(r):
		return "noncharacter"
	case r >= 0xe0000 && r <= 0xe007f:
		return "tag character"
	}
	return "invisible character"
}
