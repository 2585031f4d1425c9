//go:build unix

package reviewer

import (
	"os"
	"syscall"
)

// terminate asks a process to end.
func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }

// signals are those that end a review without a result.
var signals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// signalCode is the exit code of a review that a signal ended.
func signalCode(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return exitError
}
