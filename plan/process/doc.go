// Package process starts every child of planmode: in the foreground with the
// terminal, or in a session of its own without one.
package process
