// Package storetest breaks the store on purpose: it counts the steps of an
// operation and makes it fail, or end as by a crash, at each of them.
package storetest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"testing"

	"planmode/store"
)

// Kind is a way to fail.
type Kind string

// The kinds of fault.
const (
	Fails   Kind = "fails"           // the step has no effect, the program goes on
	Applied Kind = "fails after all" // it has an effect, or half of one, and is reported as failed
	Crash   Kind = "crashes before"  // nothing takes effect from the step on
	Late    Kind = "crashes after"   // the step takes effect, half of it for a write, and nothing after
)

// The kinds that end the process for real, for a test that runs itself as a child.
const (
	Kill     Kind = "is killed before" // SIGKILL, and the step does not happen
	KillLate Kind = "is killed after"  // the step, or half of a write, happens first
)

// Kinds are those that a test can go on after.
var Kinds = []Kind{Fails, Applied, Crash, Late}

// ErrCrash is what steps after a simulated crash return. Nothing acts on it but
// the test.
var ErrCrash = errors.New("the process is gone")

// Rig is a probe that fails at one step. The zero value only counts.
type Rig struct {
	At   int // the step to fail at, from 1; 0 for none
	Last int // the last step that fails; At if it is less
	Kind Kind
	Err  error // ENOSPC if nil

	mu    sync.Mutex
	steps []store.Step
}

// Probe implements store.Probe.
func (r *Rig) Probe(s store.Step) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, s)
	err := r.Err
	if err == nil {
		err = syscall.ENOSPC
	}
	n := len(r.steps)
	after := n > max(r.At, r.Last)
	switch {
	case r.At == 0 || n < r.At:
		return nil
	case n > r.At && (r.Kind == Crash || r.Kind == Late):
		return ErrCrash
	case r.Kind == Kill || r.Kind == KillLate && after:
		kill()
	case after:
		return nil
	case r.Kind == Applied:
		return &store.AppliedError{Err: err}
	case r.Kind == Late, r.Kind == KillLate:
		return &store.AppliedError{Err: ErrCrash}
	case r.Kind == Crash:
		return ErrCrash
	}
	return err
}

// kill ends this process as a power button would end the machine: nothing that
// is deferred runs.
func kill() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {}
}

// Steps are the steps so far.
func (r *Rig) Steps() []store.Step {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]store.Step(nil), r.steps...)
}

// Each counts the steps of run once and then runs it again, in a subtest each,
// for every kind of fault at every step. Every run must begin with the same
// state and use the rig as the probe of its store.
func Each(t *testing.T, run func(t *testing.T, rig *Rig)) {
	t.Helper()
	count := &Rig{}
	t.Run("without a fault", func(t *testing.T) { run(t, count) })
	steps := count.Steps()
	if len(steps) == 0 {
		t.Fatal("no step was seen: the rig is not the probe of the store")
	}
	for _, kind := range Kinds {
		for i, step := range steps {
			t.Run(fmt.Sprintf("%s %s at step %d", step.Op, kind, i+1), func(t *testing.T) {
				run(t, &Rig{At: i + 1, Kind: kind, Err: map[bool]error{true: syscall.EIO}[step.Op == store.OpSync]})
			})
		}
	}
}

// Random is a reader of bytes that are the same in every run and never repeat
// within one. It is safe for concurrent use.
type Random struct {
	mu sync.Mutex
	n  uint64
}

var _ io.Reader = (*Random)(nil)

// Read implements io.Reader.
func (r *Random) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	n := r.n
	for i := range b {
		b[i] = byte(n)
		n >>= 8
	}
	return len(b), nil
}
