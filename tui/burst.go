package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/tui/composer"
	"planmode/tui/keymap"
)

const (
	burstGap  = 4 * time.Millisecond  // nobody types faster; pasted text comes faster
	burstRest = 25 * time.Millisecond // after it, pasted text is over
	burstMin  = 4                     // keys that fast in a row

	// burstSend is how long a line with Enter behind it is held: the first line of
	// what comes in pieces looks like that.
	burstSend = 120 * time.Millisecond
	// burstTail is how long after a paste no line that comes fast is sent: what is
	// pasted over a slow line comes in pieces.
	burstTail = 2 * time.Second
)

// burst takes together text that arrives faster than anybody types: what a
// terminal without bracketed paste makes of a paste, and what a script types.
// Its line breaks are not Enter, or each line would be sent, and one that begins
// with "!" or "/" would be carried out. Only a single line with Enter behind it
// counts as typed and sent.
type burst struct {
	run    int // keys in a row, each soon after the one before
	last   time.Time
	text   strings.Builder
	over   int  // bytes that were left out, beyond any limit
	waits  bool // for burstOverMsg
	pasted bool // something was pasted just before
	alone  bool // its first key came after a rest
}

// burstOverMsg looks whether no more came.
type burstOverMsg struct{}

// absorb takes a key that belongs to a burst; false for one to act on.
func (m *model) absorb(msg tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	b, now := &m.burst, m.opts.Now()
	gap := now.Sub(b.last)
	b.last = now
	// A clock that stands still measures nothing.
	if gap <= 0 || gap > burstGap {
		b.run = 0
	}
	if gap <= 0 || gap > burstTail {
		b.pasted = false
	}
	s := msg.Text
	switch {
	case m.keys.Has(name, keymap.Submit) || name == "ctrl+j":
		s = "\n"
	case name == "tab":
		s = "\t"
	}
	if s == "" {
		b.run = 0
		return nil, false
	}
	if b.run++; b.text.Len() == 0 && b.run <= burstMin && !b.pasted {
		return nil, false
	}
	m.presses.Reset() // like a paste, it breaks a pair
	if b.text.Len() == 0 {
		b.alone = gap >= burstRest
	}
	if b.text.Len() < 2*composer.MaxText {
		b.text.WriteString(s)
	} else {
		b.over += len(s)
	}
	return m.awaitBurst(), true
}

func (m *model) awaitBurst() tea.Cmd {
	if m.burst.waits {
		return nil
	}
	m.burst.waits = true
	return m.after(burstRest, burstOverMsg{})
}

func (m *model) burstOver() tea.Cmd {
	m.burst.waits = false
	if m.burst.text.Len() == 0 {
		return nil
	}
	rest := burstRest
	if s := m.burst.text.String(); len(s) > 1 && s[len(s)-1] == '\n' {
		rest = burstSend
	}
	if gap := m.opts.Now().Sub(m.burst.last); gap >= 0 && gap < rest {
		return m.awaitBurst()
	}
	return m.flushBurst()
}

// flushBurst writes what was taken together.
func (m *model) flushBurst() tea.Cmd {
	b := &m.burst
	if b.text.Len() == 0 {
		return nil
	}
	s, over := b.text.String(), b.over
	b.text.Reset()
	b.over, b.run = 0, 0
	if over > 0 {
		return m.wrote(composer.TooLong(len(s) + over))
	}
	line, rest, entered := strings.Cut(s, "\n")
	switch {
	case entered && line == "" && rest == "" && b.alone: // the key, pressed by hand
	case !entered || rest != "" || b.pasted || strings.Contains(m.composer.Text(), "\n"):
		b.pasted = b.pasted || rest != ""
		return m.wrote(m.composer.Paste(s))
	}
	if line != "" {
		out := m.composer.Paste(line)
		if cmd := m.wrote(out); out.Kind == composer.Refused {
			return cmd
		}
	}
	return m.write(tea.KeyPressMsg{Code: tea.KeyEnter}, "enter")
}

// unfinished is what is written, with what a burst brought that is not over yet.
func (m *model) unfinished() string { return m.composer.Text() + m.burst.text.String() }
