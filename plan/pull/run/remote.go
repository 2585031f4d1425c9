package run

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"planmode/plan/git"
	"planmode/plan/pull"
)

// Bounds of what is kept of files that were read over the network.
const keptFiles = 64 << 20

// Hub is where a pull request is read. It only reads.
type Hub interface {
	Collect(ctx context.Context, ref pull.Ref, now time.Time) (Collected, error)
	Live(ctx context.Context, ref pull.Ref) (Live, error)
	File(ctx context.Context, ref pull.Ref, path, revision string) ([]byte, error)
}

// Collected is what is known of a pull request before a role looks at it.
type Collected struct {
	Context     pull.Context
	Description string
	Discussions []pull.Exchange
	Patches     map[string]string // by path, from the first hunk on
}

// Live is where a pull request stands now.
type Live struct{ State, Base, BaseSHA, HeadSHA string }

// Remote is a pull request as a source. Its files come from the repository of the
// workspace when that holds both commits, else from the hub; its patches only ever from
// the hub, since a remark may stand only where the hub shows a line.
type Remote struct {
	Ref pull.Ref

	hub   Hub
	w     *Workspace
	got   Collected
	local *Range // both commits as they are here; nil if one is missing

	mu   sync.Mutex
	kept map[string][]byte
	size int
}

var _ Source = (*Remote)(nil)

// Pull is the pull request as a source. Nothing is read yet.
func (w *Workspace) Pull(ref pull.Ref, hub Hub) *Remote {
	return &Remote{Ref: ref, hub: hub, w: w, kept: map[string][]byte{}}
}

// Facts implements Source.
func (r *Remote) Facts(ctx context.Context, now time.Time) (pull.Context, string, error) {
	got, err := r.hub.Collect(ctx, r.Ref, now)
	if err != nil {
		return pull.Context{}, "", err
	}
	pr, pins := got.Context.PR, got.Context.Pins
	named := pull.Ref{Owner: pr.Owner, Repo: pr.Repo, Number: int(pr.Number)}
	if named != r.Ref {
		return pull.Context{}, "", fmt.Errorf("%s answers as %s: name it as it is called now", r.Ref.URL(), named.URL())
	}
	if !hex40.MatchString(pins.BaseSHA) || !hex40.MatchString(pins.HeadSHA) {
		return pull.Context{}, "", fmt.Errorf("the commits of %s are not known", r.Ref.URL())
	}
	r.got = got
	if r.w.has(ctx, pins.BaseSHA) && r.w.has(ctx, pins.HeadSHA) {
		r.local = &Range{Base: pins.BaseSHA, Head: pins.HeadSHA, dir: r.w.top, repo: git.Open(r.w.top), kept: map[string]string{}}
	}
	return got.Context, got.Description, nil
}

// has says whether the repository holds a commit already. Nothing is fetched for it.
func (w *Workspace) has(ctx context.Context, id string) bool {
	_, err := w.repo.Run(ctx, "cat-file", "-e", id+"^{commit}")
	return err == nil
}

// Discussions is what was said in the threads.
func (r *Remote) Discussions() []pull.Exchange { return r.got.Discussions }

// Drift implements Source.
func (r *Remote) Drift(ctx context.Context) (string, error) {
	live, err := r.hub.Live(ctx, r.Ref)
	if err != nil {
		return "", err
	}
	pr, pins := r.got.Context.PR, r.got.Context.Pins
	for _, c := range []struct{ what, was, is string }{
		{"the head moved", pins.HeadSHA, live.HeadSHA}, {"the base is another branch", pins.Base, live.Base},
		{"the base and the head part elsewhere", pins.BaseSHA, live.BaseSHA}, {"the pull request is " + live.State, pr.State, live.State},
	} {
		if c.was != c.is {
			return fmt.Sprintf("%s: %.40s was %.40s", c.what, c.is, c.was), nil
		}
	}
	return "", nil
}

// File implements Reading.
func (r *Remote) File(ctx context.Context, path, revision string) ([]byte, error) {
	if pins := r.got.Context.Pins; revision != pins.BaseSHA && revision != pins.HeadSHA {
		return nil, fmt.Errorf("%s: %.12s is neither end of the change", path, revision)
	}
	if !fs.ValidPath(path) || path == "." {
		return nil, fmt.Errorf("%q is no path of a repository", path)
	}
	if r.local != nil {
		return r.local.File(ctx, path, revision)
	}
	key := revision + ":" + path
	r.mu.Lock()
	data, known := r.kept[key]
	r.mu.Unlock()
	if known {
		return data, nil
	}
	data, err := r.hub.File(ctx, r.Ref, path, revision)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size+len(data) <= keptFiles {
		r.kept[key] = data
		r.size += len(data)
	}
	return data, nil
}

// Patch implements Reading.
func (r *Remote) Patch(_ context.Context, path string) (string, error) {
	return strings.TrimSuffix(r.got.Patches[path], "\n"), nil
}

// List implements Reading.
func (r *Remote) List(ctx context.Context, folder, revision string) ([]string, error) {
	if r.local == nil {
		return nil, fmt.Errorf("list %q: %w: the commits are not in this repository, so read single files", folder, ErrNotOffered)
	}
	return r.local.List(ctx, folder, revision)
}

// Find implements Reading.
func (r *Remote) Find(ctx context.Context, words, revision string) ([]byte, error) {
	if r.local == nil {
		return nil, fmt.Errorf("find a text: %w: the commits are not in this repository, so read single files", ErrNotOffered)
	}
	return r.local.Find(ctx, words, revision)
}
