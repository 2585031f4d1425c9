package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrTooLarge reports a work tree with too many files, or too slow a disk, to be
// fingerprinted.
var ErrTooLarge = errors.New("the work tree is too large to be fingerprinted")

// Limits of a fingerprint. It is taken beside other work and must stay cheap.
const (
	maxPrintFiles = 50_000
	maxPrintTime  = 2 * time.Second
	maxPrintDiff  = 1000
)

// Print is what a work tree looked like: path, size, time and mode of every file
// and directory but those of git. It tells that something changed, not who did it.
type Print struct {
	files map[string]stamp
}

type stamp struct {
	size int64
	time time.Time
	mode fs.FileMode
}

// Fingerprint looks at everything below dir, ignored files too, without reading
// contents or following links, and passes over the directories in skip, such as
// those that planmode itself writes. Beyond the limits it returns ErrTooLarge.
func Fingerprint(ctx context.Context, dir string, skip ...string) (Print, error) {
	limited, cancel := context.WithTimeout(ctx, maxPrintTime)
	defer cancel()
	p := Print{files: map[string]stamp{}}
	passed := map[string]bool{}
	for _, s := range skip {
		passed[settled(absolute(s))] = true
	}
	err := p.add(limited, settled(absolute(dir)), "", passed)
	switch {
	case ctx.Err() != nil:
		return Print{}, fmt.Errorf("fingerprint %s: %w", dir, ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return Print{}, fmt.Errorf("fingerprint %s: %w", dir, ErrTooLarge)
	case err != nil:
		return Print{}, fmt.Errorf("fingerprint %s: %w", dir, err)
	}
	return p, nil
}

func (p Print) add(ctx context.Context, dir, rel string, skip map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil && rel == "" {
		return err
	}
	for _, d := range entries {
		full := filepath.Join(dir, d.Name())
		if d.Name() == ".git" || skip[full] {
			continue
		}
		if len(p.files)%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		name := d.Name()
		if rel != "" {
			name = rel + "/" + name
		}
		info, err := d.Info()
		if err != nil {
			continue // gone meanwhile: the next print shows it
		}
		if len(p.files) == maxPrintFiles {
			return ErrTooLarge
		}
		s := stamp{info.Size(), info.ModTime(), info.Mode()}
		if d.IsDir() {
			// Size and time of a directory change with what is in it, which is
			// compared by itself.
			s.size, s.time = 0, time.Time{}
		}
		p.files[name] = s
		if d.IsDir() && !special(full) {
			if err := p.add(ctx, full, name, skip); err != nil {
				return err
			}
		}
	}
	return nil
}

// Diff names what was added, changed or removed from p to other, sorted, with
// slashes and at most 1000 paths. Directories that came or went stand for
// themselves only when nothing in them does.
func (p Print) Diff(other Print) []string {
	var out []string
	for name, now := range other.files {
		if was, ok := p.files[name]; !ok || !was.same(now) {
			out = append(out, name)
		}
	}
	for name := range p.files {
		if _, ok := other.files[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	dirs := map[string]bool{}
	for _, name := range out {
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			dirs[name[:at]] = true
		}
	}
	out = slices.DeleteFunc(out, func(name string) bool { return dirs[name] })
	return out[:min(len(out), maxPrintDiff)]
}

func (s stamp) same(o stamp) bool {
	return s.size == o.size && s.mode == o.mode && s.time.Equal(o.time)
}
