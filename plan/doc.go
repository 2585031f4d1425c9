// Package plan is the law of planmode: what a plan, a revision, a decision and
// the state of a branch are, and which event may follow which state.
//
// It is pure. Time, randomness and bytes are arguments; nothing here reads a
// clock, a file or the environment, so every rule can be tested as a table.
package plan
