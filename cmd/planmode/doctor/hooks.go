package doctor

import (
	"context"
	"os"
	"time"

	"planmode/plan/gate/harness"
	"planmode/plan/process"
)

// Settings is a file in which another agent may have planmode's hook.
type Settings struct {
	Harness harness.Harness
	Path    string
}

// hookTime is how long a hook may take that has nothing to ask.
const hookTime = 5 * time.Second

// hooks follows each hook that is set up to its end: the program is there, and answers
// an event that asks for nothing with nothing. Where no hook is set up there is
// nothing to say.
func (r *Report) hooks(ctx context.Context, s Surroundings) {
	for _, f := range s.Settings {
		b, err := os.ReadFile(f.Path)
		if err != nil {
			continue // no settings, no hook
		}
		program := harness.Installed(f.Harness, b)
		if program == "" {
			continue
		}
		what, again := "hook."+string(f.Harness), "Run planmode install "+string(f.Harness)+" again with the planmode you use."
		result, err := process.Run(ctx, process.Command{
			Path: program, Args: []string{"hook", string(f.Harness)}, Dir: s.Dir, Env: s.Environ, Timeout: hookTime, Split: true,
		})
		switch {
		case err != nil:
			r.fail(what, "the hook in "+f.Path+" runs "+program+", which cannot be run: "+err.Error(), again)
		case result.Code != 0 || result.TimedOut || len(result.Output) > 0:
			r.fail(what, program+" does not answer as a hook", again)
		case program != s.Self && s.Self != "":
			r.ok(what, "%s is asked by the hook in %s", program, f.Path)
		default:
			r.ok(what, "this planmode is asked by the hook in %s", f.Path)
		}
	}
}
