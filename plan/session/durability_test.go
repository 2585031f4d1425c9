package session

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"planmode/store/storetest"
)

// The long run is `just soak`; an ordinary one takes a few seconds.
var (
	rigRuns = flag.Int("rig.runs", 60, "seeded runs of the durability rig, over all its ways to break")
	rigSeed = flag.Uint64("rig.seed", 1, "seed of the first run")
)

// TestMain lets the test binary stand in for a planmode that is killed.
func TestMain(m *testing.M) {
	if task := os.Getenv("RIG_TASK"); task != "" {
		os.Exit(killed(task))
	}
	os.Exit(m.Run())
}

// task is what a child is to live through.
type task struct {
	Base string
	Seed uint64
	At   int
	Kind storetest.Kind
}

// killed lives in a world until the rig kills it, and tells what it could have
// shown. What it told before the kill is in the pipe.
func killed(text string) int {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	rig := &storetest.Rig{At: t.At, Kind: t.Kind}
	w := newWorld(t.Base, t.Seed, rig.Probe, func(f fact) {
		b, err := json.Marshal(f)
		if err == nil {
			_, err = os.Stdout.Write(append(b, '\n'))
		}
		if err != nil {
			panic(err)
		}
	})
	if err := w.live(); err != nil && !errors.Is(err, storetest.ErrCrash) {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// runs calls run with the seeds that fall to one of the three ways to break.
func runs(t *testing.T, way int, run func(t *testing.T, seed uint64)) {
	t.Helper()
	if testing.Short() {
		*rigRuns = min(*rigRuns, 30)
	}
	next := make(chan uint64)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for seed := range next {
				run(t, seed)
			}
		})
	}
	for n := way; n < *rigRuns && !t.Failed(); n += 3 {
		next <- *rigSeed + uint64(n)
	}
	close(next)
	workers.Wait()
}

// place makes a furnished directory that is gone when the run is over.
func place(t *testing.T) (base string, done func()) {
	base, err := os.MkdirTemp(t.TempDir(), "world")
	if err == nil {
		err = furnish(base)
	}
	if err != nil {
		t.Fatal(err)
	}
	return base, func() { _ = os.RemoveAll(base) }
}

// length is how many steps the world of a seed takes when nothing breaks.
func length(t *testing.T, seed uint64) int {
	base, done := place(t)
	defer done()
	rig := &storetest.Rig{}
	if err := newWorld(base, seed, rig.Probe, func(fact) {}).live(); err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	return len(rig.Steps())
}

func TestNothingIsLostWhenTheProcessIsKilled(t *testing.T) {
	runs(t, 0, func(t *testing.T, seed uint64) {
		base, done := place(t)
		defer done()
		chance := seeded(seed ^ 0xbad)
		kinds := []storetest.Kind{storetest.Kill, storetest.KillLate}
		k := task{base, seed, 1 + chance.IntN(max(length(t, seed), 1)), kinds[chance.IntN(2)]}
		b, _ := json.Marshal(k)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "RIG_TASK="+string(b))
		var complaint strings.Builder
		cmd.Stderr = &complaint
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Error(err)
			return
		}
		var facts []fact
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var f fact
			if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
				t.Errorf("seed %d: the child said %q", seed, lines.Text())
			}
			facts = append(facts, f)
		}
		_ = cmd.Wait() // killed, as a rule
		if complaint.Len() > 0 {
			t.Errorf("seed %d: the child said %s", seed, complaint.String())
		}
		if err := examine(base, facts, false); err != nil {
			t.Errorf("seed %d, %s step %d: %v", seed, k.Kind, k.At, err)
		}
	})
}

func TestNothingIsLostWhenTheDiskFails(t *testing.T) {
	errs := []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS}
	runs(t, 1, func(t *testing.T, seed uint64) {
		base, done := place(t)
		defer done()
		chance := seeded(seed ^ 0xbad)
		n := length(t, seed)
		rig := &storetest.Rig{At: 1 + chance.IntN(max(n, 1)), Err: errs[chance.IntN(len(errs))], Kind: storetest.Kinds[chance.IntN(2)]}
		rig.Last = rig.At + []int{0, 0, 3, n}[chance.IntN(4)]
		var facts []fact
		w := newWorld(base, seed, rig.Probe, func(f fact) { facts = append(facts, f) })
		_ = w.live() // a store that does not open is no loss
		if err := examine(base, facts, false); err != nil {
			t.Errorf("seed %d, %v (%s) at steps %d to %d: %v", seed, rig.Err, rig.Kind, rig.At, rig.Last, err)
		}
	})
}

func TestNothingSyncedIsLostInAPowerFailure(t *testing.T) {
	runs(t, 2, func(t *testing.T, seed uint64) {
		base, done := place(t)
		defer done()
		disk, err := storetest.NewDisk(base)
		if err != nil {
			t.Error(err)
			return
		}
		var facts []fact
		w := newWorld(base, seed, disk.Probe, func(f fact) {
			f.Step = disk.Len()
			facts = append(facts, f)
		})
		if err := w.live(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		chance := seeded(seed ^ 0xbad)
		n := chance.IntN(disk.Len() + 1)
		var known []fact
		for _, f := range facts {
			if f.Step <= n {
				known = append(known, f)
			}
		}
		after := filepath.Join(base, "after")
		err = disk.Cut(n, chance, after)
		if err == nil {
			err = os.MkdirAll(filepath.Join(after, "work"), 0o700)
		}
		if err == nil {
			err = examine(after, known, true)
		}
		if err != nil {
			t.Errorf("seed %d, after %d steps: %v", seed, n, err)
		}
	})
}
