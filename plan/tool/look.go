package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"planmode/plan/git"
	"planmode/plan/process"
	"planmode/plan/tool/shell"
)

// lookTimeout is for one line that only looks.
const lookTimeout = 60 * time.Second

// looker is a tool some of whose calls only look: while planning, these run
// unasked and in a way of their own, and the others are refused.
type looker interface {
	Tool
	looks(call Call) (reason string, ok bool)
	look(ctx context.Context, call Call, progress Progress) Result
}

// Perform runs a call the way it was judged.
func (j Judgement) Perform(ctx context.Context, t Tool, c Call, progress Progress) Result {
	if !j.Looks {
		return t.Run(ctx, c, progress)
	}
	l, ok := t.(looker)
	if !ok {
		return failed(c, fmt.Errorf("%s cannot only look", c.Name))
	}
	return l.look(ctx, c, progress)
}

// judgeLook judges a call while planning of a tool whose calls may only look.
func judgeLook(t Tool, c Call) Judgement {
	l, ok := t.(looker)
	if !ok {
		return deny("Plan Mode is read-only", "%s is not available in Plan Mode.", c.Name)
	}
	if reason, ok := l.looks(c); !ok {
		return deny("Plan Mode is read-only", "%s was not run: Plan Mode is read-only, and here %s. Do not look for a way around it: "+
			"use a line that only looks, or the tools read, grep, find and ls.", c.Name, reason)
	}
	return Judgement{Verdict: Allow, Looks: true}
}

const lookDescription = "Run a command line that only looks, in the working directory: ls, cat, head, tail, wc, grep, rg, find, sort, uniq, cut, diff, jq, " +
	"sed -n 'N,Mp', git log, show, diff, status, blame, grep and ls-files, go list and doc, and others like them, joined by |, &&, || and ;. " +
	"No variables, substitution, redirection to files, loops, or commands that write or run anything; those are refused with the reason."

func (t bashTool) looks(call Call) (string, bool) {
	args, err := decode[bashArgs](call.Args)
	switch {
	case err != nil:
		return err.Error(), false
	case runtime.GOOS == "windows":
		return "there is no shell for it on this system", false
	}
	return shell.Readonly(args.Command)
}

// look runs a line that only looks. It is written anew from what was understood of
// it, with every program by a path that the work tree cannot have planted.
func (t bashTool) look(ctx context.Context, call Call, progress Progress) Result {
	args, err := decode[bashArgs](call.Args)
	if err != nil {
		return failed(call, err)
	}
	line, err := shell.Parse(args.Command)
	if err != nil {
		return failed(call, err)
	}
	s := newSurroundings(t.dir, t.env)
	path, flags, err := s.shell()
	if err != nil {
		return failed(call, err)
	}
	script, err := line.Script(func(name string, args []string) ([]string, error) { return s.start(ctx, name, args) })
	if err != nil {
		return failed(call, err)
	}
	env := s.environment()
	if slices.Contains(line.Names(), "git") {
		index, drop, err := git.Open(t.dir).SpareIndex(ctx)
		if err != nil {
			return failed(call, err)
		}
		defer drop()
		env = append(env, index...)
	}
	stream := &stream{to: progress}
	began := t.now()
	res, err := process.Run(ctx, process.Command{
		Path: path, Args: append(flags, "-c", script), Dir: t.dir, Env: env,
		Timeout: lookTimeout, Limit: maxOutput, Output: stream.write,
	})
	if err != nil && ctx.Err() == nil {
		return failed(call, err)
	}
	r := answer(call, report(res, lookTimeout, ctx.Err()))
	r.Error = res.TimedOut || ctx.Err() != nil || res.Code > 1 // 1 is what grep, diff and test say for no
	r.Details = Marshal(OutputDetails{
		Command: args.Command, Exit: res.Code, Millis: t.now().Sub(began).Milliseconds(), TimedOut: res.TimedOut, Cut: res.Cut,
	})
	return r
}

// surroundings are where a line that only looks runs: its directory and the
// programs it may find.
type surroundings struct {
	dir  string
	env  []string
	path []string // the directories of programs
}

func newSurroundings(dir string, env []string) *surroundings {
	s := &surroundings{dir: dir, env: env}
	for _, p := range filepath.SplitList(process.Lookup(env, "PATH")) {
		if filepath.IsAbs(p) && !s.planted(p) {
			s.path = append(s.path, p)
		}
	}
	return s
}

// planted says whether a path leads into the work tree, where others may have put
// what is found there.
func (s *surroundings) planted(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return true
	}
	root, err := filepath.EvalSymlinks(s.dir)
	if err != nil {
		return true
	}
	rel, err := filepath.Rel(root, real)
	return err != nil || rel == "." || filepath.IsLocal(rel)
}

var errNoProgram = errors.New("it is not installed, or only inside the work tree, from where nothing is run while planning")

// program finds a program by its name.
func (s *surroundings) program(name string) (string, error) {
	for _, dir := range s.path {
		path := filepath.Join(dir, name)
		st, err := os.Stat(path)
		if err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 && !s.planted(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("find %s: %w", name, errNoProgram)
}

// shell finds a shell and what keeps it from reading files of its own.
func (s *surroundings) shell() (path string, flags []string, err error) {
	if path, err := s.program("bash"); err == nil {
		return path, []string{"--norc", "--noprofile", "-p"}, nil
	}
	path, err = s.program("sh")
	return path, nil, err
}

// start is the beginning of the command line of a program.
func (s *surroundings) start(ctx context.Context, name string, args []string) ([]string, error) {
	path, err := s.program(name)
	if err != nil {
		return nil, err
	}
	if name == "git" {
		if args, err = git.Open(s.dir).Hardened(ctx, args...); err != nil {
			return nil, err
		}
	}
	return append([]string{path}, args...), nil
}

// steering are the variables, or beginnings of them where a * stands, by which
// programs take options, find files or start other programs.
var steering = []string{
	"BASH*", "ENV", "SHELLOPTS", "CDPATH", "GLOBIGNORE", "IFS", "PS4", "PROMPT_COMMAND", "POSIXLY_CORRECT", "EXECIGNORE",
	"PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "LESS*", "RIPGREP_CONFIG_PATH", "GREP_OPTIONS", "MAGIC", "GCONV_PATH",
	"LD_PRELOAD", "LD_AUDIT", "DYLD_*", "GO*", "CGO_*", "CC", "CXX", "PKG_CONFIG*", "PATH",
}

// environment is what the line gets.
func (s *surroundings) environment() []string {
	locale := process.Lookup(s.env, "LC_ALL")
	env := slices.DeleteFunc(git.Quiet(s.env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.ContainsFunc(steering, func(v string) bool {
			begin, any := strings.CutSuffix(v, "*")
			return name == v || any && strings.HasPrefix(name, begin)
		})
	})
	env = append(env, "PATH="+strings.Join(s.path, string(filepath.ListSeparator)), "PAGER=cat", "GIT_PAGER=cat",
		"GOTOOLCHAIN=local", "GOFLAGS=-mod=readonly -buildvcs=false", "GOPROXY=off", "GOVCS=*:off", "CGO_ENABLED=0")
	for _, keep := range []string{"GOPATH", "GOROOT", "GOMODCACHE", "GOCACHE", "GOWORK"} {
		if v := process.Lookup(s.env, keep); v != "" {
			env = append(env, keep+"="+v)
		}
	}
	return append(env, "LC_ALL="+locale)
}
