package text

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Visible makes bytes of any origin into text that Valid accepts and that still
// shows a reader all of it: what Valid refuses is written out, a control character
// as its picture and any other as <U+202E>. A byte order mark at the beginning is
// left out, line ends become LF, and invalid UTF-8 becomes U+FFFD. The number of
// lines stays what an editor counts.
func Visible(b []byte) string {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if Valid(b) == nil {
		return string(b)
	}
	s := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(b))
	var out strings.Builder
	out.Grow(len(s) + 64)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out.WriteRune(utf8.RuneError)
		case fault(r, size, s[i]) == "":
			out.WriteString(s[i : i+size])
		case r < 0x20:
			out.WriteRune(0x2400 + r)
		case r == 0x7f:
			out.WriteRune(0x2421)
		default:
			fmt.Fprintf(&out, "<U+%04X>", r)
		}
		i += size
	}
	return out.String()
}
