//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// separate gives the child a session of its own: no controlling terminal to
// read passwords from or to draw on, and one process group to stop.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// The group has the id of the child and outlives it while any member lives, so
// the id cannot have been given to a stranger; no member left is no error here.

func terminateGroup(p *os.Process) { _ = unix.Kill(-p.Pid, unix.SIGTERM) }

func killGroup(p *os.Process) { _ = unix.Kill(-p.Pid, unix.SIGKILL) }

// sweep ends what an ended child left behind in its group.
func sweep(p *os.Process) { killGroup(p) }

func signalName(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}
