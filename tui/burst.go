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
	pasted bool // it follows a paste at once: then no Enter counts
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
	if gap := m.opts.Now().Sub(m.burst.last); gap >= 0 && gap < burstRest {
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
	s, over, pasted := b.text.String(), b.over, b.pasted
	b.text.Reset()
	b.over, b.run, b.pasted = 0, 0, false
	if over > 0 {
		return m.wrote(composer.TooLong(len(s) + over))
	}
	line, rest, entered := strings.Cut(s, "\n")
	if !entered || rest != "" || pasted || strings.Contains(m.composer.Text(), "\n") {
		return m.wrote(m.composer.Paste(s))
	}
	out := m.composer.Paste(line)
	if cmd := m.wrote(out); out.Kind == composer.Refused {
		return cmd
	}
	return m.write(tea.KeyPressMsg{Code: tea.KeyEnter}, "enter")
}

// unfinished is what is written, with what a burst brought that is not over yet.
func (m *model) unfinished() string { return m.composer.Text() + m.burst.text.String() }
