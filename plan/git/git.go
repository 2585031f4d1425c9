// Package git is the one way this program runs git. A repository is somebody
// else's: its configuration can name programs to run, so every run turns off what
// git would execute on its behalf (hooks, monitors, pagers, diff drivers, filters,
// helpers, transports), takes nothing from GIT_ variables, and only knows
// subcommands that look and never write.
//
// Head and Branch fail plainly where there is no repository or no git; nothing
// that depends on them may treat that as fatal.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"planmode/plan/process"
	"planmode/plan/text"
)

// ErrRefused reports a subcommand that this package does not run.
var ErrRefused = errors.New("not a git command that only looks")

// ErrTooMuch reports output longer than the limit: cut output of git is not
// usable output.
var ErrTooMuch = errors.New("git wrote more than the limit")

const (
	timeout = 10 * time.Second
	limit   = 8 << 20
)

// Repo is a directory to run git in. It need not be inside a repository.
type Repo struct {
	dir string
	env []string
}

// Open names the directory; nothing is read until a method is called.
func Open(dir string) Repo { return Repo{dir: dir, env: os.Environ()} }

// look describes a subcommand that only looks: the options that keep it from
// running a program that the configuration or the attributes name, and whether
// they are not enough because it compares the work tree or has no such options.
type look struct {
	options []string
	tree    bool
}

var looking = map[string]look{
	"blame":        {[]string{"--no-textconv"}, true},
	"cat-file":     {},
	"check-ignore": {},
	"describe":     {tree: true},
	"diff":         {[]string{"--no-ext-diff", "--no-textconv", "--ignore-submodules=all"}, true},
	"diff-tree":    {options: []string{"--no-ext-diff", "--no-textconv", "--ignore-submodules=all"}},
	"for-each-ref": {},
	"log":          {options: []string{"--no-ext-diff", "--no-textconv", "--no-show-signature"}},
	"ls-files":     {tree: true},
	"ls-tree":      {},
	"merge-base":   {},
	"rev-list":     {},
	"rev-parse":    {},
	"show":         {options: []string{"--no-ext-diff", "--no-textconv", "--no-show-signature"}},
	"show-ref":     {},
	"status":       {[]string{"--ignore-submodules=all"}, true},
	"symbolic-ref": {},
	"whatchanged":  {options: []string{"--no-ext-diff", "--no-textconv", "--no-show-signature"}},
}

// writing are options by which a looking subcommand writes or runs something.
// git accepts every unambiguous beginning of a long option, so a beginning
// of one of these is refused as well.
var writing = []string{"--output", "--ext-diff", "--textconv", "--show-signature", "--filters", "--delete", "--shell", "--open-files-in-pager", "--dirty", "--broken"}

// hardened turns off whatever a configuration could make git run. It comes last
// on git's own command line and so beats every file.
var hardened = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.pager=cat", "core.editor=false", "core.askPass=false",
	"core.sshCommand=false", "core.gitProxy=false", "core.untrackedCache=false", "core.splitIndex=false", "core.alternateRefsCommand=false",
	"credential.helper=", "protocol.allow=never", "gc.auto=0", "maintenance.auto=false", "submodule.recurse=false",
	"status.submoduleSummary=false", "diff.submodule=short", "log.showSignature=false",
	"gpg.program=false", "gpg.openpgp.program=false", "gpg.ssh.program=false", "gpg.x509.program=false",
	"safe.bareRepository=explicit", "interactive.diffFilter=cat", "diff.trustExitCode=false",
}

// Run runs one looking subcommand and returns what it wrote to standard output.
func (r Repo) Run(ctx context.Context, args ...string) ([]byte, error) {
	full, err := r.harden(ctx, args)
	if err != nil {
		return nil, err
	}
	return r.start(ctx, full)
}

// Version is the version of the git that is run, as git says it.
func (r Repo) Version(ctx context.Context) (string, error) {
	out, err := r.start(ctx, []string{"version"})
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(text.Line(string(out)), "git version "), nil
}

func (r Repo) harden(ctx context.Context, args []string) ([]string, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("git: %w", ErrRefused)
	}
	how, known := looking[args[0]]
	if !known {
		return nil, fmt.Errorf("git %s: %w", args[0], ErrRefused)
	}
	if err := refuseWriting(args); err != nil {
		return nil, err
	}
	return r.arm(ctx, args, how)
}

// arm puts before args whatever keeps git from running a program.
func (r Repo) arm(ctx context.Context, args []string, how look) ([]string, error) {
	full := slices.Clone(flags)
	if how.tree {
		drivers, err := r.drivers(ctx)
		if err != nil {
			return nil, err
		}
		full = append(full, drivers...)
	}
	full = append(full, args[0])
	full = append(full, how.options...)
	return append(full, args[1:]...), nil
}

var flags = func() []string {
	out := []string{"--no-pager", "--no-optional-locks", "--no-replace-objects"}
	for _, c := range hardened {
		out = append(out, "-c", c)
	}
	return out
}()

func refuseWriting(args []string) error {
	for _, a := range args[1:] {
		if a == "--" {
			break
		}
		name, _, _ := strings.Cut(a, "=")
		if len(name) < 4 || !strings.HasPrefix(name, "--") {
			continue
		}
		for _, w := range writing {
			if strings.HasPrefix(w, name) {
				return fmt.Errorf("git %s %s: %w", args[0], a, ErrRefused)
			}
		}
	}
	operands := 0
	for _, a := range args[1:] {
		if args[0] != "symbolic-ref" {
			break
		}
		if !strings.HasPrefix(a, "-") {
			operands++
		}
		if operands > 1 || a == "-d" || a == "-m" {
			return fmt.Errorf("git symbolic-ref %s: %w", a, ErrRefused)
		}
	}
	return nil
}

// drivers disarms the filters that the configuration defines, which comparing the
// work tree runs, and the converters of text, which some subcommands run on every
// patch they show: there is no switch for all of either.
func (r Repo) drivers(ctx context.Context) ([]string, error) {
	args := append(slices.Clone(flags), "config", "--null", "--name-only", "--get-regexp", `^(filter\..*\.(clean|smudge|process|required)|diff\..*\.(textconv|cachetextconv))$`)
	out, err := r.start(ctx, args)
	var failed *Error
	if errors.As(err, &failed) && failed.Code == 1 {
		return nil, nil // there are none
	}
	if err != nil {
		return nil, err
	}
	var set []string
	for name := range bytes.SplitSeq(out, []byte{0}) {
		key := string(name)
		if key == "" {
			continue
		}
		if strings.ContainsAny(key, "=\n") {
			return nil, fmt.Errorf("git: the configuration has a driver whose name cannot be disarmed: %q", key)
		}
		value := ""
		switch {
		case strings.HasSuffix(key, ".required"), strings.HasSuffix(key, ".cachetextconv"): // the cache is written
			value = "false"
		case strings.HasSuffix(key, ".textconv"):
			value = "cat" // empty would be a program that cannot be started
		}
		set = append(set, "-c", key+"="+value)
	}
	return set, nil
}

// Error is a run of git that failed.
type Error struct {
	Subcommand string
	Code       int
	Message    string // the first line of what git said, not cleaned
}

// Error says which subcommand failed, and how.
func (e *Error) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("git %s: exit %d", e.Subcommand, e.Code)
	}
	return fmt.Sprintf("git %s: %s", e.Subcommand, e.Message)
}

func (r Repo) start(ctx context.Context, args []string) ([]byte, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("find git: %w", err)
	}
	res, err := process.Run(ctx, process.Command{
		Path: path, Args: args, Dir: r.dir, Env: environment(r.env), Timeout: timeout, Limit: limit, Split: true,
	})
	name := subcommand(args)
	switch {
	case err != nil:
		return nil, err
	case res.TimedOut:
		return nil, fmt.Errorf("git %s: no answer within %v: %w", name, timeout, context.DeadlineExceeded)
	case res.Code != 0:
		line, _, _ := strings.Cut(strings.TrimSpace(string(res.Stderr)), "\n")
		return nil, &Error{Subcommand: name, Code: res.Code, Message: line}
	case res.Cut > 0:
		return nil, fmt.Errorf("git %s: %w", name, ErrTooMuch)
	}
	return res.Output, nil
}

func subcommand(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" {
			i++
		} else if !strings.HasPrefix(args[i], "-") {
			return args[i]
		}
	}
	return ""
}

// environment drops every GIT_ variable (they can point git at another
// repository, or name programs) and sets those that make it quiet and harmless.
func environment(base []string) []string {
	out := make([]string, 0, len(base)+8)
	for _, pair := range process.Environment(base) {
		name := strings.ToUpper(pair)
		if !strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "SSH_ASKPASS") && !strings.HasPrefix(name, "LC_ALL=") {
			out = append(out, pair)
		}
	}
	return append(out, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
		// A protocol of this name does not exist; an own rule in a repository's
		// configuration would beat protocol.allow, and cannot beat this.
		"GIT_ALLOW_PROTOCOL=none", "LC_ALL=C")
}
