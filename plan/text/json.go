package text

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// EscapeJSON replaces every hidden character of a JSON document, except its line
// ends, by an escape. encoding/json leaves most of them as they are; in a terminal
// some of them act. The document means the same afterwards.
func EscapeJSON(document []byte) []byte {
	var out strings.Builder
	out.Grow(len(document))
	for _, r := range string(document) {
		switch {
		case r == '\n' || !Hidden(r):
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return []byte(out.String())
}
