//go:build unix

package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/tui/tuitest"
)

func TestDebugLogsWhatHappenedAndNothingThatWasSaid(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want bool // records of what happened
	}{
		"with debug":                       {[]string{"--debug"}, true},
		"without":                          {nil, false},
		"with debug and nothing else kept": {[]string{"--debug", "--no-session"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("# contentsecret\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := planmode(t, home, c.args...)
			cmd.Dir = dir
			term := tuitest.Start(t, cmd, 100, 30)
			term.WaitFor("demo")
			term.Type("promptsecret: read README.md")
			term.WaitFor("promptsecret: read README.md")
			term.Press("enter")
			term.WaitFor("I read README.md")
			term.Press("ctrl+c", "ctrl+c")
			_ = term.Wait()
			log := filepath.Join(home, "state", "planmode.log")
			if told := strings.Contains(term.Screen(), "planmode: the log is"); told != (len(c.args) > 0) {
				t.Errorf("the path is printed: %v\n%s", told, term.Screen())
			}
			b, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if happened := strings.Contains(string(b), `"msg":"recorded"`); happened != c.want {
				t.Errorf("what happened is logged: %v, want %v\n%s", happened, c.want, b)
			}
			if strings.Contains(string(b), "secret") {
				t.Errorf("the log holds what was said:\n%s", b)
			}
			for line := range strings.Lines(string(b)) {
				if !json.Valid([]byte(line)) {
					t.Errorf("%q is not JSON", line)
				}
			}
		})
	}
}
