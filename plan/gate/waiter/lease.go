package waiter

import "time"

// Grace is how long a leased gate outlives its last surface.
const Grace = 30 * time.Second

// lease counts the surfaces on which a gate is shown and says when it is given up.
// One that was never shown anywhere never expires, and neither does one that is not
// leased. Times must be monotonic, so that a laptop that sleeps loses nothing.
type lease struct {
	on       bool
	surfaces int
	seen     bool
	lost     time.Time
}

// enter is a surface that came up; it ends a grace that runs.
func (l *lease) enter() { l.surfaces, l.seen = l.surfaces+1, true }

// leave is a surface that went away. The last one starts a whole new grace.
func (l *lease) leave(now time.Time) {
	if l.surfaces == 0 {
		return
	}
	if l.surfaces--; l.surfaces == 0 {
		l.lost = now
	}
}

// slept takes time out of the grace in which nobody could have come back, since this
// process itself was stopped.
func (l *lease) slept(d time.Duration) { l.lost = l.lost.Add(d) }

// alone says that the gate was shown and is shown nowhere now.
func (l *lease) alone() bool { return l.seen && l.surfaces == 0 }

// expired says whether the gate is given up: not before the whole grace has gone by.
func (l *lease) expired(now time.Time) bool {
	return l.on && l.alone() && now.Sub(l.lost) >= Grace
}
