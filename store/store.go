package store

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"planmode/plan"
	"planmode/plan/process"
)

// lockWait is how long an operation on a plan waits for another one to end.
const lockWait = 10 * time.Second

// Options are what the store takes from outside. The zero value is right for
// everything but tests.
type Options struct {
	Now    func() time.Time
	Random io.Reader
	// After calls f once after d, unless cancelled before.
	After func(d time.Duration, f func()) (cancel func())
	// Wait is how long to wait for the lock of a plan before giving up with a
	// *HeldError; 0 stands for ten seconds.
	Wait  time.Duration
	Probe Probe
}

func (o Options) filled() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.After == nil {
		o.After = func(d time.Duration, f func()) func() {
			t := time.AfterFunc(d, func() { process.Go("sync the session log", f) })
			return func() { t.Stop() }
		}
	}
	if o.Wait == 0 {
		o.Wait = lockWait
	}
	return o
}

// Store is the plans, sessions and drafts under one data directory. It is safe
// for concurrent use, also by several processes.
type Store struct {
	opt     Options
	dirs    Dirs
	data    *dir
	storage plan.Storage
	scratch string // removed on Close; empty for a persistent store

	draftsKept atomic.Bool // the folder of drafts is known to be durable
}

// Open opens the store in dirs and makes the data and state directories if they
// are missing.
func Open(dirs Dirs, o Options) (*Store, error) {
	s := &Store{opt: o.filled(), dirs: dirs, storage: plan.Persistent}
	if err := PrivateDir(dirs.State); err != nil {
		return nil, err
	}
	data, err := openRoot(dirs.Data, o.Probe)
	if err != nil {
		return nil, fmt.Errorf("open data directory: %w", err)
	}
	s.data = data
	return s, nil
}

// OpenTemporary opens an empty store of the same shape below the temporary
// directory. Close removes it.
func OpenTemporary(o Options) (*Store, error) {
	top, err := os.MkdirTemp("", "planmode-")
	if err != nil {
		return nil, fmt.Errorf("create temporary store: %w", err)
	}
	s, err := Open(below(top), o)
	if err != nil {
		_ = os.RemoveAll(top)
		return nil, err
	}
	s.storage, s.scratch = plan.Temporary, top
	return s, nil
}

// Dirs are the directories of the store.
func (s *Store) Dirs() Dirs { return s.dirs }

// Temporary says whether Close removes everything.
func (s *Store) Temporary() bool { return s.scratch != "" }

// Close releases the store, and removes it if it is temporary. Logs are closed
// on their own.
func (s *Store) Close() error {
	s.data.close()
	if s.scratch == "" {
		return nil
	}
	if err := os.RemoveAll(s.scratch); err != nil {
		return fmt.Errorf("remove temporary store: %w", err)
	}
	return nil
}

func (s *Store) now() plan.Time { return plan.Stamp(s.opt.Now()) }

func (s *Store) random(b []byte) error {
	if _, err := io.ReadFull(s.opt.Random, b); err != nil {
		return fmt.Errorf("read random bytes: %w", err)
	}
	return nil
}

// newSessionID makes the id of a session that begins now: its time and twelve
// random hex digits.
func (s *Store) newSessionID() (string, error) {
	var b [6]byte
	if err := s.random(b[:]); err != nil {
		return "", err
	}
	return s.opt.Now().UTC().Format("20060102T150405") + "-" + hex.EncodeToString(b[:]), nil
}
