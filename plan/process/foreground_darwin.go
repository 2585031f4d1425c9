package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// endWithParent does nothing: this system does not tell a child that its parent
// was killed. It learns it from the terminal, at its next read.
func endWithParent(*syscall.SysProcAttr) {}

// change waits until the child stops or ends. This system has no reliable way to
// learn of an end without collecting it, so a signal sent in the same instant
// goes nowhere.
func (f *Foreground) change(pid int) (unix.WaitStatus, error) {
	var status unix.WaitStatus
	err := interrupted(func() error {
		_, err := unix.Wait4(pid, &status, unix.WUNTRACED, nil)
		return err
	})
	return status, err
}
