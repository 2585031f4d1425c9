package run

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// MaxPayload is the size of the largest payload that is read.
const MaxPayload = 1 << 20

// Receipts and temporary are the files of a run folder that are not payloads.
const (
	Receipts  = "receipts.json"
	temporary = "render.tmp"
)

var idForm = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}$`)

// NewID names a run: its time and some chance.
func NewID(now time.Time) string {
	var b [4]byte
	rand.Read(b[:])
	return now.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(b[:])
}

func checkID(id string) error {
	if !idForm.MatchString(id) {
		return fmt.Errorf("%q is no id of a run", id)
	}
	return nil
}

// Folder is the run folder. Everything it makes it remembers, and at the end only
// that is removed.
type Folder struct {
	w    *Workspace
	id   string
	name string // relative to the workspace
	root *os.Root
	held *flock.Flock

	mu    sync.Mutex
	files []string          // made by this run
	kept  []string          // made by it too, and to stay when it ends
	sums  map[string]string // of those that Write wrote
}

// Make makes the run folder, which must be new. The ignore proof comes before.
func (w *Workspace) Make(id string) (*Folder, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	name := path.Join(handoffs, id)
	for _, p := range []string{path.Dir(handoffs), handoffs} {
		if err := w.root.Mkdir(p, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("make the folder %s: %w", p, err)
		}
	}
	if err := w.realFolders(handoffs); err != nil {
		return nil, err
	}
	if err := w.root.Mkdir(name, 0o700); err != nil {
		return nil, fmt.Errorf("make the run folder %s: %w", name, err)
	}
	if err := w.realFolders(name); err != nil {
		return nil, err
	}
	// What the receipts in it say has to outlive a power failure.
	for p := handoffs; ; p = path.Dir(p) {
		if err := w.syncFolder(w.root, p); err != nil {
			return nil, fmt.Errorf("make the run folder %s durable: %w", name, err)
		}
		if p == "." {
			break
		}
	}
	root, err := w.root.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("open the run folder %s: %w", name, err)
	}
	return &Folder{w: w, id: id, name: name, root: root, sums: map[string]string{}}, nil
}

// OpenFolder opens the folder of a run by its path in the workspace, for a command
// that works on one step of it. Nothing in it counts as made by the caller.
func (w *Workspace) OpenFolder(name string) (*Folder, error) {
	clean := path.Clean(name)
	if path.Dir(clean) != handoffs || checkID(path.Base(clean)) != nil {
		return nil, fmt.Errorf("%s is no run folder: it has to be %s/<id>", name, handoffs)
	}
	if err := w.realFolders(clean); err != nil {
		return nil, err
	}
	root, err := w.root.OpenRoot(clean)
	if err != nil {
		return nil, fmt.Errorf("open the run folder %s: %w", clean, err)
	}
	return &Folder{w: w, id: path.Base(clean), name: clean, root: root, sums: map[string]string{}}, nil
}

// ID is the id of the run; Name its folder relative to the workspace.
func (f *Folder) ID() string { return f.id }

// Name is the path of the folder relative to the workspace.
func (f *Folder) Name() string { return f.name }

// Write makes or replaces one file of the run, whole and durable.
func (f *Folder) Write(name string, data []byte) error {
	if path.Base(name) != name || name == "." || name == ".." {
		return fmt.Errorf("%q is no file of a run folder", name)
	}
	temp := name + ".tmp"
	if name == temporary {
		temp = name
	}
	f.record(temp)
	if err := f.root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s/%s: %w", f.name, name, err)
	}
	if err := writeNew(f.root, temp, data, 0o600); err != nil {
		return fmt.Errorf("write %s/%s: %w", f.name, name, err)
	}
	if temp == name {
		return nil
	}
	f.record(name)
	f.mu.Lock()
	f.sums[name] = Sum(data)
	f.mu.Unlock()
	if err := f.root.Rename(temp, name); err != nil {
		return fmt.Errorf("write %s/%s: %w", f.name, name, err)
	}
	return f.w.syncFolder(f.root, ".")
}

// Read reads one file of the run: a regular file, no larger than a payload may be.
func (f *Folder) Read(name string) ([]byte, error) {
	data, err := readRegular(f.root, name, MaxPayload)
	if err != nil {
		return nil, fmt.Errorf("read %s/%s: %w", f.name, name, err)
	}
	f.mu.Lock()
	was := f.sums[name]
	f.mu.Unlock()
	if was != "" && was != Sum(data) {
		return nil, fmt.Errorf("read %s/%s: somebody else changed it", f.name, name)
	}
	return data, nil
}

func (f *Folder) record(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.files, name) {
		f.files = append(f.files, name)
	}
}

// Keep takes a file out of what Clean removes.
func (f *Folder) Keep(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files = slices.DeleteFunc(f.files, func(n string) bool { return n == name })
	f.kept = append(f.kept, name)
}

// Clean removes what the run made, then the folder if nothing else is in it. It
// returns what stayed: files of others, and what was to be kept.
func (f *Folder) Clean() ([]string, error) {
	f.mu.Lock()
	files := slices.Clone(f.files)
	f.mu.Unlock()
	f.Unlock()
	var errs []error
	for _, name := range files {
		if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	left, err := f.names()
	if err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	f.root.Close()
	if len(left) == 0 {
		if err := f.w.root.Remove(f.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		// The folders above stay while another run uses them: removing fails then.
		_ = f.w.root.Remove(handoffs)
		_ = f.w.root.Remove(path.Dir(handoffs))
	}
	return left, errors.Join(errs...)
}

// Stray names what is in the folder and was not made by the run, or is not any more
// what the run wrote.
func (f *Folder) Stray() ([]string, error) {
	all, err := f.names()
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	files, sums := slices.Concat(f.files, f.kept), maps.Clone(f.sums)
	f.mu.Unlock()
	return slices.DeleteFunc(all, func(n string) bool {
		if was := sums[n]; was != "" {
			data, err := readRegular(f.root, n, MaxPayload)
			return err == nil && Sum(data) == was
		}
		return slices.Contains(files, n)
	}), nil
}

func (f *Folder) names() ([]string, error) {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", f.name, err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out, nil
}

// Leftover names the run folders that hold receipts of a run that did not end. They
// are evidence of what may have been posted and are never taken up again.
func (w *Workspace) Leftover() ([]string, error) {
	if err := w.realFolders(handoffs); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(w.root.FS(), handoffs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", handoffs, err)
	}
	var out []string
	for _, e := range entries {
		p := path.Join(handoffs, e.Name(), Receipts)
		if checkID(e.Name()) != nil || !e.IsDir() {
			continue
		}
		if _, err := w.root.Lstat(p); err == nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// writeNew makes a file that must not exist and waits until the disk has it. After
// an error nothing of it stays.
func writeNew(root *os.Root, name string, data []byte, mode fs.FileMode) (err error) {
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			root.Remove(name)
		}
	}()
	if _, err = file.Write(data); err != nil {
		return err
	}
	return file.Sync()
}

// readRegular reads a file that is no link, pipe or folder and not over the limit.
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%d bytes, more than the %d that are allowed", info.Size(), limit)
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, opened) {
		return nil, errors.New("replaced while it was opened")
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("more than the %d bytes that are allowed", limit)
	}
	return data, err
}

// syncFolder waits until the disk has the names in a folder. A file system that cannot
// do that at all is no error, since there is nothing else to be done on it.
func (w *Workspace) syncFolder(root *os.Root, name string) error {
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	err = w.syncDir(d)
	if runtime.GOOS == "windows" || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
