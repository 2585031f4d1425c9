// Package revdiff drives the reviewer, an external program or planmode's own:
// find it, probe it, prepare private copies, run it, and say what came back.
//
// Nothing here decides about a plan. A reviewer that fails, is killed, edits its
// copy or contradicts itself yields a Result that says so, and only a clean end
// with notes counts as a request for changes. Running a Job belongs to whoever
// has the terminal.
package revdiff

import "planmode/plan/process"

// Job is one run of a reviewer, ready to start. Everything it names is private
// to the run.
type Job struct {
	Name    string   // shown to the person: "revdiff v1.12.0", "built-in reviewer"
	Path    string   // the executable
	Args    []string // without the executable
	Env     []string // the whole environment
	Dir     string   // the working directory
	Stderr  string   // file that collects the standard error
	Title   string   // for the terminal's title, already clean
	Output  string   // file the notes are to be written to; it does not exist yet
	History string   // directory for notes saved on the way
	Copy    string   // the copy of the revision under review
	Notices []string // what the person should know about this run: one sentence each
	Outcome string   // file in which the built-in reviewer says how it ended; empty for another
	Edit    string   // file in which it keeps the person's own edit of the text; empty for another

	shown  shown
	labels []string // words in brackets that are labels of notes
	asked  asked
}

// shown remembers what a job shows, for judging what comes back.
type shown struct {
	old, new Text
	oldCopy  string // empty when nothing is compared
	strict   bool   // known to tell notes from none by its exit code
	silent   bool   // known not to
}

// Exit is how the process of a job ended.
type Exit = process.Exit

// Foreground is the command that runs j with the terminal.
func (j *Job) Foreground(terminal *process.Terminal) *process.Foreground {
	return &process.Foreground{
		Terminal: terminal, Path: j.Path, Args: j.Args, Env: j.Env, Dir: j.Dir, Stderr: j.Stderr,
	}
}
