package overlay

import "time"

// ArmDelay is how long the keyboard must have been quiet, with the dialog in
// sight, before a key can decide anything.
const ArmDelay = 400 * time.Millisecond

// Arming keeps what is typed for something else from answering a dialog that
// opened by itself. Once armed it stays so. The zero value is not drawn yet.
type Arming struct {
	since time.Time // the later of drawn and last key
	drawn bool
	armed bool
}

// Drawn says that the dialog is on the screen.
func (a *Arming) Drawn(now time.Time) {
	if !a.drawn {
		a.drawn, a.since = true, now
	}
}

// Key says that a key was pressed, and whether it may decide.
func (a *Arming) Key(now time.Time) bool {
	if a.Armed(now) {
		return true
	}
	a.since = now
	return false
}

// Armed says whether a key pressed now may decide.
func (a *Arming) Armed(now time.Time) bool {
	if a.drawn && now.Sub(a.since) >= ArmDelay {
		a.armed = true
	}
	return a.armed
}

// Wait is how long it takes until the dialog is armed, if no key comes; it must
// then be drawn again. Zero when it is armed.
func (a *Arming) Wait(now time.Time) time.Duration {
	if a.Armed(now) {
		return 0
	}
	if !a.drawn {
		return ArmDelay
	}
	return min(ArmDelay-now.Sub(a.since), ArmDelay)
}
