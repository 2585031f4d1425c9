//go:build linux || darwin

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const noFollow = unix.O_NOFOLLOW

// Run hands the terminal to the child, waits for its end and takes the terminal
// back. The error repeats Exit().Err: a child that ran and ended, in whatever
// way, is no error. SIGHUP and SIGTERM that reach planmode meanwhile stop it.
func (f *Foreground) Run() error {
	if err := f.begin(); err != nil {
		return err
	}
	defer holdTTOU()()
	// To the kernel the parent of the child is this thread, not the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	forget := f.watchSignals()
	defer forget()

	start := time.Now()
	pid, err := f.start()
	var status unix.WaitStatus
	if err == nil {
		status, err = f.wait(pid)
	}
	f.finish(pid, status, err, time.Since(start))
	f.reclaim()
	if exit := f.Exit(); exit.broken() && !exit.Lost {
		// Only the picture is at stake.
		_, _ = unix.Write(int(f.Terminal.file.Fd()), []byte(pictureResets))
	}
	return f.Exit().Err
}

// start runs the child, unless Stop came first. The lock is held over the start
// so that Stop finds either no child or its number.
func (f *Foreground) start() (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stopped {
		return 0, fmt.Errorf("run %s: stopped before it started", f.Path)
	}
	stderr, err := f.openStderr()
	if err != nil {
		return 0, err
	}
	defer func() { _ = stderr.Close() }()
	tty := f.Terminal.file
	cmd := exec.Command(f.Path, f.Args...)
	cmd.Env, cmd.Dir = f.Env, f.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: int(tty.Fd())}
	endWithParent(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("run %s: %w", f.Path, err)
	}
	f.exit.Started = true
	f.pid = cmd.Process.Pid
	// Waited for by number below, since a stop is news as well as an end.
	_ = cmd.Process.Release()
	return f.pid, nil
}

// pause between continuing a child and looking again keeps a child that is
// stopped over and over from taking a whole core.
const pause = 20 * time.Millisecond

// wait returns when the child has ended. A stopped child is continued: there is
// no shell here that could do it, and planmode would hang with it.
func (f *Foreground) wait(pid int) (unix.WaitStatus, error) {
	for {
		status, err := f.change(pid)
		if err != nil {
			return 0, fmt.Errorf("wait for %s: %w", f.Path, err)
		}
		if !status.Stopped() {
			return status, nil
		}
		if s := status.StopSignal(); s == unix.SIGTTIN || s == unix.SIGTTOU {
			_ = f.Terminal.take(pid)
		}
		f.signal(unix.SIGCONT)
		time.Sleep(pause)
	}
}

// finish records the end of the child and lets Stop return.
func (f *Foreground) finish(pid int, status unix.WaitStatus, err error, elapsed time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pid, f.ended = 0, true
	f.exit.Elapsed, f.exit.Err, f.exit.ByUs = elapsed, err, f.stopped
	if err == nil {
		f.exit.Code = status.ExitStatus()
	}
	if err == nil && status.Signaled() {
		f.exit.Signal = unix.SignalName(status.Signal())
		f.exit.Lost = status.Signal() == unix.SIGHUP && !f.stopped
	}
	if pid != 0 && (f.stopped || status.Signaled()) {
		// What the dead child left in its group would fight for the keyboard.
		_ = unix.Kill(-pid, unix.SIGHUP)
		_ = unix.Kill(-pid, unix.SIGCONT)
	}
	close(f.done)
}

// reclaim takes the terminal back. It runs also when the child could not be
// started: the group may have been made the foreground before that showed.
func (f *Foreground) reclaim() {
	err := f.Terminal.take(unix.Getpgrp())
	if rerr := f.Terminal.restore(); err == nil {
		err = rerr
	}
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if isLost(err) {
		f.exit.Lost = true
	}
	if f.exit.Err == nil {
		f.exit.Err = err
	}
}

// signal sends to the child's whole group, if there is one.
func (f *Foreground) signal(s unix.Signal) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pid != 0 {
		_ = unix.Kill(-f.pid, s)
	}
}

// Stop ends the child: TERM to its group, KILL when the grace is over. It
// returns when the child is gone, may be called from any goroutine and at any
// time, and before Run it keeps the child from starting.
func (f *Foreground) Stop() {
	f.mu.Lock()
	f.stopped = f.stopped || !f.ended
	running := f.pid != 0
	done := f.done
	f.mu.Unlock()
	if !running {
		return
	}
	f.signal(unix.SIGTERM)
	f.signal(unix.SIGCONT)
	timer := time.NewTimer(f.grace())
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		f.signal(unix.SIGKILL)
		<-done
	}
}

// watchSignals stops the child when planmode itself is told to end. A hang-up
// also means that there is no terminal to come back to.
func (f *Foreground) watchSignals() (forget func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, unix.SIGHUP, unix.SIGTERM)
	over := make(chan struct{})
	Go("watch signals for "+f.Path, func() {
		for {
			select {
			case <-over:
				return
			case s := <-signals:
				if s == unix.SIGHUP {
					f.mu.Lock()
					f.lost = true
					f.mu.Unlock()
				}
				f.Stop()
			}
		}
	})
	return func() {
		signal.Stop(signals)
		close(over)
	}
}

// interrupted runs a system call again for as long as a signal cut it short.
func interrupted(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
