//go:build unix

package main_test

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkGate measures from the start of the process to the text in the reviewer.
func BenchmarkGate(b *testing.B) {
	w := newWorld(b)
	w.write("plan.md", gateText)
	var times spread
	for b.Loop() {
		begun := time.Now()
		g := w.gate("annotate", "plan.md", "--gate", "--json")
		g.WaitFor("Test it")
		times = append(times, time.Since(begun))
		g.signal(syscall.SIGTERM)
		g.ended(143)
	}
	report(b, "annotate on this terminal to its reviewer, median", "ms", times.median(), 100)
}
