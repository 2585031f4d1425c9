package session

import (
	"errors"
	"fmt"

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
	s.say(tree.Warning, "This session is open in another planmode (%s). You see it as it was just now, and can only read: nothing can be sent, reviewed or decided here, and nothing that is open there is touched. /fork goes on from here in a session of your own; or close the other one and continue this again.", holderText(held.Holder))
}

// holderText names a process to the person.
func holderText(h store.Holder) string {
	if h.PID == 0 {
		return "which process is not known"
	}
	return fmt.Sprintf("process %d on %s, since %s", h.PID, h.Host, h.Since.Local().Format("2006-01-02 15:04"))
}
