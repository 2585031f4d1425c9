package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan/gate/harness"
)

func TestAHookIsFollowedToItsEnd(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ script, want string }{
		"it answers nothing":     {"exit 0", "ok hook.claude"},
		"it is another program":  {"echo hello", "fail hook.claude"},
		"it fails":               {"exit 3", "fail hook.claude"},
		"the program is gone":    {"", "fail hook.claude"},
		"no hook is set up here": {"-", ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(folder, "planmode")
			if c.script != "" {
				if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			settings := []byte("{}")
			if c.script != "-" {
				var err error
				if settings, err = harness.Install(harness.Claude, nil, program); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(folder, "settings.json")
			if err := os.WriteFile(path, settings, 0o600); err != nil {
				t.Fatal(err)
			}
			var r Report
			r.hooks(t.Context(), Surroundings{Dir: folder, Environ: os.Environ(), Settings: []Settings{{harness.Claude, path}, {harness.Gemini, filepath.Join(folder, "none.json")}}})
			got := ""
			for _, c := range r {
				got += string(c.Level) + " " + c.What
			}
			if got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, r)
			}
		})
	}
}
