package proposal

import (
	"strings"
	"unicode/utf8"
)

// Kind says what a segment is.
type Kind int

// The kinds of segment.
const (
	Text  Kind = iota // text outside of a block
	Start             // a block begins
	Delta             // text of the block
	End               // the block ends
)

// Segment is a piece of a message. Text is empty for Start and End.
type Segment struct {
	Kind Kind
	Text string
}

// Splitter cuts a message that arrives in pieces. What it returns, with equal
// neighbours joined, does not depend on where the pieces were cut. Text is held
// back only while its line may still become a tag. The zero value is ready.
type Splitter struct {
	inside bool   // of a block
	plain  bool   // the line begun cannot be a tag any more
	held   []byte // the line begun, while it can
	cut    int    // how many bytes at the end of held begin a character that is not whole
	line   matcher
}

// Push takes the next piece and returns what is certain by now.
func (s *Splitter) Push(piece string) []Segment {
	if piece == "" {
		return nil
	}
	r := run{s: s, piece: piece}
	r.joinCut()
	for r.at < len(piece) {
		if s.plain {
			r.skipLine()
		} else {
			r.matchLine()
		}
	}
	if s.plain {
		r.emit(len(piece))
	} else {
		r.hold()
	}
	return r.out
}

// Finish ends the message: a line without its newline is judged as if it were
// complete, and an open block is closed. The splitter can then be used again.
func (s *Splitter) Finish() []Segment {
	out, open := s.finishLine()
	if open {
		out = append(out, Segment{Kind: End})
	}
	return out
}

// finishLine is Finish that leaves an open block open, and says so.
func (s *Splitter) finishLine() (out []Segment, open bool) {
	r := run{s: s}
	switch {
	case len(s.held) == 0:
	case s.cut == 0 && r.isTag():
		r.turn()
	default:
		r.add(r.kind(), string(s.held))
	}
	open = s.inside
	*s = Splitter{}
	return r.out, open
}

// run is one Push at work. What lies between from and at was read and is not
// emitted yet; before holds what precedes it from earlier pieces.
type run struct {
	s      *Splitter
	piece  string
	from   int
	at     int
	line   int // where the line begun starts in piece; 0 also if it began before
	before string
	out    []Segment
}

// joinCut reads the character that the end of the last piece cut apart.
func (r *run) joinCut() {
	s := r.s
	if s.cut == 0 {
		return
	}
	var whole [utf8.UTFMax]byte
	n := copy(whole[:], s.held[len(s.held)-s.cut:])
	n += copy(whole[n:], r.piece)
	if !utf8.FullRune(whole[:n]) {
		s.cut = n // all of piece is in whole
		r.at = len(r.piece)
		return
	}
	c, size := utf8.DecodeRune(whole[:n])
	r.at = max(0, size-s.cut)
	s.cut = 0
	r.feed(c)
}

// feed matches one character of the line begun.
func (r *run) feed(c rune) {
	if !r.s.line.feed(c) {
		r.giveUp()
	}
}

// giveUp marks the line begun as one that can be no tag.
func (r *run) giveUp() {
	r.s.plain = true
	if r.s.held != nil {
		r.before, r.s.held = string(r.s.held), nil
	}
}

// skipLine goes behind the end of a line that is no tag.
func (r *run) skipLine() {
	if i := strings.IndexByte(r.piece[r.at:], '\n'); i >= 0 {
		r.at += i + 1
		r.newLine()
		return
	}
	r.at = len(r.piece)
}

func (r *run) newLine() {
	r.line = r.at
	r.s.plain, r.s.line = false, matcher{}
}

// matchLine reads the line begun as far as it may be a tag.
func (r *run) matchLine() {
	s := r.s
	if s.held == nil && r.at == r.line && r.skipPlain() {
		return
	}
	for r.at < len(r.piece) {
		c := r.piece[r.at]
		switch {
		case c == '\n':
			r.at++
			r.endLine()
			return
		case c < utf8.RuneSelf:
			if !s.line.feedByte(c) {
				r.giveUp()
				return
			}
			r.at++
		default:
			wide, size := utf8.DecodeRuneInString(r.piece[r.at:])
			if size == 1 && !utf8.FullRuneInString(r.piece[r.at:]) {
				s.cut = len(r.piece) - r.at
				r.at = len(r.piece)
				return
			}
			if r.feed(wide); s.plain {
				return
			}
			r.at += size
		}
	}
}

// skipPlain reads, at the start of a line, what is seen at a glance: blank lines,
// and a line that begins like no tag. It reports whether nothing is left to match.
func (r *run) skipPlain() bool {
	piece, at := r.piece, r.at
	for at < len(piece) {
		switch c := piece[at]; {
		case c == '\n':
			r.line = at + 1
		case c == '<' || c >= utf8.RuneSelf:
			r.at = at
			return false
		case !isBlank(c):
			r.at, r.s.plain = at, true
			return true
		}
		at++
	}
	r.at = at
	return true
}

// endLine judges the line that has just ended before r.at.
func (r *run) endLine() {
	if r.isTag() {
		r.emit(r.line)
		r.s.held = nil
		r.from = r.at
		r.turn()
	} else if r.s.held != nil {
		r.before, r.s.held = string(r.s.held), nil
	}
	r.newLine()
}

// isTag says whether the line is the tag that means something here: an opening
// one outside of a block, a closing one in it.
func (r *run) isTag() bool {
	if r.s.inside {
		return r.s.line.is(CloseTag)
	}
	return r.s.line.is(OpenTag)
}

// turn enters or leaves a block.
func (r *run) turn() {
	if r.s.inside {
		r.add(End, "")
	} else {
		r.add(Start, "")
	}
	r.s.inside = !r.s.inside
}

// hold keeps the line begun for the next piece, and emits what is before it.
func (r *run) hold() {
	if r.s.held == nil {
		r.emit(r.line)
	}
	r.s.held = append(r.s.held, r.piece[r.line:]...)
}

func (r *run) kind() Kind {
	if r.s.inside {
		return Delta
	}
	return Text
}

// emit returns what was read up to end.
func (r *run) emit(end int) {
	text := r.piece[r.from:end]
	if r.before != "" {
		text = r.before + text
	}
	r.from, r.before = end, ""
	if text != "" {
		r.add(r.kind(), text)
	}
}

func (r *run) add(k Kind, text string) { r.out = append(r.out, Segment{k, text}) }
