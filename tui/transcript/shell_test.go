package transcript

import (
	"fmt"
	"strings"
	"testing"

	"planmode/plan/session"
	"planmode/plan/tool"
)

func TestACommandOfThePerson(t *testing.T) {
	var long strings.Builder
	for i := range 30 {
		fmt.Fprintf(&long, "line %d\n", i+1)
	}
	ok := tool.Marshal(tool.OutputDetails{Command: "go test", Millis: 1200})
	bad := tool.Marshal(tool.OutputDetails{Command: "go vet", Exit: 2, Millis: 100})
	cases := []struct {
		name     string
		give     session.Shell
		expanded bool
		want     []string
		never    string
	}{
		{"its output is shown at once", session.Shell{Command: "go test", Text: "ok\n", Details: ok}, false, []string{"! go test", "1.2s", "    ok"}, ""},
		{"the end of long output is shown folded", session.Shell{Command: "x", Text: long.String(), Details: ok}, false, []string{"18 earlier lines", "line 30"}, "line 18"},
		{"all of it is shown expanded", session.Shell{Command: "x", Text: long.String(), Details: ok}, true, []string{"line 1\n", "line 30"}, "earlier"},
		{"a failure tells its code", session.Shell{Command: "go vet", Text: "bad\n", Error: true, Details: bad}, false, []string{"exit 2"}, ""},
		{"hostile output is clean", session.Shell{Command: "a\x1b[2J", Text: "\x1b]0;t\x07b\u202e\n", Details: ok}, false, []string{"! a", "    b"}, "\u202e"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := show(t, (&script{t: t}).add(session.KindShell, c.give), 60, c.expanded)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is not in\n%s", w, got)
				}
			}
			if c.never != "" && strings.Contains(got, c.never) {
				t.Errorf("%q is in\n%s", c.never, got)
			}
		})
	}
}
