package store

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockName  = ".lock"
	lockRetry = 5 * time.Millisecond
	lockLimit = 4 << 10
	signWidth = 400 // a host name has 253 characters at most

	// peekGrace is how long the lock of a session is awaited: somebody who only
	// looks who holds it has it for a moment, and is no reason to be refused.
	peekGrace = 50 * time.Millisecond
)

// heldLock is a lock that this process holds until release. The kernel lets go
// of it when the process ends, however that happens; the file stays.
type heldLock struct{ file *flock.Flock }

func (l *heldLock) release() { _ = l.file.Close() }

// lock takes the kernel lock on the file name in d, waiting at most wait. The
// holder writes who it is into the file, so that the loser, who gets a
// *HeldError, can say it. What names the plan or session in that error.
func (d *dir) lock(name, what string, wait time.Duration, now time.Time) (*heldLock, error) {
	if have, err := d.stat(name); err == nil && !have.mode.IsRegular() {
		return nil, fmt.Errorf("lock %s: %w", d.join(name), ErrSymlink)
	}
	file := flock.New(d.join(name), flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(fileMode))
	got := false
	err := d.do(OpLock, name, func() (err error) {
		if got, err = file.TryLock(); got || err != nil || wait <= 0 {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		defer cancel()
		if got, err = file.TryLockContext(ctx, lockRetry); err == ctx.Err() {
			return nil
		}
		return err
	})
	if err == nil && !got {
		err = &HeldError{Holder: d.holder(name), What: what}
	} else if err != nil {
		err = fmt.Errorf("lock %s: %w", d.join(name), err)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	d.sign(name, now)
	return &heldLock{file}, nil
}

// sign writes who holds the lock. It is information only: a full disk must not
// keep anybody from taking a lock, so errors are ignored. The width is fixed
// because cutting the file first makes some file systems flush it on close.
func (d *dir) sign(name string, now time.Time) {
	host, _ := os.Hostname()
	b, err := json.Marshal(Holder{os.Getpid(), host, now.UTC()})
	if err != nil {
		return
	}
	f, err := d.openFile(name, os.O_WRONLY)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteAt(fmt.Appendf(nil, "%-*s\n", signWidth, b), 0)
}

// holder reads who holds the lock; the zero Holder if that is not to be known.
func (d *dir) holder(name string) Holder {
	var h Holder
	b, err := d.readFile(name, lockLimit)
	if err != nil || json.Unmarshal(b, &h) != nil {
		return Holder{}
	}
	return h
}

// peek says whether someone holds the lock, without waiting or taking it over.
func (d *dir) peek(name string) (Holder, bool) {
	if have, err := d.stat(name); err != nil || !have.mode.IsRegular() {
		return Holder{}, false
	}
	file := flock.New(d.join(name), flock.SetFlag(os.O_RDWR|noFollow), flock.SetPermissions(fileMode))
	defer file.Close()
	if got, err := file.TryRLock(); got || err != nil {
		return Holder{}, false
	}
	return d.holder(name), true
}
