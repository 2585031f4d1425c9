// Package gate is the contract of a review that another program asked for: what its
// arguments mean, what goes to standard output, and which code it ends with. It is
// pure: it starts nothing, reads nothing and writes nothing. Everything in it fails
// closed: what is not an explicit approval never reads like one.
package gate

import "strings"

// Outcome is how a gate ended: approved, left without a decision (Exit), or
// annotated, which is neither. Feedback is opaque Markdown.
type Outcome struct {
	Feedback string
	Approved bool
	Exit     bool
}

// Decision is the outcome in a word: approved, annotated or dismissed.
func (o Outcome) Decision() string {
	switch {
	case o.Approved && !o.Exit:
		return "approved"
	case o.Exit:
		return "dismissed"
	}
	return "annotated"
}

// Format says how the caller wants to be answered. Hook beats JSON.
type Format struct {
	Gate bool // the caller wants an approval; it changes the rows, not the bytes
	JSON bool
	Hook bool
}

// approvedLine is the whole answer to an approval in plain text.
const approvedLine = "The user approved."

// CarriesNotes says whether notes given with an approval reach the caller. Where
// they do not, the person is told before they approve.
func (f Format) CarriesNotes() bool { return f.Gate && f.JSON && !f.Hook }

// CanApprove says whether the caller asked for an approval at all.
func (f Format) CanApprove() bool { return f.Gate || f.Hook }

// Leased says whether a lost screen ends the gate by itself: the caller then reads
// that nothing was decided. In every other form it waits for a person.
func (f Format) Leased() bool { return f.Gate && f.JSON && !f.Hook }

// Record returns the line for standard output, without its final newline; false
// means that nothing at all is written. The order of the checks differs from format
// to format, which matters only for an outcome that is both approved and left.
func Record(o Outcome, f Format) (line string, ok bool) {
	switch {
	case f.Hook:
		return hookRecord(o)
	case f.JSON:
		return jsonRecord(o), true
	}
	return plainRecord(o)
}

func hookRecord(o Outcome) (string, bool) {
	if o.Approved || o.Exit || o.Feedback == "" {
		return "", false
	}
	return `{"decision":"block","reason":` + Quote(o.Feedback) + `}`, true
}

func jsonRecord(o Outcome) string {
	switch {
	case o.Approved && o.Feedback != "":
		return `{"decision":"approved","feedback":` + Quote(o.Feedback) + `}`
	case o.Approved:
		return `{"decision":"approved"}`
	case o.Exit:
		return `{"decision":"dismissed"}`
	}
	return `{"decision":"annotated","feedback":` + Quote(o.Feedback) + `}`
}

func plainRecord(o Outcome) (string, bool) {
	switch {
	case o.Exit:
		return "", false
	case o.Approved:
		return approvedLine, true
	case o.Feedback != "":
		return o.Feedback, true
	}
	return "", false
}

// Quote writes s as a JSON string, byte for byte as JavaScript's JSON.stringify
// does: only quotes, backslashes and control characters are escaped. Invalid UTF-8
// becomes U+FFFD, written raw.
func Quote(s string) string {
	const hex = "0123456789abcdef"
	s = strings.ToValidUTF8(s, "\ufffd")
	var b strings.Builder
	b.Grow(len(s) + len(s)/16 + 2)
	b.WriteByte('"')
	for i := range len(s) {
		c := s[i]
		if short := shorthand(c); short != 0 {
			b.WriteByte('\\')
			b.WriteByte(short)
			continue
		}
		if c < 0x20 {
			b.WriteString(`\u00`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&0xf])
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

// shorthand is the letter after the backslash for characters that have one.
func shorthand(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
