package git

import (
	"context"
	"fmt"
)

// Hardened is the command line, without git itself, that runs args with everything
// turned off that a configuration could make git execute. Unlike Run it takes every
// subcommand: whoever calls it has judged that args only look. The environment it
// runs in must hold what Quiet says.
func (r Repo) Hardened(ctx context.Context, args ...string) ([]string, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("git: %w", ErrRefused)
	}
	if err := refuseWriting(args); err != nil {
		return nil, err
	}
	how, known := looking[args[0]]
	if !known {
		how = look{tree: true}
	}
	return r.arm(ctx, args, how)
}

// Quiet is base without the variables that steer git, and with those that make it
// quiet and harmless.
func Quiet(base []string) []string { return environment(base) }
