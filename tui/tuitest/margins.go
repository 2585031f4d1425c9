package tuitest

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// A terminal that becomes smaller may still get a frame that was drawn for its
// old size. Real ones cut scroll margins to their height and forget them at a new
// size; the emulator keeps them as they come, and then scrolls what is not there.

var marginPattern = regexp.MustCompile(`\x1b\[(\d*);(\d*)r`)

// forgetMargins are the bytes that a terminal does to itself at a new size.
const forgetMargins = "\x1b7\x1b[r\x1b8"

// clampMargins cuts the scroll margins in output to a screen of height lines.
func clampMargins(p []byte, height int) []byte {
	if !bytes.Contains(p, []byte("\x1b[")) {
		return p
	}
	return marginPattern.ReplaceAllFunc(p, func(seq []byte) []byte {
		parts := marginPattern.FindSubmatch(seq)
		top, bottom := number(parts[1], 1), number(parts[2], height)
		if bottom <= height {
			return seq
		}
		if top >= height {
			return []byte("\x1b[r")
		}
		return fmt.Appendf(nil, "\x1b[%d;%dr", top, height)
	})
}

func number(digits []byte, without int) int {
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return without
	}
	return n
}
