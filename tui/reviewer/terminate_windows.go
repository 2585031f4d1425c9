//go:build windows

package reviewer

import "os"

// terminate ends a process; there is no way to ask.
func terminate(p *os.Process) { _ = p.Kill() }

// signals are those that end a review without a result.
var signals = []os.Signal{os.Interrupt}

// lost says that err means that the terminal is gone, which is not told here.
func lost(error) os.Signal { return nil }

// signalCode is the exit code of a review that a signal ended.
func signalCode(os.Signal) int { return exitLeft }
