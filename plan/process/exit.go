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
