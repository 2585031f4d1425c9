//go:build unix && race

package main_test

// buildFlags build the program that the end-to-end tests drive: under the race
// detector when they are.
var buildFlags = []string{"-race"}
