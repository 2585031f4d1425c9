package waiter

import (
	"testing"
	"time"
)

func TestALeaseEndsExactlyWhenItsGraceDoes(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name string
		on   bool
		do   func(*lease)
		now  int
		want bool
	}{
		{"never shown", true, func(*lease) {}, 1 << 30, false},
		{"shown", true, func(l *lease) { l.enter() }, 1 << 30, false},
		{"a millisecond before", true, func(l *lease) { l.enter(); l.leave(at(0)) }, 29_999, false},
		{"at the end", true, func(l *lease) { l.enter(); l.leave(at(0)) }, 30_000, true},
		{"back in time", true, func(l *lease) { l.enter(); l.leave(at(0)); l.enter() }, 40_000, false},
		{"lost again, with a whole grace", true, func(l *lease) { l.enter(); l.leave(at(0)); l.enter(); l.leave(at(29_999)) }, 59_998, false},
		{"lost again, at its end", true, func(l *lease) { l.enter(); l.leave(at(0)); l.enter(); l.leave(at(29_999)) }, 59_999, true},
		{"one of two lost", true, func(l *lease) { l.enter(); l.enter(); l.leave(at(0)) }, 1 << 30, false},
		{"lost twice", true, func(l *lease) { l.enter(); l.leave(at(0)); l.leave(at(9_000)) }, 30_000, true},
		{"this process was stopped", true, func(l *lease) { l.enter(); l.leave(at(0)); l.slept(10 * time.Second) }, 39_999, false},
		{"not leased", false, func(l *lease) { l.enter(); l.leave(at(0)) }, 1 << 30, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := lease{on: c.on}
			c.do(&l)
			if got := l.expired(at(c.now)); got != c.want {
				t.Errorf("expired %v, want %v", got, c.want)
			}
		})
	}
}
