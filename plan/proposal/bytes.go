package proposal

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrNotUTF8 reports bytes that are no text.
var ErrNotUTF8 = errors.New("the message is not UTF-8")

// Bytes is a Splitter for pieces of bytes that may cut characters apart. A piece
// that is refused changes nothing: the next one may be another try at it.
type Bytes struct {
	text Splitter
	part []byte // the beginning of a character
}

// Push takes the next piece. The error wraps ErrNotUTF8 and says where in the
// piece.
func (b *Bytes) Push(piece []byte) ([]Segment, error) {
	all := append(b.part[:len(b.part):len(b.part)], piece...)
	whole := len(all) - unfinished(all)
	for at := 0; at < whole; {
		c, size := utf8.DecodeRune(all[at:whole])
		if c == utf8.RuneError && size == 1 {
			return nil, fmt.Errorf("byte %d of the piece: %w", max(0, at-len(b.part)), ErrNotUTF8)
		}
		at += size
	}
	b.part = append([]byte(nil), all[whole:]...)
	return b.text.Push(string(all[:whole])), nil
}

// Finish ends the message. When it ends within a character the error says so, and
// what is returned is the rest of the message without it.
func (b *Bytes) Finish() ([]Segment, error) {
	left := len(b.part)
	b.part = nil
	out := b.text.Finish()
	if left > 0 {
		return out, fmt.Errorf("the last %d bytes: %w", left, ErrNotUTF8)
	}
	return out, nil
}

// unfinished is how many bytes at the end begin a character and lack its rest.
func unfinished(p []byte) int {
	for n := 1; n <= min(len(p), utf8.UTFMax-1); n++ {
		if c := p[len(p)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(p[len(p)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
