//go:build race

package tuitest

// Patience is how many times longer everything may take: a program under the race
// detector is several times slower.
const Patience = 4
