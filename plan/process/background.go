package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Command is a child that runs without a terminal: a session of its own, no
// input, and every process it leaves behind stopped when Run returns.
type Command struct {
	Path    string
	Args    []string // without the program's own name
	Dir     string
	Env     []string // the whole environment; nil gives the child none
	Timeout time.Duration
	Limit   int          // bytes of output kept, DefaultLimit if 0
	Split   bool         // keep standard error apart, in Result.Stderr
	Output  func([]byte) // sees the output as it comes, in order, from one goroutine
}

// DefaultLimit is how much output is kept when Command.Limit is not set.
const DefaultLimit = 256 << 10

// How long the processes of a child get between the polite signal and the
// final one, and how long output is awaited once the child itself has ended.
const (
	killGrace  = time.Second
	drainGrace = 300 * time.Millisecond
)

// Result says how a child ended. A child that was killed has a Signal and the
// Code -1. When there was more output than the limit, Output is its beginning, Tail
// its end, and Cut counts the bytes left out between them.
type Result struct {
	Output   []byte
	Tail     []byte
	Stderr   []byte // only when Command.Split
	Code     int
	Signal   string
	TimedOut bool
	Cut      int
	Elapsed  time.Duration
}

// Run starts the command and waits for its end, its timeout or the end of ctx,
// whichever is first. In every case the whole process group is gone, or has been
// sent the signal that nothing survives, before Run returns; a process that still
// holds the output open cannot delay that. The error is about starting the child,
// or the context's; a child that fails is no error.
func Run(ctx context.Context, c Command) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = c.Env
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	separate(cmd)

	streams, err := connect(cmd, c)
	if err != nil {
		return Result{}, fmt.Errorf("run %s: %w", c.Path, err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		streams.abandon()
		return Result{}, fmt.Errorf("run %s: %w", c.Path, err)
	}
	streams.read(c.Path)

	exited := make(chan error, 1)
	Go("wait for "+c.Path, func() { exited <- cmd.Wait() })

	var timeout <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	var res Result
	var cause, waited error
	select {
	case waited = <-exited:
		streams.wait(drainGrace)
	case <-timeout:
		res.TimedOut = true
		waited = stop(cmd, exited, streams)
	case <-ctx.Done():
		cause = ctx.Err()
		waited = stop(cmd, exited, streams)
	}
	sweep(cmd.Process)
	streams.wait(drainGrace)
	streams.close()

	res.Elapsed = time.Since(began)
	res.Output, res.Tail, res.Cut = streams.out.kept()
	if streams.err != nil {
		res.Stderr, _, _ = streams.err.kept()
	}
	res.Code, res.Signal = status(cmd, waited)
	return res, cause
}

// stop asks the group to end, and makes it after the grace. The child is often a
// shell that dies at once: what it ran still gets the grace, as long as it holds
// the output.
func stop(cmd *exec.Cmd, exited <-chan error, s *streams) error {
	terminateGroup(cmd.Process)
	timer := time.NewTimer(killGrace)
	defer timer.Stop()
	select {
	case err := <-exited:
		s.wait(killGrace)
		return err
	case <-timer.C:
		killGroup(cmd.Process)
		return <-exited
	}
}

func status(cmd *exec.Cmd, waited error) (int, string) {
	var exit *exec.ExitError
	if waited != nil && !errors.As(waited, &exit) {
		return -1, ""
	}
	return cmd.ProcessState.ExitCode(), signalName(cmd.ProcessState)
}

// streams are the pipes a child writes into. They are our own files, so that
// waiting for the child never means waiting for whoever inherited them.
type streams struct {
	ours, theirs []*os.File
	out, err     *sink
	done         sync.WaitGroup
}

func connect(cmd *exec.Cmd, c Command) (*streams, error) {
	limit := c.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	s := &streams{out: newSink(limit, c.Output)}
	pipe := func() (*os.File, error) {
		r, w, err := os.Pipe()
		if err != nil {
			s.abandon()
			return nil, err
		}
		s.ours, s.theirs = append(s.ours, r), append(s.theirs, w)
		return w, nil
	}
	w, err := pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = w, w
	if c.Split {
		s.err = newSink(limit, nil)
		if w, err = pipe(); err != nil {
			return nil, err
		}
		cmd.Stderr = w
	}
	return s, nil
}

// read starts to drain the pipes. The ends that the child got are closed here:
// the end of the last process that has them is then the end of the output.
func (s *streams) read(name string) {
	for _, w := range s.theirs {
		w.Close()
	}
	for i, r := range s.ours {
		to := s.out
		if i == 1 {
			to = s.err
		}
		s.done.Add(1)
		Go("read output of "+name, func() {
			defer s.done.Done()
			// A failing read is the end of the output, whatever the reason.
			_, _ = io.Copy(to, r)
		})
	}
}

// wait waits for the end of the output, but not longer than d.
func (s *streams) wait(d time.Duration) {
	ended := make(chan struct{})
	Go("await output", func() { s.done.Wait(); close(ended) })
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
}

// close ends the reading; the sinks take nothing after it.
func (s *streams) close() {
	s.out.shut()
	if s.err != nil {
		s.err.shut()
	}
	for _, r := range s.ours {
		r.Close()
	}
}

func (s *streams) abandon() {
	for _, f := range append(s.ours, s.theirs...) {
		f.Close()
	}
}
