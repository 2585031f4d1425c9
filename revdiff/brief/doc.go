// Package brief is what planmode and its own reviewer tell each other through
// files in the private directory of a review, besides the flags, the notes and
// the exit codes that they share with revdiff: a Brief goes to the reviewer, a
// Draft is what it keeps while the person writes, and an Outcome comes back.
//
// The files are private, but whoever reads one checks it: a file that is too
// large, of another version or about other bytes is an error, never a decision.
// The package does no I/O.
package brief
