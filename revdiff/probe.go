package revdiff

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"planmode/plan/process"
	"planmode/store"
)

const (
	probeTimeout = 5 * time.Second
	probeLimit   = 64 << 10
	cacheVersion = 1
	maxCached    = 20
)

// knowledge is what the cache file holds about one executable. It is valid for
// exactly this size and time of change.
type knowledge struct {
	Path    string   `json:"path"`
	Size    int64    `json:"size"`
	Changed int64    `json:"changed"` // nanoseconds since 1970
	Version string   `json:"version,omitempty"`
	Flags   []string `json:"flags"`
}

type cache struct {
	Version   int         `json:"version"`
	Reviewers []knowledge `json:"reviewers"`
}

// Probe asks the reviewer for its flags and version and returns it with the
// answer. The answer is kept in the file cachePath until the executable changes;
// a cache that cannot be read or written only costs time. On an error the
// reviewer is returned as it was, and still works.
func Probe(ctx context.Context, r Reviewer, env []string, cachePath string) (Reviewer, error) {
	if r.Builtin {
		return r, nil
	}
	info, err := os.Stat(r.Path)
	if err != nil {
		return r, fmt.Errorf("probe the reviewer: %w", err)
	}
	want := knowledge{Path: r.Path, Size: info.Size(), Changed: info.ModTime().UnixNano()}
	c := readCache(cachePath)
	for _, k := range c.Reviewers {
		if k.Path == want.Path && k.Size == want.Size && k.Changed == want.Changed {
			return r.with(k), nil
		}
	}
	if want.Flags, want.Version, err = ask(ctx, r, env); err != nil {
		return r, fmt.Errorf("probe the reviewer: %w", err)
	}
	c.Reviewers = slices.DeleteFunc(c.Reviewers, func(k knowledge) bool { return k.Path == want.Path })
	c.Reviewers = append([]knowledge{want}, c.Reviewers...)
	writeCache(cachePath, c)
	return r.with(want), nil
}

// with is r with what a probe found.
func (r Reviewer) with(k knowledge) Reviewer {
	r.Version = k.Version
	if k.Version != "" {
		r.Name = "revdiff " + k.Version
	}
	r.flags = make(map[string]bool, len(k.Flags))
	for _, f := range k.Flags {
		r.flags[f] = true
	}
	return r
}

// has reports whether the reviewer takes a flag. One that was not probed is
// taken to be 1.0.0 or newer.
func (r Reviewer) has(flag string) bool { return r.flags == nil || r.flags[flag] }

// probed reports whether the reviewer is known to take a flag.
func (r Reviewer) probed(flag string) bool { return r.flags[flag] }

// Degraded says what this reviewer cannot do, or nothing.
func (r Reviewer) Degraded() string {
	if r.has("compare-old") {
		return ""
	}
	return r.Name + " is too old to compare two revisions; 1.0.0 can. Later revisions are shown whole."
}

var (
	flagPattern    = regexp.MustCompile(`(?m)^\s+(?:-\w, )?--([a-z][a-z0-9-]*)`)
	versionPattern = regexp.MustCompile(`^v\d+\.\d+\.\d+`)
)

func ask(ctx context.Context, r Reviewer, env []string) (flags []string, version string, err error) {
	help, err := run(ctx, r, env, "--help")
	if err != nil {
		return nil, "", err
	}
	for _, m := range flagPattern.FindAllStringSubmatch(help, -1) {
		flags = append(flags, m[1])
	}
	if !slices.Contains(flags, "only") || !slices.Contains(flags, "output") {
		return nil, "", fmt.Errorf("%s --help does not describe revdiff", r.Path)
	}
	slices.Sort(flags)
	// The version is for the record only; a binary built without one says
	// something else, and that is no reason to refuse it.
	if said, err := run(ctx, r, env, "--version"); err == nil {
		_, rest, _ := strings.Cut(said, "version:")
		version = versionPattern.FindString(strings.TrimSpace(rest))
	}
	return slices.Compact(flags), version, nil
}

func run(ctx context.Context, r Reviewer, env []string, flag string) (string, error) {
	result, err := process.Run(ctx, process.Command{
		Path: r.Path, Args: append(slices.Clone(r.Prefix), flag), Dir: reviewDir,
		Env: environment(env, reviewDir), Timeout: probeTimeout, Limit: probeLimit, Split: true,
	})
	switch {
	case err != nil:
		return "", err
	case result.TimedOut:
		return "", fmt.Errorf("%s %s gave no answer in %v", r.Path, flag, probeTimeout)
	case result.Code != 0:
		return "", fmt.Errorf("%s %s ended with code %d", r.Path, flag, result.Code)
	}
	return string(result.Output), nil
}

func readCache(path string) cache {
	empty := cache{Version: cacheVersion}
	b, err := os.ReadFile(path)
	if err != nil {
		return empty
	}
	var c cache
	if json.Unmarshal(b, &c) != nil || c.Version != cacheVersion {
		return empty
	}
	return c
}

func writeCache(path string, c cache) {
	if path == "" {
		return
	}
	if len(c.Reviewers) > maxCached {
		c.Reviewers = c.Reviewers[:maxCached]
	}
	b, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return
	}
	// A cache that cannot be written only costs time.
	_ = store.ReplaceFile(path, append(b, '\n'))
}
