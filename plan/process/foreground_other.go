//go:build !linux && !darwin

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

const noFollow = 0

// Run gives the child the console and waits for its end. The error repeats
// Exit().Err: a child that ran and ended, in whatever way, is no error.
func (f *Foreground) Run() error {
	if err := f.begin(); err != nil {
		return err
	}
	start := time.Now()
	cmd, err := f.start()
	if err == nil {
		err = cmd.Wait()
	}
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		err = nil
	}
	f.mu.Lock()
	f.exit.Elapsed, f.exit.Err, f.exit.ByUs = time.Since(start), err, f.stopped
	if cmd != nil && cmd.ProcessState != nil {
		f.exit.Code = cmd.ProcessState.ExitCode()
	}
	f.pid, f.ended = 0, true
	close(f.done)
	f.mu.Unlock()
	_ = f.Terminal.Restore()
	return err
}

func (f *Foreground) start() (*exec.Cmd, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stopped {
		return nil, fmt.Errorf("run %s: stopped before it started", f.Path)
	}
	stderr, err := f.openStderr()
	if err != nil {
		return nil, err
	}
	defer func() { _ = stderr.Close() }()
	cmd := exec.Command(f.Path, f.Args...)
	cmd.Env, cmd.Dir = f.Env, f.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f.Terminal.in, f.Terminal.out, stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run %s: %w", f.Path, err)
	}
	f.exit.Started = true
	f.pid = cmd.Process.Pid
	return cmd, nil
}

// Stop ends the child at once: there is no gentler way here.
func (f *Foreground) Stop() {
	f.mu.Lock()
	f.stopped = f.stopped || !f.ended
	pid, done := f.pid, f.done
	f.mu.Unlock()
	if pid == 0 {
		return
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
	<-done
}
