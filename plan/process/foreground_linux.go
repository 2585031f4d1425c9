package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// endWithParent makes the kernel tell the child when planmode is killed. It then
// has the chance to save and to give the terminal back, which nobody else can.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }

// change waits until the child stops or ends. It is left a zombie until the lock
// is held, so that no signal of ours can reach another process that was given
// its number.
func (f *Foreground) change(pid int) (unix.WaitStatus, error) {
	for {
		err := interrupted(func() error {
			return unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WSTOPPED|unix.WNOWAIT, nil)
		})
		if err != nil {
			return 0, err
		}
		if status, changed, err := f.collect(pid); changed || err != nil {
			return status, err
		}
	}
}

func (f *Foreground) collect(pid int) (status unix.WaitStatus, changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var got int
	err = interrupted(func() (err error) {
		got, err = unix.Wait4(pid, &status, unix.WNOHANG|unix.WUNTRACED, nil)
		return err
	})
	if got == pid && !status.Stopped() {
		f.pid, f.ended = 0, true
	}
	return status, got == pid, err
}
