package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"planmode/plan/pull"
)

// lockFile says by a lock of the kernel that the run of a folder lives.
const lockFile = "lock"

// Bounds of taking a lock: somebody who only looks holds it for a moment.
const (
	lockPatience = time.Second
	lockRetry    = 10 * time.Millisecond
)

// ErrRunning reports that a run lives: its folder is not for others, and no second one
// starts beside it, since each would take the file of the other for a change of its own.
var ErrRunning = errors.New("another review runs here")

// Lock holds the folder until Clean or the end of the process, however that comes.
func (f *Folder) Lock(ctx context.Context) error {
	if err := f.Create(lockFile, nil); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := f.root.Lstat(lockFile)
	if err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("lock %s: %w", f.name, errors.Join(err, fs.ErrInvalid))
	}
	file := flock.New(filepath.Join(f.w.dir, filepath.FromSlash(f.name), lockFile))
	ctx, stop := context.WithTimeout(ctx, lockPatience)
	defer stop()
	if got, err := file.TryLockContext(ctx, lockRetry); err != nil || !got {
		_ = file.Close()
		if errors.Is(err, context.DeadlineExceeded) || err == nil {
			return fmt.Errorf("lock %s: %w", f.name, ErrRunning)
		}
		return fmt.Errorf("lock %s: %w", f.name, err)
	}
	f.held = file
	return nil
}

// Unlock lets the folder go.
func (f *Folder) Unlock() {
	if f.held != nil {
		_ = f.held.Close()
		f.held = nil
	}
}

// Running names the runs in this folder whose process lives.
func (w *Workspace) Running() ([]string, error) {
	if err := w.realFolders(handoffs); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(w.root.FS(), handoffs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list %s: %w", handoffs, err)
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && checkID(e.Name()) == nil && w.lives(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

func (w *Workspace) lives(id string) bool {
	name := path.Join(handoffs, id, lockFile)
	if info, err := w.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file := flock.New(filepath.Join(w.dir, filepath.FromSlash(name)))
	got, err := file.TryRLock()
	_ = file.Close()
	return err == nil && !got
}

// leftovers says what runs that were killed may have posted. They are evidence and are
// never taken up again.
func (w *Workspace) leftovers() []string {
	paths, err := w.Leftover()
	if err != nil {
		return []string{"what earlier runs left cannot be listed: " + err.Error()}
	}
	var out []string
	for _, p := range paths {
		if id := path.Base(path.Dir(p)); !w.lives(id) {
			out = append(out, "an earlier run did not end: "+p+" "+w.leftover(p)+"; look there, then remove its folder")
		}
	}
	return out
}

func (w *Workspace) leftover(name string) string {
	data, err := readRegular(w.root, name, MaxPayload)
	if err != nil {
		return "cannot be read"
	}
	r, err := pull.ReadReceipts(data)
	if err != nil {
		return "holds no whole receipts"
	}
	what := map[string]string{
		"posted": "says that all of it was posted", "partial": "says that a part was posted", "failed": "says that nothing was posted",
		"skipped": "says that nothing was sent yet", "uncertain": "says that something may have been posted",
	}[r.Posting()]
	return what + " on " + r.URL
}
