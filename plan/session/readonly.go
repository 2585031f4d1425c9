package session

import (
	"errors"
	"fmt"
	"time"

	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
)

// readOnly says why nothing can be recorded in this session; nil if it can. Such
// a session is a look at what is on the disk. It must change nothing there,
// neither in the log nor beside it: somebody else may be at work in both.
func (s *Session) readOnly() error { return s.opt.Log.ReadOnly() }

// sayReadOnly tells the person why, and what is still possible.
func (s *Session) sayReadOnly(err error) {
	var held *store.HeldError
	if !errors.As(err, &held) {
		s.say(tree.Warning, "This session can only be read: %v. Its file was not touched. Nothing can be sent, reviewed or decided here; to work, start a new session.", err)
		return
	}
	s.say(tree.Warning, "This session is open in another planmode (%s). You see it as it was just now, and can only read: nothing can be sent, reviewed or decided here, and nothing that is open there is touched. /fork goes on from here in a session of your own; or close the other one and continue this again.", s.holderText(held.Holder))
}

// HeldBy names the process that writes to this session, for a session that can
// only be read because of it; empty otherwise.
func (s *Session) HeldBy() string {
	var held *store.HeldError
	if !errors.As(s.readOnly(), &held) {
		return ""
	}
	return s.holderText(held.Holder)
}

func (s *Session) holderText(h store.Holder) string { return holderText(h, s.opt.Now()) }

// holderText names a process to the person, and says how long it has been there.
// A clock that went back gives no age.
func holderText(h store.Holder, now time.Time) string {
	if h.PID == 0 {
		return "which process is not known"
	}
	since := "since " + h.Since.Local().Format("2006-01-02 15:04")
	if age := now.Sub(h.Since); age >= 0 {
		since = "for " + ageText(age) + ", " + since
	}
	return fmt.Sprintf("process %d on %s, %s", h.PID, h.Host, since)
}

// ageText is a duration as a person says it: in its largest unit.
func ageText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return text.Count(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return text.Count(int(d/time.Hour), "hour")
	}
	return text.Count(int(d/(24*time.Hour)), "day")
}
