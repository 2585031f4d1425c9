package session

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"planmode/plan/agent"
	"planmode/plan/tool"
)

func TestCommandsThatOnlyLookRunWhilePlanningWhenConfigured(t *testing.T) {
	for _, shell := range []string{"off", "readonly"} {
		t.Run(shell, func(t *testing.T) {
			r := newRig(t)
			r.configure = func(o *Options) { o.Config.Planning.Shell = shell }
			r.say("hello") // a session that is empty leaves no log to resume
			r.resume()
			r.plan("on")
			run := func(command string) (got tool.Result) {
				r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) (err error) {
					got, _, err = call(ctx, h, "bash", map[string]string{"command": command})
					return err
				})
				r.say("run it")
				return got
			}
			if got := run("echo looked"); got.Error == (shell == "readonly") || shell == "readonly" && got.Text != "looked\n" {
				t.Errorf("looking gave %+v", got)
			}
			target := filepath.Join(r.dir, "f")
			if got := run("touch " + target); !got.Error {
				t.Errorf("writing gave %+v", got)
			}
			if _, err := os.Lstat(target); err == nil || len(r.desk.permits) > 0 {
				t.Errorf("the file is there: %v; asked %d times", err, len(r.desk.permits))
			}
		})
	}
}
