package transcript

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"planmode/store"
)

// Options say whose last words are wanted. What is empty is found out.
type Options struct {
	Harness   Harness
	Session   string // id of a session
	Cwd       string // the working directory, absolute
	Home      string // the person's home directory
	Getenv    func(string) string
	Ancestors []int        // process ids above ours, nearest first
	Store     *store.Store // planmode's own sessions; nil leaves them out
	PassOver  bool         // leave out the turn that is still running

	// Command runs a program and returns what it prints; nil if none may be run.
	Command func(ctx context.Context, name string, args ...string) ([]byte, error)
}

// Candidate is a session that may be the one meant.
type Candidate struct {
	Harness  Harness
	ID       string
	Path     string
	Cwd      string
	Modified time.Time
}

// ErrNone reports that no session was found.
var ErrNone = errors.New("no session of an agent was found for this directory")

// idPattern is what a session id may look like before it becomes part of a path.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`)

// Harness from the environment, the most telling variable first.
var telling = []struct {
	variable string
	harness  Harness
}{
	{"CODEX_THREAD_ID", Codex}, {"COPILOT_CLI", Copilot}, {"OPENCODE", OpenCode}, {"GEMINI_CLI", Gemini}, {"CLAUDECODE", Claude},
}

// Find reads the session that is most likely meant.
func Find(ctx context.Context, o Options) (Session, error) {
	all, err := Candidates(ctx, o)
	if err != nil {
		return Session{}, err
	}
	return Open(ctx, o, all[0])
}

// Candidates lists the sessions that may be meant, the likeliest first. It is never
// empty without an error.
func Candidates(ctx context.Context, o Options) ([]Candidate, error) {
	if o.Session != "" && !idPattern.MatchString(o.Session) {
		return nil, fmt.Errorf("%q cannot be the id of a session", o.Session)
	}
	h := o.Harness
	if h == "" {
		h = o.fromEnvironment()
	}
	var all []Candidate
	for _, f := range []struct {
		harness Harness
		find    func(context.Context) []Candidate
	}{
		{Claude, o.claude}, {Codex, o.codex}, {Gemini, o.gemini}, {Copilot, o.copilot}, {Pi, o.pi}, {Kimi, o.kimi}, {OpenCode, o.openCode}, {Planmode, o.own},
	} {
		if h == "" && f.harness == OpenCode {
			continue // starting a program only to look is for when it was named
		}
		if h == "" || h == f.harness {
			all = append(all, f.find(ctx)...)
		}
	}
	if o.Session != "" {
		all = slices.DeleteFunc(all, func(c Candidate) bool { return !strings.HasPrefix(c.ID, o.Session) })
	}
	if len(all) == 0 {
		return nil, o.none(h)
	}
	if live := o.claudeLive(); h == "" && o.Session == "" && live.ID != "" {
		all = append([]Candidate{live}, slices.DeleteFunc(all, func(c Candidate) bool { return c.Path == live.Path })...)
		return all, nil
	}
	if h == "" || h == Codex || h == OpenCode || h == Planmode || h == Kimi || h == Pi || h == Gemini {
		slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Modified.UnixNano(), a.Modified.UnixNano()) })
	}
	return all, nil
}

func (o Options) none(h Harness) error {
	switch {
	case o.Session != "":
		return fmt.Errorf("there is no session %s%s", o.Session, of(h))
	case h != "":
		return fmt.Errorf("%w: none%s belongs to %s", ErrNone, of(h), o.Cwd)
	}
	return fmt.Errorf("%w: %s. Name one with --session, or give the text on standard input with --stdin", ErrNone, o.Cwd)
}

func of(h Harness) string {
	if h == "" {
		return ""
	}
	return " of " + string(h)
}

// Open reads a candidate.
func Open(ctx context.Context, o Options, c Candidate) (Session, error) {
	var s Session
	var err error
	switch c.Harness {
	case Planmode:
		s, err = ReadOwn(o.Store, c.ID)
	case OpenCode:
		s, err = o.export(ctx, c.ID)
	default:
		s, err = Read(c.Harness, c.Path, o.PassOver)
	}
	if err != nil {
		return Session{}, err
	}
	s.ID = c.ID
	if s.Cwd == "" {
		s.Cwd = c.Cwd
	}
	return s, nil
}

func (o Options) env(name string) string {
	if o.Getenv == nil {
		return ""
	}
	return o.Getenv(name)
}

func (o Options) fromEnvironment() Harness {
	for _, t := range telling {
		if o.env(t.variable) != "" {
			return t.harness
		}
	}
	return ""
}

// dir is where a harness keeps its files: a variable of its own, or in the home
// directory.
func (o Options) dir(variable string, under ...string) string {
	if d := o.env(variable); d != "" && filepath.IsAbs(d) {
		return d
	}
	if o.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{o.Home}, under...)...)
}

// candidate looks at a file; ok is false if it cannot be a log.
func candidate(h Harness, id, path, cwd string) (Candidate, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || !idPattern.MatchString(id) {
		return Candidate{}, false
	}
	return Candidate{Harness: h, ID: id, Path: path, Cwd: cwd, Modified: info.ModTime()}, true
}

// readJSON reads a small file of JSON.
func readJSON(path string, v any) error {
	f, info, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if info.Size() > 1<<20 {
		return fs.ErrInvalid
	}
	return json.NewDecoder(f).Decode(v)
}
