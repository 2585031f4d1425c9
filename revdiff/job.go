// Package revdiff drives the reviewer, an external program or planmode's own:
// find it, probe it, prepare private copies, run it, and say what came back.
package revdiff

import "time"

// Job is one run of a reviewer, ready to start. Everything it names is private
// to the run.
type Job struct {
	Name   string   // shown to the person: "revdiff v1.12.0", "built-in reviewer"
	Path   string   // the executable
	Args   []string // without the executable
	Env    []string // the whole environment
	Dir    string   // the working directory
	Stderr string   // file that collects the standard error
	Title  string   // for the terminal's title, already clean
}

// Exit is how the process of a job ended.
type Exit struct {
	Started bool   // false when it could not be run at all
	Code    int    // exit code; -1 when killed by a signal
	Signal  string // name of the signal, or empty
	Elapsed time.Duration
	Err     error // why it could not be run or waited for
	Lost    bool  // the terminal is gone: save and quit
	ByUs    bool  // we stopped it
}
