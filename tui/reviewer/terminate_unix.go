//go:build unix

package reviewer

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// terminate asks a process to end.
func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }

// signals are those that end a review without a result.
var signals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// lost is the signal for a terminal that is gone, if that is what err means. It can
// be noticed before the signal itself arrives.
func lost(err error) os.Signal {
	if errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENOTTY) || errors.Is(err, io.EOF) {
		return syscall.SIGHUP
	}
	return nil
}

// signalCode is the exit code of a review that a signal ended.
func signalCode(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return exitError
}
