package revdiff

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Choice is the person's choice of a reviewer. The strings are in config.json.
type Choice string

// The choices.
const (
	ChooseAuto    Choice = "auto"
	ChooseRevdiff Choice = "revdiff"
	ChooseBuiltin Choice = "builtin"
)

// InstallHint tells how to get revdiff.
const InstallHint = "brew install umputun/apps/revdiff, or see https://github.com/umputun/revdiff"

// BuiltinName is what the built-in reviewer is called on screen and on disk.
const BuiltinName = "built-in reviewer"

// builtinArgument makes planmode's own executable the reviewer.
const builtinArgument = "reviewer"

var (
	// ErrMissing reports that revdiff was asked for and is not installed.
	ErrMissing = errors.New("revdiff is not installed")
	// ErrUnusable reports a reviewer that was named and cannot run. It is never
	// silently replaced by another one.
	ErrUnusable = errors.New("reviewer cannot be used")
)

// FindOptions says where to look.
type FindOptions struct {
	Choice Choice // empty is auto
	Getenv func(string) string
	Self   string   // planmode's own executable
	Look   []string // flags that make the built-in reviewer look like the app
}

// Reviewer is a program that shows a revision and collects annotations.
type Reviewer struct {
	Name    string // "revdiff", "revdiff v1.12.0", "built-in reviewer"
	Path    string
	Prefix  []string // arguments before all others
	Builtin bool
	Hint    string // how to get revdiff, when auto fell back to the built-in one
	Version string // as probed; empty if unknown

	flags map[string]bool // as probed; nil before
}

// Find looks for the reviewer of the person's choice. It only looks at files and
// runs nothing.
func Find(o FindOptions) (Reviewer, error) {
	switch o.Choice {
	case ChooseBuiltin:
		return builtin(o, "")
	case "", ChooseAuto, ChooseRevdiff:
	default:
		return Reviewer{}, fmt.Errorf("%w: no such choice %q", ErrUnusable, o.Choice)
	}
	if named := strings.TrimSpace(o.Getenv("REVDIFF_BIN")); named != "" {
		return fromVariable(named)
	}
	if path, ok := lookPath(o.Getenv("PATH"), "revdiff"); ok {
		return Reviewer{Name: "revdiff", Path: path}, nil
	}
	if o.Choice == ChooseRevdiff {
		return Reviewer{}, fmt.Errorf("%w: %s", ErrMissing, InstallHint)
	}
	return builtin(o, InstallHint)
}

// fromVariable is the reviewer that REVDIFF_BIN names.
func fromVariable(path string) (Reviewer, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Reviewer{}, fmt.Errorf("%w: REVDIFF_BIN is %q: %w", ErrUnusable, path, err)
	}
	if err := executable(abs); err != nil {
		return Reviewer{}, fmt.Errorf("%w: REVDIFF_BIN is %q: %w", ErrUnusable, path, err)
	}
	return Reviewer{Name: "revdiff", Path: abs}, nil
}

func builtin(o FindOptions, hint string) (Reviewer, error) {
	if err := executable(o.Self); err != nil {
		return Reviewer{}, fmt.Errorf("%w: planmode itself, %q: %w", ErrUnusable, o.Self, err)
	}
	return Reviewer{Name: BuiltinName, Path: o.Self, Prefix: append([]string{builtinArgument}, o.Look...), Builtin: true, Hint: hint}, nil
}

var (
	errNotRegular    = errors.New("not a regular file")
	errNotExecutable = errors.New("not executable")
)

// executable checks that path is a file that could be run. Links are followed:
// package managers install by them.
func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errNotRegular
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return errNotExecutable
	}
	return nil
}

// lookPath searches a PATH. Relative entries are passed over, so that no program
// of the repository at hand is taken for the reviewer.
func lookPath(list, name string) (string, bool) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path := filepath.Join(dir, name); executable(path) == nil {
			return path, true
		}
	}
	return "", false
}
