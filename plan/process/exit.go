package process

import "time"

// Exit is how a child that had the terminal ended.
type Exit struct {
	Started bool   // false when it could not be run at all
	Code    int    // exit code; -1 when killed by a signal or never started
	Signal  string // name of the signal that killed it, like "SIGKILL", or empty
	Elapsed time.Duration
	Err     error // why it could not be run, waited for or followed
	Lost    bool  // the terminal is gone: save and quit
	ByUs    bool  // it was stopped by Stop, or by a signal to this process
}

// shellSignal is what a shell adds to the number of the signal that ended its
// command.
const shellSignal = 128

// broken says whether the child was ended rather than ended by itself, so that
// it cannot have cleaned up the screen.
func (e Exit) broken() bool { return e.Signal != "" || e.ByUs || e.Code > shellSignal }
