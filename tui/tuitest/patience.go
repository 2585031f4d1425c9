//go:build !race

package tuitest

// Patience is how many times longer everything may take than usual.
const Patience = 1
