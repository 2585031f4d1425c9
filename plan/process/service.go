package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Service is a child that runs beside us without a terminal and is spoken to over
// its standard input and output. What it complains about on standard error is kept
// in part, for the person.
type Service struct {
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	errs   *streams
	exited chan struct{}
}

// serviceGrace is how long a service gets to end by itself once its input is
// closed, before its group is told to.
const serviceGrace = time.Second

// Serve starts the command as a service. Timeout, Split and Output of c mean
// nothing here; Limit bounds what is kept of standard error. The caller closes it.
func Serve(c Command) (*Service, error) {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	separate(cmd)
	s, theirs, err := newService(cmd, c)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	err = cmd.Start()
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		s.in.Close()
		s.out.Close()
		s.errs.abandon()
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	s.errs.read(c.Path)
	Go("wait for "+c.Path, func() {
		// How it ended is of no use here: that it ended is.
		_ = cmd.Wait()
		close(s.exited)
	})
	return s, nil
}

// newService connects the three streams. theirs are the ends the child inherits.
func newService(cmd *exec.Cmd, c Command) (*Service, []*os.File, error) {
	errs, err := connect(cmd, Command{Limit: c.Limit})
	if err != nil {
		return nil, nil, err
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		errs.abandon()
		return nil, nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		childIn.Close()
		in.Close()
		errs.abandon()
		return nil, nil, err
	}
	cmd.Stdin, cmd.Stdout = childIn, childOut
	return &Service{cmd: cmd, in: in, out: out, errs: errs, exited: make(chan struct{})}, []*os.File{childIn, childOut}, nil
}

// Input is the service's standard input.
func (s *Service) Input() io.WriteCloser { return s.in }

// Output is the service's standard output.
func (s *Service) Output() io.ReadCloser { return s.out }

// Done is closed once the service has ended.
func (s *Service) Done() <-chan struct{} { return s.exited }

// Complaint is the last line the service wrote to standard error, as it was found.
func (s *Service) Complaint() string {
	head, tail, _ := s.errs.out.kept()
	lines := strings.Split(strings.TrimSpace(string(append(head, tail...))), "\n")
	return lines[len(lines)-1]
}

// Close ends the service: its input is closed, then its whole group is asked, then
// made to end. It returns when the child is gone, within a few seconds.
func (s *Service) Close() {
	s.in.Close()
	if !s.await(serviceGrace) {
		terminateGroup(s.cmd.Process)
		if !s.await(killGrace) {
			killGroup(s.cmd.Process)
			<-s.exited
		}
	}
	sweep(s.cmd.Process)
	s.out.Close()
	s.errs.wait(drainGrace)
	s.errs.close()
}

func (s *Service) await(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.exited:
		return true
	case <-timer.C:
		return false
	}
}
