package gate

// The exit codes of a gate. They follow grep: yes, no, and the gate itself broke. A
// mistyped path must never look like a rejection, and never like an approval.
const (
	ExitYes         = 0
	ExitNo          = 1 // only with Strict.RequireApproval
	ExitFailed      = 1 // a gate that could not start, without strict options
	ExitBroken      = 2 // the same with strict options, and every mistake in them
	ExitInterrupted = 130
	ExitTerminated  = 143
)

// Strict are the options that make a gate fail closed.
type Strict struct {
	RequireApproval bool
	ResultFile      string // empty: none
}

// On says whether either option was given.
func (s Strict) On() bool { return s.RequireApproval || s.ResultFile != "" }

// Code is the exit code of a gate that ended with o.
func (s Strict) Code(o Outcome) int {
	if s.RequireApproval && (!o.Approved || o.Exit) {
		return ExitNo
	}
	return ExitYes
}

// Failure is the exit code of a gate that could not start or could not answer.
func (s Strict) Failure() int {
	if s.On() {
		return ExitBroken
	}
	return ExitFailed
}
