//go:build linux || darwin

package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// Watcher tells whether the program that started this one still waits for its output.
type Watcher struct{ parent int }

// WatchCaller remembers who started this process.
func WatchCaller() Watcher { return Watcher{os.Getppid()} }

// Gone says that the caller has ended, or that nobody reads standard output any more.
// It writes nothing to find out.
func (w Watcher) Gone() bool {
	if os.Getppid() != w.parent {
		return true
	}
	fds := []unix.PollFd{{Fd: int32(os.Stdout.Fd())}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLERR != 0
}
